//! What a client remembers of its one server.

use std::sync::{Mutex, PoisonError};

use rustls::NamedGroup;
use rustls::client::{ClientSessionStore, Tls12ClientSessionValue, Tls13ClientSessionValue};
use rustls::pki_types::ServerName;

use super::SESSIONS;

/// As rustls's `ClientSessionMemoryCache`, for one server and with room for more than eight TLS 1.3 tickets: each can
/// be used once, so there have to be as many as there are connections at the same time.
#[derive(Debug, Default)]
pub(super) struct Sessions {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    group: Option<NamedGroup>,
    session: Option<Tls12ClientSessionValue>,
    tickets: Vec<Tls13ClientSessionValue>,
}

impl Sessions {
    fn with<T>(&self, work: impl FnOnce(&mut State) -> T) -> T {
        // Each change is one assignment, so that the state is whole after a panic too.
        work(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl ClientSessionStore for Sessions {
    fn set_kx_hint(&self, _server: ServerName<'static>, group: NamedGroup) {
        self.with(|state| state.group = Some(group));
    }

    fn kx_hint(&self, _server: &ServerName<'_>) -> Option<NamedGroup> {
        self.with(|state| state.group)
    }

    fn set_tls12_session(&self, _server: ServerName<'static>, session: Tls12ClientSessionValue) {
        self.with(|state| state.session = Some(session));
    }

    fn tls12_session(&self, _server: &ServerName<'_>) -> Option<Tls12ClientSessionValue> {
        self.with(|state| state.session.clone())
    }

    fn remove_tls12_session(&self, _server: &ServerName<'static>) {
        self.with(|state| state.session = None);
    }

    fn insert_tls13_ticket(&self, _server: ServerName<'static>, ticket: Tls13ClientSessionValue) {
        self.with(|state| {
            if state.tickets.len() < SESSIONS {
                state.tickets.push(ticket);
            }
        });
    }

    fn take_tls13_ticket(&self, _server: &ServerName<'static>) -> Option<Tls13ClientSessionValue> {
        self.with(|state| state.tickets.pop())
    }
}
