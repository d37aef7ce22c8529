//! Whose a listening port is: what answers on a port need not be the server that was started for it.

use std::collections::HashSet;
use std::fs;

use crate::accounting;

/// The state of a socket that listens, as proc_net_tcp(5) writes it.
const LISTEN: &str = "0A";

/// The state of a connection that neither side has closed.
const ESTABLISHED: &str = "01";

/// Whether one of these processes listens on a TCP port; none if the system does not let us see.
pub fn is_held_by(port: u16, pids: &[u32]) -> Option<bool> {
    let read = |file| fs::read_to_string(file).unwrap_or_default();
    let mut sockets = listeners(&read("/proc/net/tcp"), port);
    sockets.extend(listeners(&read("/proc/net/tcp6"), port));
    if sockets.is_empty() {
        return None;
    }
    let mut is_blind = false;
    for pid in pids {
        let Ok(files) = fs::read_dir(format!("/proc/{pid}/fd")) else {
            // One that has ended holds nothing.
            is_blind |= accounting::is_alive(*pid);
            continue;
        };
        let mut links = files.filter_map(|file| fs::read_link(file.ok()?.path()).ok());
        if links.any(|link| link.to_str().and_then(inode).is_some_and(|one| sockets.contains(&one))) {
            return Some(true);
        }
    }
    (!is_blind).then_some(false)
}

/// The ports of clients that have a connection open to a TCP port of this machine; none if the system does not let us see.
pub fn clients(port: u16) -> HashSet<u16> {
    let read = |file| fs::read_to_string(file).unwrap_or_default();
    let mut found = connected(&read("/proc/net/tcp"), port);
    found.extend(connected(&read("/proc/net/tcp6"), port));
    found
}

/// The ports at the other end of the connections of a port.
fn connected(table: &str, port: u16) -> HashSet<u16> {
    let of_line = |line: &str| {
        let fields: Vec<&str> = line.split_ascii_whitespace().collect();
        let end = |at: usize| u16::from_str_radix(fields.get(at)?.rsplit_once(':')?.1, 16).ok();
        let is_it = end(1) == Some(port) && fields.get(3) == Some(&ESTABLISHED);
        end(2).filter(|_| is_it)
    };
    table.lines().filter_map(of_line).collect()
}

/// The inodes of the sockets that listen on a port.
fn listeners(table: &str, port: u16) -> HashSet<u64> {
    let of_line = |line: &str| {
        let fields: Vec<&str> = line.split_ascii_whitespace().collect();
        let (_, local) = fields.get(1)?.rsplit_once(':')?;
        let is_it = u16::from_str_radix(local, 16) == Ok(port) && fields.get(3) == Some(&LISTEN);
        fields.get(9)?.parse().ok().filter(|_| is_it)
    };
    table.lines().filter_map(of_line).collect()
}

/// The inode in what a descriptor of a socket links to.
fn inode(link: &str) -> Option<u64> {
    link.strip_prefix("socket:[")?.strip_suffix(']')?.parse().ok()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn a_port_is_known_by_who_listens_on_it() {
        let ours = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = ours.local_addr().unwrap().port();
        assert_eq!(is_held_by(port, &[std::process::id()]), Some(true));
        assert_eq!(is_held_by(port, &[]), Some(false));
        assert_eq!(is_held_by(port, &[1 << 23]), Some(false));
        drop(ours);
        assert_eq!(is_held_by(port, &[std::process::id()]), None);
    }

    #[test]
    fn only_listening_sockets_count() {
        let table = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n\
             0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 77 1 0 100 0 0 10 0\n\
             1: 0100007F:1F90 0100007F:C350 01 00000000:00000000 00:00000000 00000000     0        0 78 1 0 20 4 30 10 -1\n";
        assert_eq!(listeners(table, 8080), HashSet::from([77]));
        assert_eq!(listeners(table, 80), HashSet::new());
        assert_eq!(connected(table, 8080), HashSet::from([50000]));
        assert_eq!(connected(table, 80), HashSet::new());
    }
}
