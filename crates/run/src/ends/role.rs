//! What a process is for. Each role has a process of its own, so that one role's memory and threads do not show in the figures of
//! another.

use tlstax_spec::{Case, Id, Workload};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// One thread on the measuring core.
    Alone,
    /// Several threads on all cores.
    Threads,
    /// The server of loads, on the measuring core.
    Server,
    /// The client of loads, on the other core.
    Client,
    /// The client of loads in several threads, on all cores but the server's.
    Clients,
}

/// A library, server or client in one role.
pub type Key = (Id, Role);

impl Role {
    pub const ALL: [Self; 5] = [Self::Alone, Self::Threads, Self::Server, Self::Client, Self::Clients];

    /// As whose process it is given up, after the id; nothing where a library has one kind of work only.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Alone | Self::Threads => "",
            Self::Server => " as a server",
            Self::Client | Self::Clients => " as a client",
        }
    }

    pub const fn is_of_load(self) -> bool {
        matches!(self, Self::Server | Self::Client | Self::Clients)
    }
}

/// Who takes part in a case: of a load the server and the client, in this order; of any other case one process.
pub fn keys(case: &Case) -> Vec<Key> {
    let is_threaded = case.threads > 1;
    match &case.workload {
        Workload::Load(load) => {
            let role = if is_threaded { Role::Clients } else { Role::Client };
            vec![(case.library.clone(), Role::Server), (load.client.clone(), role)]
        }
        _ => vec![(case.library.clone(), if is_threaded { Role::Threads } else { Role::Alone })],
    }
}
