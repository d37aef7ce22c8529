//! Whom the client may load, and how hard: it must not be turned against others by accident.
//!
//! A server whose address is not one of this machine's is loaded only if `TLSTAX_REMOTE` is its address, exactly. New connections per
//! second have a ceiling, high for this machine and low for others, which only `TLSTAX_CONNECTION_RATE` raises.

use std::env;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use rustix::process::{Resource, getrlimit};
use tlstax_measure::listening::is_local;
use tlstax_spec::Stage;
use tlstax_spec::wire::Target;
use tlstax_worker::{JobError, Refusal};

/// The address of a server elsewhere, typed once more.
const REMOTE: &str = "TLSTAX_REMOTE";

/// New connections per second.
const CONNECTION_RATE: &str = "TLSTAX_CONNECTION_RATE";

/// One connection in so many is verified in full.
const VERIFY_SAMPLE: &str = "TLSTAX_VERIFY_SAMPLE";

/// More than any server's machine can accept, as a brake on loops gone wild.
const LOCAL_RATE: u64 = 200_000;

/// A small server at the other end survives it.
const REMOTE_RATE: u64 = 1_000;

/// Rare enough to cost little, frequent enough that a wrong signature does not pass a run.
const ONE_IN: u64 = 1_000;

/// Files that a worker has open beside connections.
const SPARE_FILES: u64 = 32;

/// Where the load goes: to tlstax's own server, or to one that the user has named.
///
/// # Errors
/// It is not on this machine and nobody has consented.
pub(crate) fn address(target: Option<&Target>, port: u16) -> Result<SocketAddr, Refusal> {
    let Some(target) = target else { return Ok((Ipv4Addr::LOCALHOST, port).into()) };
    let address: IpAddr = target
        .address
        .parse()
        .map_err(|_| Refusal::Failed(format!("{} is no IP address", target.address)))?;
    let consent = env::var(REMOTE).ok();
    match is_local(address) || consent.as_deref() == Some(&target.address) {
        true => Ok((address, port).into()),
        false => Err(Refusal::Unsupported(format!(
            "{address} is not on this machine, and to load a server that is not yours is an attack: if it is yours, set \
             {REMOTE}={}",
            target.address
        ))),
    }
}

/// New connections per second of the whole load.
///
/// # Errors
/// The environment variable is no number.
pub(crate) fn connection_rate(address: &SocketAddr) -> Result<u64, JobError> {
    let usual = if is_local(address.ip()) { LOCAL_RATE } else { REMOTE_RATE };
    number(CONNECTION_RATE, usual, 1)
}

/// One connection in so many is verified; 0 is none.
///
/// # Errors
/// The environment variable is no number.
pub(crate) fn verify_sample() -> Result<u64, JobError> {
    number(VERIFY_SAMPLE, ONE_IN, 0)
}

fn number(variable: &str, usual: u64, least: u64) -> Result<u64, JobError> {
    match env::var(variable) {
        Err(_) => Ok(usual),
        Ok(value) => value.parse().ok().filter(|number| *number >= least).ok_or_else(|| {
            let message = format!("{variable}={value} is not a whole number from {least} on");
            JobError::failed(Stage::Prepare, message)
        }),
    }
}

/// Whether so many connections can be open at once: said before the load and not in the middle.
///
/// # Errors
/// They cannot; with the remedy.
pub(crate) fn check_limits(connections: u64) -> Result<(), JobError> {
    let failed = |message: String| Err(JobError::failed(Stage::Prepare, message));
    let files = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    if connections.saturating_add(SPARE_FILES) > files {
        return failed(format!(
            "{connections} connections need more than the {files} open files that are allowed: raise the limit with \
             `ulimit -n`"
        ));
    }
    let ports = ports();
    if connections > ports {
        return failed(format!(
            "{connections} connections to one port of one address need more than the {ports} local ports that there \
             are: widen net.ipv4.ip_local_port_range"
        ));
    }
    Ok(())
}

/// Ports that connections are given; as many as there can be where the system does not say.
fn ports() -> u64 {
    let range = std::fs::read_to_string("/proc/sys/net/ipv4/ip_local_port_range").unwrap_or_default();
    let mut ends = range.split_whitespace().map(|end| end.parse::<u64>().ok());
    match (ends.next().flatten(), ends.next().flatten()) {
        (Some(first), Some(last)) => last.saturating_sub(first) + 1,
        _ => u64::from(u16::MAX),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::net::UdpSocket;

    use super::*;
    use crate::tests::target;

    fn asked(address: &str) -> Result<SocketAddr, Refusal> {
        super::address(Some(&target(address)), 443)
    }

    #[test]
    fn only_this_machine_is_loaded_without_consent() {
        assert_eq!(asked("127.0.0.9").unwrap().to_string(), "127.0.0.9:443");
        assert_eq!(asked("::1").unwrap().to_string(), "[::1]:443");
        let refused = asked("192.0.2.1").unwrap_err().to_string();
        assert!(refused.contains("TLSTAX_REMOTE=192.0.2.1"), "{refused}");
        assert!(matches!(asked("192.0.2.1"), Err(Refusal::Unsupported(_))));
        assert!(asked("localhost").is_err());
    }

    #[test]
    fn d30_an_address_of_this_machine_is_this_machine() {
        // Which one it has, a route to anywhere tells; nothing is sent.
        let socket = UdpSocket::bind(("0.0.0.0", 0)).unwrap();
        if socket.connect(("192.0.2.1", 9)).is_ok() {
            let own = socket.local_addr().unwrap().ip();
            let address = asked(&own.to_string()).unwrap();
            assert_eq!(connection_rate(&address).unwrap(), LOCAL_RATE);
        }
        assert_eq!(connection_rate(&"192.0.2.1:443".parse().unwrap()).unwrap(), REMOTE_RATE);
    }

    #[test]
    fn limits_are_told_beforehand_with_their_remedy() {
        check_limits(1).unwrap();
        let error = check_limits(u64::MAX).unwrap_err().to_string();
        assert!(error.contains("ulimit -n"), "{error}");
    }
}
