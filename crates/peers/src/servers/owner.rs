//! Whose a server is that the user runs: of the processes that hold its listening socket, and of nobody else, CPU time is the
//! server's.

use std::net::SocketAddr;

use tlstax_measure::accounting;
use tlstax_measure::listening::{self, Listeners};
use tlstax_spec::Stage;
use tlstax_spec::wire::Usage;

use crate::refused::Refused;

/// The processes of a server, which hold the socket that listens at its address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owner {
    address: SocketAddr,
    listeners: Listeners,
    /// Those that the others come from: one, as good as always.
    roots: Vec<Process>,
}

/// A process, distinguished by its start from a later one of the same id.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Process {
    pid: u32,
    name: String,
    started: u64,
}

/// Why the CPU time of a server cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoOwner {
    /// The user has named a process that does not hold the socket; its owner, with the flag that names it.
    #[error(
        "process {pid} ({name}) is not the server, or not all of it: the socket that listens at {address} belongs to {owner}"
    )]
    Another { pid: u32, name: String, address: SocketAddr, owner: String },
    /// The user has named a process that does not hold the socket, and nobody is seen to hold it.
    #[error(
        "process {pid} ({name}) is not the server: it does not hold the socket that listens at {address}, and whoever does \
         cannot be seen"
    )]
    NotIt { pid: u32, name: String, address: SocketAddr },
    #[error("there is no process {0}: `ss -ltnp` lists servers with theirs")]
    NoProcess(u32),
    /// The process is this program, or one that it comes from; the owner as far as it can be seen.
    #[error(
        "process {pid} ({name}) is tlstax, or one that tlstax was started from, so that the CPU time of tlstax would be counted \
         as the server's{}",
        owner.as_ref().map_or_else(String::new, |owner| format!(": the socket belongs to {owner}"))
    )]
    Ourselves { pid: u32, name: String, owner: Option<String> },
    /// Only such processes hold it.
    #[error(
        "the socket that listens at {0} belongs to a process that tlstax was started from: start tlstax from elsewhere, such as \
         another terminal, to have the server's CPU time"
    )]
    OnlyOurs(SocketAddr),
    #[error(
        "no socket of this machine listens at {0}: it is forwarded to another place, such as a container or another machine, and \
         who serves there cannot be seen from here"
    )]
    Nothing(SocketAddr),
    #[error("{0} is another machine, whose processes cannot be seen from here")]
    Elsewhere(SocketAddr),
    /// They are processes of another user.
    #[error(
        "the system does not let this user see whose socket listens at {0}: run tlstax as root or as the user that the server runs \
         as, to have its CPU time"
    )]
    Unseen(SocketAddr),
}

impl Owner {
    /// The processes that hold the socket at an address, as the system shows them.
    ///
    /// # Errors
    /// It does not show them.
    pub fn find(address: SocketAddr) -> Result<Self, NoOwner> {
        if !listening::is_local(address.ip()) {
            return Err(NoOwner::Elsewhere(address));
        }
        Self::of_listeners(address, Listeners::at(address))
    }

    /// The process that the user says is the server: it, or one that comes from it, must hold the socket.
    ///
    /// # Errors
    /// It is not the server's, as far as the system shows.
    pub fn claimed(address: SocketAddr, pid: u32) -> Result<Self, NoOwner> {
        let root = Process::of(pid).ok_or(NoOwner::NoProcess(pid))?;
        if pid == std::process::id() || is_ancestor(pid) {
            let owner = Self::find(address).ok().map(|owner| owner.suggestion());
            return Err(NoOwner::Ourselves { pid, name: root.name, owner });
        }
        let listeners = listeners(address, pid)?;
        if listeners.is_empty() {
            return Err(NoOwner::Nothing(address));
        }
        match listeners.are_held_by(&tree(&[pid])) {
            Some(true) => Ok(Self { address, listeners, roots: vec![root] }),
            Some(false) => Err(match Self::of_listeners(address, listeners) {
                Ok(owner) => NoOwner::Another { pid, name: root.name, address, owner: owner.suggestion() },
                Err(_) => NoOwner::NotIt { pid, name: root.name, address },
            }),
            None => Err(NoOwner::Unseen(address)),
        }
    }

    fn of_listeners(address: SocketAddr, listeners: Listeners) -> Result<Self, NoOwner> {
        if listeners.is_empty() {
            return Err(NoOwner::Nothing(address));
        }
        let holders = listeners.holders();
        let ours = tree_of_ourselves();
        // Whoever opened the socket for the server and has started us too, such as init, is no part of it.
        let pids: Vec<u32> =
            holders.pids.into_iter().filter(|pid| !ours.contains(pid) && !is_ancestor(*pid)).collect();
        let is_root = |pid: &&u32| !accounting::ancestors(**pid).iter().any(|parent| pids.contains(parent));
        let roots: Vec<Process> = pids.iter().filter(is_root).filter_map(|pid| Process::of(*pid)).collect();
        match (holders.is_complete, roots.is_empty()) {
            (true, false) => Ok(Self { address, listeners, roots }),
            (true, true) => Err(NoOwner::OnlyOurs(address)),
            (false, _) => Err(NoOwner::Unseen(address)),
        }
    }

    /// Itself, and how to name it.
    fn suggestion(&self) -> String {
        match self.roots.as_slice() {
            [root] => format!("{self}. Did you mean --server-pid {}?", root.pid),
            _ => format!("{self}, together: leave --server-pid out, and all of them are read"),
        }
    }

    /// The process that the others come from.
    pub fn pid(&self) -> u32 {
        self.roots.first().map_or(0, |root| root.pid)
    }

    /// The CPU time of its processes; it counts nothing for us.
    ///
    /// # Errors
    /// They are not those that were found at first, or do not hold the socket any more: a figure would be somebody else's.
    pub fn read(&self) -> Result<Usage, Refused> {
        let failed = |problem: String| {
            Refused::failed(
                Stage::Run,
                format!("{problem}: the server has ended or was started anew; measure again"),
            )
        };
        if let Some(gone) = self.roots.iter().find(|root| !root.is_there()) {
            return Err(failed(format!("process {} ({}) is not there any more", gone.pid, gone.name)));
        }
        let tree = tree(&self.pids());
        let now = listeners(self.address, self.pid()).ok();
        if now.as_ref() != Some(&self.listeners) || self.listeners.are_held_by(&tree) == Some(false) {
            return Err(failed(format!(
                "the socket that listens at {} is not that of {self} any more",
                self.address
            )));
        }
        let cpu = accounting::together(&tree).map_err(|error| {
            failed(format!("a process of {self} ended while it was read, and its CPU time is lost: {error}"))
        })?;
        let (user_ns, system_ns) = (cpu.user.unwrap_or_default(), cpu.system.unwrap_or_default());
        Ok(Usage { cpu_ns: cpu.total, user_ns, system_ns, ..Usage::default() })
    }

    fn pids(&self) -> Vec<u32> {
        self.roots.iter().map(|root| root.pid).collect()
    }
}

/// As in "nginx, pid 4711 with 2 more processes".
impl std::fmt::Display for Owner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (place, root) in self.roots.iter().enumerate() {
            let and = if place > 0 { " and " } else { "" };
            write!(f, "{and}{}, pid {}", root.name, root.pid)?;
        }
        match tree(&self.pids()).len().saturating_sub(self.roots.len()) {
            0 => Ok(()),
            1 => f.write_str(" with 1 more process"),
            more => write!(f, " with {more} more processes"),
        }
    }
}

impl Process {
    fn of(pid: u32) -> Option<Self> {
        let name = accounting::name(pid)?;
        Some(Self { pid, name, started: accounting::started(pid).filter(|_| accounting::is_alive(pid))? })
    }

    /// Whether it still is; its name, which it may change, is for people.
    fn is_there(&self) -> bool {
        Self::of(self.pid).is_some_and(|now| now.started == self.started)
    }
}

/// The listening sockets that a process could mean: those of this machine's network, or of the one that the process is in where
/// the address is there.
fn listeners(address: SocketAddr, pid: u32) -> Result<Listeners, NoOwner> {
    if listening::is_local(address.ip()) {
        return Ok(Listeners::at(address));
    }
    let is_contained = !listening::share_network(std::process::id(), pid);
    let contained = is_contained.then(|| Listeners::in_network_of(pid, address)).flatten();
    contained.ok_or(NoOwner::Elsewhere(address))
}

/// These processes and all that come from them, without tlstax and its own.
fn tree(pids: &[u32]) -> Vec<u32> {
    let ours = tree_of_ourselves();
    let mut all: Vec<u32> = pids.iter().flat_map(|pid| accounting::family(*pid)).collect();
    all.sort_unstable();
    all.dedup();
    all.retain(|pid| !ours.contains(pid));
    all
}

fn tree_of_ourselves() -> Vec<u32> {
    accounting::family(std::process::id())
}

fn is_ancestor(pid: u32) -> bool {
    accounting::ancestors(std::process::id()).contains(&pid)
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn d01_tlstax_and_what_it_comes_from_are_no_part_of_a_server() {
        let ours = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = ours.local_addr().unwrap();
        assert_eq!(Owner::find(address), Err(NoOwner::OnlyOurs(address)));
        for pid in [std::process::id(), std::os::unix::process::parent_id()] {
            let refused = Owner::claimed(address, pid).unwrap_err();
            assert!(matches!(refused, NoOwner::Ourselves { owner: None, .. }), "{refused}");
        }
        assert!(!tree(&[std::os::unix::process::parent_id()]).contains(&std::process::id()));
    }

    #[test]
    fn d01_what_is_not_there_or_elsewhere_has_no_owner() {
        let address = TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap();
        assert_eq!(Owner::find(address), Err(NoOwner::Nothing(address)));
        let elsewhere = "192.0.2.1:443".parse().unwrap();
        assert_eq!(Owner::find(elsewhere), Err(NoOwner::Elsewhere(elsewhere)));
        assert_eq!(Owner::claimed(address, 1 << 23), Err(NoOwner::NoProcess(1 << 23)));
    }
}
