//! A server that the user runs already. It is read from outside only; what it serves is its own affair.

use std::net::{IpAddr, SocketAddr, ToSocketAddrs};

use tlstax_measure::accounting;
use tlstax_spec::Id;
use tlstax_spec::wire::{Target, Usage};

use crate::session::Refused;

/// A server that the user has named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct External {
    address: SocketAddr,
    /// The name for SNI and the Host header.
    name: String,
    /// What is asked for.
    path: String,
    /// The process whose CPU time is read, with all that come from it; none leaves the server's CPU time out.
    pid: Option<u32>,
}

/// Why a server may not be loaded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Consent {
    /// Not `host:port`.
    #[error("'{0}' is no address: write host:port, such as 127.0.0.1:8443")]
    Malformed(String),
    /// The name is not known.
    #[error("cannot find {host}: {problem}")]
    Unknown {
        /// The name.
        host: String,
        /// What the system says.
        problem: String,
    },
    /// It is another machine, and the user has not said so twice.
    #[error(
        "{0} is not this machine. A load on a server that is not yours, or that others need, is an attack. If it is yours \
         and may be loaded to its limit, say so with --remote {0}"
    )]
    Remote(SocketAddr),
    /// The address was typed twice, and not alike.
    #[error("--remote {typed} is not the address of --server, {address}; nothing was sent")]
    Different {
        /// After `--remote`.
        typed: String,
        /// Of the server.
        address: SocketAddr,
    },
}

impl External {
    /// A server at `host:port`. One that is not on loopback needs the same address, in numbers, a second time.
    ///
    /// # Errors
    /// There is no such address, or no consent.
    pub fn at(text: &str, remote: Option<&str>, pid: Option<u32>) -> Result<Self, Consent> {
        let (host, _) = text.rsplit_once(':').ok_or_else(|| Consent::Malformed(text.to_owned()))?;
        let found = text
            .to_socket_addrs()
            .map_err(|error| Consent::Unknown { host: host.to_owned(), problem: error.to_string() });
        let mut found: Vec<SocketAddr> = found?.collect();
        // A name such as localhost may have addresses of both families; servers are more often found at the older one.
        found.sort_by_key(SocketAddr::is_ipv6);
        let address = found.first().copied().ok_or_else(|| Consent::Malformed(text.to_owned()))?;
        match remote {
            _ if address.ip().is_loopback() => {}
            None => return Err(Consent::Remote(address)),
            Some(typed) if typed == address.to_string() => {}
            Some(typed) => return Err(Consent::Different { typed: typed.to_owned(), address }),
        }
        let name = host.trim_matches(['[', ']']);
        let name = if name.parse::<IpAddr>().is_ok() { "server.test" } else { name };
        Ok(Self { address, name: name.to_owned(), path: "/".to_owned(), pid })
    }

    /// The same server, asked for another path, by another name.
    pub fn asked(self, path: Option<String>, name: Option<String>) -> Self {
        Self { path: path.unwrap_or(self.path), name: name.unwrap_or(self.name), ..self }
    }

    /// What results call it.
    pub fn id(&self) -> Id {
        let id = format!("server-at-{}", self.address).try_into();
        id.unwrap_or_else(|error| unreachable!("addresses are digits, dots, colons, brackets: {error}"))
    }

    /// The address, where it is that of another machine: the consent that a client is started with.
    pub fn consent(&self) -> Option<String> {
        let ip = self.address.ip();
        (!ip.is_loopback()).then(|| ip.to_string())
    }

    /// The port.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// The process whose CPU time is read.
    pub fn pid(&self) -> Option<u32> {
        self.pid
    }

    /// What the client is told.
    pub fn target(&self) -> Target {
        Target { address: self.address.ip().to_string(), name: self.name.clone(), path: self.path.clone() }
    }

    /// The CPU time of its processes; it counts nothing for us.
    ///
    /// # Errors
    /// There is no such process.
    pub fn read(&self) -> Result<Usage, Refused> {
        let Some(pid) = self.pid else { return Ok(Usage::default()) };
        let cpu = accounting::together(&accounting::family(pid));
        let cpu = cpu.map_err(|error| Refused::failed("run", error.to_string()))?;
        let (user_ns, system_ns) = (cpu.user.unwrap_or_default(), cpu.system.unwrap_or_default());
        Ok(Usage { cpu_ns: cpu.total, user_ns, system_ns, ..Usage::default() })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn loopback_needs_no_consent() {
        for text in ["127.0.0.1:8443", "localhost:8443", "[::1]:8443"] {
            let server = External::at(text, None, None).unwrap();
            assert_eq!((server.port(), server.consent()), (8443, None));
        }
        let server = External::at("127.0.0.1:8443", None, None).unwrap();
        assert_eq!(
            (server.target().name, server.id()),
            ("server.test".to_owned(), Id::literal("server-at-127.0.0.1:8443"))
        );
    }

    #[test]
    fn another_machine_must_be_named_twice() {
        let at = |remote| External::at("192.0.2.1:443", remote, None);
        assert!(at(None).unwrap_err().to_string().contains("--remote 192.0.2.1:443"));
        assert!(at(Some("yes")).unwrap_err().to_string().contains("nothing was sent"));
        assert_eq!(at(Some("192.0.2.1:443")).unwrap().consent(), Some("192.0.2.1".to_owned()));
    }

    #[test]
    fn what_is_no_address_is_refused() {
        assert!(matches!(External::at("443", None, None), Err(Consent::Malformed(_))));
        assert!(matches!(External::at("server.invalid:443", None, None), Err(Consent::Unknown { .. })));
    }

    #[test]
    fn our_own_cpu_time_is_read() {
        let server = External::at("127.0.0.1:1", None, Some(std::process::id())).unwrap();
        assert!(server.read().unwrap().cpu_ns.0 > 0);
        assert!(External::at("127.0.0.1:1", None, Some(1 << 23)).unwrap().read().is_err());
    }
}
