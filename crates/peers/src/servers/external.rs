//! A server that the user runs already. It is read from outside only; what it serves is its own affair.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs};

use tlstax_measure::listening::is_local;
use tlstax_spec::wire::{Target, Usage};
use tlstax_spec::{Id, Load, Method};

use super::owner::{NoOwner, Owner};
use super::seen::Seen;
use crate::refused::Refused;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct External {
    address: SocketAddr,
    /// The name for SNI and the Host header.
    name: String,
    path: String,
    /// How uploads are sent.
    method: Method,
    /// The processes whose CPU time is read, or why it is left out.
    owner: Result<Owner, String>,
    /// What was seen of it before it is measured.
    seen: Seen,
}

/// Why a server may not be loaded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Consent {
    #[error("'{0}' is no address: write host:port, such as 127.0.0.1:8443")]
    Malformed(String),
    #[error(
        "--path {0:?} is no path of a request: begin it with '/', and write blanks and other letters than those of ASCII as %20 \
         and the like"
    )]
    Path(String),
    #[error(
        "--server-name {0:?} is no name of a host: write letters, digits, dots and hyphens, such as www.example.org"
    )]
    Name(String),
    #[error("cannot find {host}: {problem}")]
    Unknown { host: String, problem: String },
    /// It is another machine, and the user has not said so twice.
    #[error(
        "{0} is not this machine. A load on a server that is not yours, or that others need, is an attack. If it is yours \
         and may be loaded to its limit, say so with --remote {0}"
    )]
    Remote(SocketAddr),
    #[error("--remote {typed} is not the address of --server, {address}; nothing was sent")]
    Different { typed: String, address: SocketAddr },
}

impl External {
    /// A server at `host:port`. One that is not on this machine needs the same address, in numbers, a second time.
    ///
    /// # Errors
    /// There is no such address, or no consent.
    pub fn at(text: &str, remote: Option<&str>) -> Result<Self, Consent> {
        let (host, _) = text
            .rsplit_once(':')
            .filter(|(host, _)| !host.contains('/'))
            .ok_or_else(|| Consent::Malformed(text.to_owned()))?;
        let found = text
            .to_socket_addrs()
            .map_err(|error| Consent::Unknown { host: host.to_owned(), problem: error.to_string() });
        let mut found: Vec<SocketAddr> = found?.collect();
        // A name such as localhost may have addresses of both families; servers are more often found at the older one.
        found.sort_by_key(SocketAddr::is_ipv6);
        let address = found.first().copied().ok_or_else(|| Consent::Malformed(text.to_owned()))?;
        let address = SocketAddr::new(reached(address.ip()), address.port());
        match remote {
            _ if is_local(address.ip()) => {}
            None => return Err(Consent::Remote(address)),
            Some(typed) if typed == address.to_string() => {}
            Some(typed) => return Err(Consent::Different { typed: typed.to_owned(), address }),
        }
        let name = host.trim_matches(['[', ']']);
        let name = if name.parse::<IpAddr>().is_ok() { "server.test" } else { name };
        Ok(Self {
            address,
            name: name.to_owned(),
            path: "/".to_owned(),
            method: Method::default(),
            owner: Err("it was not looked for".to_owned()),
            seen: Seen::default(),
        })
    }

    /// The same server, asked for another path, by another name, with another method.
    ///
    /// # Errors
    /// A path or a name that would be something else in a request.
    pub fn asked(self, path: Option<String>, name: Option<String>, method: Method) -> Result<Self, Consent> {
        let is_visible = |text: &str| text.chars().all(|one| one.is_ascii_graphic());
        if let Some(path) = path.as_ref().filter(|path| !path.starts_with('/') || !is_visible(path)) {
            return Err(Consent::Path(path.clone()));
        }
        let is_name = |text: &str| {
            !text.is_empty()
                && text.chars().all(|one| one.is_ascii_alphanumeric() || matches!(one, '.' | '-' | '_'))
        };
        if let Some(name) = name.as_ref().filter(|name| !is_name(name)) {
            return Err(Consent::Name(name.clone()));
        }
        Ok(Self { path: path.unwrap_or(self.path), name: name.unwrap_or(self.name), method, ..self })
    }

    /// The same server with its processes: those of the one that the user says it is, or those that are found.
    ///
    /// # Errors
    /// The process that the user has named is not the server's.
    pub fn owned_by(self, pid: Option<u32>) -> Result<Self, NoOwner> {
        let owner = match pid {
            Some(pid) => Ok(Owner::claimed(self.address, pid)?),
            None => Owner::find(self.address).map_err(|reason| reason.to_string()),
        };
        Ok(Self { owner, ..self })
    }

    /// The same server with what was seen of it.
    pub fn looked_at(self, seen: Seen) -> Self {
        Self { seen, ..self }
    }

    /// The processes whose CPU time is read, or why it is left out.
    ///
    /// # Errors
    /// Why the processes are not known.
    pub fn owner(&self) -> Result<&Owner, &str> {
        self.owner.as_ref().map_err(String::as_str)
    }

    /// What to do about a load that the server does not answer; none where what was seen says nothing of it.
    pub fn advice(&self, load: &Load) -> Option<String> {
        self.seen.advice(load)
    }

    pub fn id(&self) -> Id {
        let id = format!("server-at-{}", self.address).try_into();
        id.unwrap_or_else(|error| unreachable!("addresses are digits, dots, colons, brackets: {error}"))
    }

    /// The address, where it is that of another machine: the consent that a client is started with.
    pub fn consent(&self) -> Option<String> {
        let ip = self.address.ip();
        (!is_local(ip)).then(|| ip.to_string())
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    pub fn path(&self) -> &str {
        &self.path
    }

    /// How the client reaches it, and what it asks for.
    pub fn target(&self) -> Target {
        let (name, path) = (self.name.clone(), self.path.clone());
        Target { address: self.address.ip().to_string(), name, path, method: self.method }
    }

    /// The CPU time of its processes, nothing where they are not known; it counts nothing for us.
    ///
    /// # Errors
    /// They are not the server's any more.
    pub fn read(&self) -> Result<Usage, Refused> {
        self.owner.as_ref().map_or_else(|_| Ok(Usage::default()), Owner::read)
    }
}

/// Where connections to an address go: to 0.0.0.0 and :: they go to loopback, and an IPv4 address is one in IPv6 too.
fn reached(ip: IpAddr) -> IpAddr {
    match ip.to_canonical() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    }
}

#[cfg(test)]
mod tests {
    use std::net::UdpSocket;

    use super::*;

    #[test]
    fn loopback_needs_no_consent() {
        for text in ["127.0.0.1:8443", "localhost:8443", "[::1]:8443"] {
            let server = External::at(text, None).unwrap();
            assert_eq!((server.address().port(), server.consent()), (8443, None));
        }
        let server = External::at("127.0.0.1:8443", None).unwrap();
        assert_eq!(
            (server.target().name, server.id()),
            ("server.test".to_owned(), Id::literal("server-at-127.0.0.1:8443"))
        );
    }

    #[test]
    fn another_machine_must_be_named_twice() {
        let at = |remote| External::at("192.0.2.1:443", remote);
        assert!(at(None).unwrap_err().to_string().contains("--remote 192.0.2.1:443"));
        assert!(at(Some("yes")).unwrap_err().to_string().contains("nothing was sent"));
        assert_eq!(at(Some("192.0.2.1:443")).unwrap().consent(), Some("192.0.2.1".to_owned()));
    }

    #[test]
    fn what_is_no_address_is_refused() {
        assert!(matches!(External::at("443", None), Err(Consent::Malformed(_))));
        assert!(matches!(External::at("server.invalid:443", None), Err(Consent::Unknown { .. })));
    }

    #[test]
    fn d30_an_address_of_this_machine_needs_no_consent() {
        // Which one it has, a route to anywhere tells; nothing is sent.
        let socket = UdpSocket::bind(("0.0.0.0", 0)).unwrap();
        if socket.connect(("192.0.2.1", 9)).is_ok() {
            let own = SocketAddr::new(socket.local_addr().unwrap().ip(), 8443);
            assert_eq!(External::at(&own.to_string(), None).unwrap().consent(), None);
        }
        // To these, connections go to loopback.
        for (text, address) in [
            ("0.0.0.0:8443", "127.0.0.1:8443"),
            ("[::]:8443", "[::1]:8443"),
            ("[::ffff:127.0.0.1]:8443", "127.0.0.1:8443"),
        ] {
            assert_eq!(External::at(text, None).unwrap().address().to_string(), address);
        }
        assert!(matches!(External::at("[::ffff:192.0.2.1]:443", None), Err(Consent::Remote(_))));
    }

    #[test]
    fn d24_a_server_whose_processes_are_not_known_has_a_reason_and_no_cpu_time() {
        let server = External::at("192.0.2.1:443", Some("192.0.2.1:443")).unwrap().owned_by(None).unwrap();
        assert!(server.owner().unwrap_err().contains("another machine"));
        assert_eq!(server.read().unwrap().cpu_ns.0, 0);
    }
}
