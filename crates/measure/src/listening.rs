//! Whose a listening socket is: what answers at an address need not be the server that is meant.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};

use crate::accounting;

/// The state of a socket that listens, as proc_net_tcp(5) writes it.
const LISTEN: &str = "0A";

/// The state of a connection that neither side has closed.
const ESTABLISHED: &str = "01";

/// The sockets that take the connections to one address, by their inodes. Several where they share it: socket(7),
/// SO_REUSEPORT.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listeners(BTreeSet<u64>);

/// Who has a socket open, as far as the system lets us see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holders {
    pub pids: Vec<u32>,
    /// Whether each socket has one of them: otherwise others do that may not be looked at.
    pub is_complete: bool,
}

impl Listeners {
    /// Those of this process's own network.
    pub fn at(address: SocketAddr) -> Self {
        Self::in_tables("/proc/net", address)
    }

    /// Those of the network that a process is in, such as a container's; none where the address is not one of that network,
    /// or the process is gone.
    pub fn in_network_of(pid: u32, address: SocketAddr) -> Option<Self> {
        let folder = format!("/proc/{pid}/net");
        let is_there = has_address(&folder, address.ip().to_canonical());
        is_there.then(|| Self::in_tables(&folder, address))
    }

    fn in_tables(folder: &str, address: SocketAddr) -> Self {
        let read = |file| fs::read_to_string(format!("{folder}/{file}")).unwrap_or_default();
        Self::among(&[listening(&read("tcp")), listening(&read("tcp6"))].concat(), address)
    }

    /// As the kernel looks them up: a socket that is bound to the address itself goes before one that is bound to all
    /// addresses, and one of the address's own family before one of both.
    fn among(all: &[Listening], address: SocketAddr) -> Self {
        let ip = address.ip().to_canonical();
        let of = |bound: IpAddr| -> BTreeSet<u64> {
            let is_it = |one: &&Listening| one.address == SocketAddr::new(bound, address.port());
            all.iter().filter(is_it).map(|one| one.inode).collect()
        };
        let mapped = match ip {
            IpAddr::V4(ip) => IpAddr::V6(ip.to_ipv6_mapped()),
            IpAddr::V6(_) => ip,
        };
        let exact = &of(ip) | &of(mapped);
        let wildcards: &[IpAddr] = match ip {
            IpAddr::V4(_) => &[IpAddr::V4(Ipv4Addr::UNSPECIFIED), IpAddr::V6(Ipv6Addr::UNSPECIFIED)],
            IpAddr::V6(_) => &[IpAddr::V6(Ipv6Addr::UNSPECIFIED)],
        };
        let found = [exact].into_iter().chain(wildcards.iter().map(|any| of(*any)));
        Self(found.into_iter().find(|found| !found.is_empty()).unwrap_or_default())
    }

    /// Whether nothing listens, as far as can be seen.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether these processes have all of the sockets open; none if the system does not let us see.
    pub fn are_held_by(&self, pids: &[u32]) -> Option<bool> {
        if self.is_empty() {
            return None;
        }
        let mut is_blind = false;
        let mut left = self.0.clone();
        for pid in pids {
            match sockets_of(*pid) {
                Some(open) => left.retain(|inode| !open.contains(inode)),
                // One that has ended holds nothing.
                None => is_blind |= accounting::is_alive(*pid),
            }
        }
        if left.is_empty() { Some(true) } else { (!is_blind).then_some(false) }
    }

    /// Every process that has one of the sockets open.
    pub fn holders(&self) -> Holders {
        let mut left = self.0.clone();
        let mut pids = accounting::all();
        pids.retain(|pid| {
            let open = sockets_of(*pid).unwrap_or_default();
            left.retain(|inode| !open.contains(inode));
            !open.is_disjoint(&self.0.iter().copied().collect())
        });
        pids.sort_unstable();
        Holders { pids, is_complete: left.is_empty() }
    }
}

/// Whether packets to an address stay on this machine: it is loopback, or an address of one of its interfaces. Nothing is
/// sent. Whether something here passes them on to another machine cannot be seen.
pub fn is_local(ip: IpAddr) -> bool {
    let ip = ip.to_canonical();
    if ip.is_loopback() {
        return true;
    }
    let any: SocketAddr = match ip {
        IpAddr::V4(_) => (Ipv4Addr::UNSPECIFIED, 0).into(),
        IpAddr::V6(_) => (Ipv6Addr::UNSPECIFIED, 0).into(),
    };
    // Connecting a datagram socket only asks for a route, and the source address to a machine's own address is that address.
    // Binding to it would not do: net.ipv4.ip_nonlocal_bind allows that for others.
    let source = UdpSocket::bind(any).and_then(|socket| {
        socket.connect((ip, 9))?;
        socket.local_addr()
    });
    source.is_ok_and(|source| source.ip() == ip)
}

/// Whether two processes are in the same network.
pub fn share_network(a: u32, b: u32) -> bool {
    let network = |pid| fs::read_link(format!("/proc/{pid}/ns/net")).ok();
    // Where this may not be seen, as good as always there is only one.
    network(a).zip(network(b)).is_none_or(|(a, b)| a == b)
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
    let port_of = |end: &str| u16::from_str_radix(end.rsplit_once(':')?.1, 16).ok();
    let ours = rows(table, ESTABLISHED).filter(|row| port_of(row[1]) == Some(port));
    ours.filter_map(|row| port_of(row[2])).collect()
}

/// The fields of the sockets of a table that are in a state, which is the fourth.
fn rows<'a>(table: &'a str, state: &str) -> impl Iterator<Item = Vec<&'a str>> {
    let rows = table.lines().map(|line| line.split_ascii_whitespace().collect::<Vec<_>>());
    rows.filter(move |row| row.get(3).is_some_and(|found| *found == state))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Listening {
    address: SocketAddr,
    inode: u64,
}

fn listening(table: &str) -> Vec<Listening> {
    let of_row = |row: Vec<&str>| {
        let (ip, port) = row[1].rsplit_once(':')?;
        let address = SocketAddr::new(ip_of(ip)?, u16::from_str_radix(port, 16).ok()?);
        Some(Listening { address, inode: row.get(9)?.parse().ok()? })
    };
    rows(table, LISTEN).filter_map(of_row).collect()
}

/// An address as the kernel prints it: words of 32 bits, each in the byte order of the machine.
fn ip_of(hex: &str) -> Option<IpAddr> {
    let mut bytes = Vec::new();
    for at in (0..hex.len()).step_by(8) {
        let word = u32::from_str_radix(hex.get(at..at + 8)?, 16).ok()?;
        bytes.extend(word.to_ne_bytes());
    }
    let v4 = |bytes: &[u8]| Some(IpAddr::from(<[u8; 4]>::try_from(bytes).ok()?));
    v4(&bytes).or_else(|| Some(IpAddr::from(<[u8; 16]>::try_from(bytes).ok()?)))
}

/// Whether an address is one of a network's own, by its tables of routes and interfaces.
fn has_address(folder: &str, ip: IpAddr) -> bool {
    let read = |file| fs::read_to_string(format!("{folder}/{file}")).unwrap_or_default();
    match ip {
        IpAddr::V4(_) => is_local_route(&read("fib_trie"), &ip.to_string()),
        IpAddr::V6(ip) => {
            let hex: String = ip.octets().iter().map(|byte| format!("{byte:02x}")).collect();
            read("if_inet6").lines().any(|line| line.starts_with(&hex))
        }
    }
}

/// In the tree of routes, what kind of route an address has stands in the line behind it.
fn is_local_route(trie: &str, ip: &str) -> bool {
    let leaf = format!("|-- {ip}");
    let lines: Vec<&str> = trie.lines().map(str::trim).collect();
    lines.windows(2).any(|pair| pair[0] == leaf && pair[1].ends_with("host LOCAL"))
}

/// The inodes of the sockets that a process has open; none if they may not be seen.
fn sockets_of(pid: u32) -> Option<HashSet<u64>> {
    let files = fs::read_dir(format!("/proc/{pid}/fd")).ok()?;
    let links = files.filter_map(|file| fs::read_link(file.ok()?.path()).ok());
    Some(links.filter_map(|link| link.to_str().and_then(inode)).collect())
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

    const NOBODY: u32 = 1 << 23;

    #[test]
    fn a_socket_is_known_by_who_has_it_open() {
        let ours = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = ours.local_addr().unwrap();
        let listeners = Listeners::at(address);
        assert_eq!(listeners.are_held_by(&[NOBODY, std::process::id()]), Some(true));
        assert_eq!(listeners.are_held_by(&[]), Some(false));
        assert_eq!(listeners.are_held_by(&[NOBODY]), Some(false));
        assert!(listeners.holders().is_complete);
        assert!(listeners.holders().pids.contains(&std::process::id()));
        drop(ours);
        assert!(Listeners::at(address).is_empty());
        assert_eq!(Listeners::at(address).are_held_by(&[std::process::id()]), None);
    }

    #[test]
    fn d01_the_same_port_of_another_address_is_another_socket() {
        let ours = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = ours.local_addr().unwrap().port();
        assert!(Listeners::at((Ipv4Addr::new(127, 0, 0, 2), port).into()).is_empty());
        assert!(Listeners::at((Ipv6Addr::LOCALHOST, port).into()).is_empty());
    }

    #[test]
    fn d01_an_ipv6_wildcard_takes_what_nobody_else_takes() {
        let Ok(ours) = TcpListener::bind(("::", 0)) else { return };
        let port = ours.local_addr().unwrap().port();
        let at = |ip: IpAddr| Listeners::at(SocketAddr::new(ip, port));
        let all = at(Ipv4Addr::LOCALHOST.into());
        assert_eq!(all.are_held_by(&[std::process::id()]), Some(true));
        assert_eq!(at(Ipv6Addr::LOCALHOST.into()), all);
    }

    #[test]
    fn d01_a_socket_of_the_address_itself_goes_before_one_of_all() {
        let at = |text: &str, inode| Listening { address: text.parse().unwrap(), inode };
        let all = [
            at("127.0.0.1:443", 1),
            at("127.0.0.1:443", 2),
            at("0.0.0.0:443", 3),
            at("[::]:443", 4),
            at("[::]:80", 5),
        ];
        let found = |text: &str| Listeners::among(&all, text.parse().unwrap()).0;
        assert_eq!(found("127.0.0.1:443"), BTreeSet::from([1, 2]));
        assert_eq!(found("127.0.0.2:443"), BTreeSet::from([3]));
        assert_eq!(found("[::1]:443"), BTreeSet::from([4]));
        assert_eq!(found("127.0.0.1:80"), BTreeSet::from([5]));
        assert_eq!(found("127.0.0.1:81"), BTreeSet::new());
    }

    #[test]
    fn d30_an_address_is_local_if_it_is_one_of_the_machines_own() {
        for ip in ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"] {
            assert!(is_local(ip.parse().unwrap()), "{ip}");
        }
        // Set aside for documents: RFC 5737, RFC 3849.
        for ip in ["192.0.2.1", "2001:db8::1", "255.255.255.255", "224.0.0.1"] {
            assert!(!is_local(ip.parse().unwrap()), "{ip}");
        }
        let own = UdpSocket::bind(("0.0.0.0", 0)).and_then(|socket| {
            socket.connect(("192.0.2.1", 9))?;
            socket.local_addr()
        });
        if let Ok(own) = own {
            assert!(is_local(own.ip()), "{own}");
            assert!(has_address("/proc/net", own.ip()), "{own}");
        }
    }

    #[test]
    fn addresses_of_a_network_stand_in_its_tables() {
        assert!(has_address("/proc/self/net", Ipv4Addr::LOCALHOST.into()));
        assert!(!has_address("/proc/self/net", Ipv4Addr::new(192, 0, 2, 1).into()));
        assert!(share_network(std::process::id(), std::process::id()));
    }

    #[test]
    fn only_listening_sockets_count() {
        let table = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n\
             0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 77 1 0 100 0 0 10 0\n\
             1: 0100007F:1F90 0100007F:C350 01 00000000:00000000 00:00000000 00000000     0        0 78 1 0 20 4 30 10 -1\n";
        let address = SocketAddr::new(ip_of("0100007F").unwrap(), 8080);
        assert_eq!(listening(table), [Listening { address, inode: 77 }]);
        assert_eq!(connected(table, 8080), HashSet::from([50000]));
        assert_eq!(connected(table, 80), HashSet::new());
        assert_eq!(ip_of("00000000000000000000000001000000"), Some(Ipv6Addr::LOCALHOST.into()));
    }
}
