//! Sessions of one thread with its one server: many distinct ones, as many users would have.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use rustls::NamedGroup;
use rustls::client::{ClientSessionStore, Tls12ClientSessionValue, Tls13ClientSessionValue};
use rustls::pki_types::ServerName;

/// A ticket of TLS 1.3 is used once; a session of TLS 1.2 goes to the end of the queue and comes again.
#[derive(Debug)]
pub(crate) struct Sessions {
    /// The most that are kept. The oldest go first: servers forget them too.
    most: usize,
    /// Whether the next connection may offer one.
    offer: AtomicBool,
    // A store belongs to one thread, so the lock is never waited for; rustls asks for a store that could be shared.
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    sessions: VecDeque<Tls12ClientSessionValue>,
    tickets: VecDeque<Tls13ClientSessionValue>,
}

impl Sessions {
    pub(crate) fn new(most: usize) -> Self {
        Self { most, offer: AtomicBool::new(true), kept: Mutex::default() }
    }

    /// Whether the next connection may offer a session, or has to make a full handshake.
    pub(crate) fn offer(&self, offer: bool) {
        self.offer.store(offer, Ordering::Relaxed);
    }

    fn with<T>(&self, work: impl FnOnce(&mut Kept) -> T) -> T {
        // Each change is whole before anything can panic.
        work(&mut self.kept.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn may_offer(&self) -> bool {
        self.offer.load(Ordering::Relaxed)
    }
}

impl ClientSessionStore for Sessions {
    fn set_kx_hint(&self, _server: ServerName<'static>, _group: NamedGroup) {}

    /// There is one group, or the wanted one is the first.
    fn kx_hint(&self, _server: &ServerName<'_>) -> Option<NamedGroup> {
        None
    }

    fn set_tls12_session(&self, _server: ServerName<'static>, session: Tls12ClientSessionValue) {
        self.with(|kept| push(&mut kept.sessions, session, self.most));
    }

    fn tls12_session(&self, _server: &ServerName<'_>) -> Option<Tls12ClientSessionValue> {
        let next = |kept: &mut Kept| {
            let session = kept.sessions.pop_front()?;
            kept.sessions.push_back(session.clone());
            Some(session)
        };
        self.may_offer().then(|| self.with(next)).flatten()
    }

    /// A server that did not take one of many sessions has said nothing about the others.
    fn remove_tls12_session(&self, _server: &ServerName<'static>) {}

    fn insert_tls13_ticket(&self, _server: ServerName<'static>, ticket: Tls13ClientSessionValue) {
        self.with(|kept| push(&mut kept.tickets, ticket, self.most));
    }

    fn take_tls13_ticket(&self, _server: &ServerName<'static>) -> Option<Tls13ClientSessionValue> {
        self.may_offer().then(|| self.with(|kept| kept.tickets.pop_front())).flatten()
    }
}

fn push<T>(queue: &mut VecDeque<T>, one: T, most: usize) {
    if queue.len() == most {
        queue.pop_front();
    }
    queue.push_back(one);
}
