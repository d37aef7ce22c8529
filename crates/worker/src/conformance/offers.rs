//! Whether a client of TLS 1.2 offers what a server of another library needs: RFC 8422 5.1 makes the client's groups also
//! the curves on which a certificate may be. A server of the same library may not look.

use std::io::{self, ErrorKind};

use tlstax_spec::{Key, Params, Side};

use super::checks::{Checks, Miss};
use crate::adapter::Adapter;
use crate::control::CONTROL;
use crate::job::JobError;
use crate::pair::endpoint;
use crate::pipe::Wire;
use crate::pki::Pki;

/// RFC 8446 B.3: the types of a record and of a message.
const HANDSHAKE: u8 = 22;
const CLIENT_HELLO: u8 = 1;

/// RFC 8446 4.2: the extension supported_groups.
const SUPPORTED_GROUPS: [u8; 2] = [0, 10];

pub(super) fn check(checks: &mut Checks<'_>) -> io::Result<()> {
    if checks.hello.family == CONTROL {
        return Ok(());
    }
    let mut tried = Vec::new();
    for params in checks.hello.combinations() {
        let (Some(group), Some(curve)) = (params.group, curve(params.key)) else { continue };
        if params.version.is_tls13() {
            continue;
        }
        // The suite is all the same.
        if tried.contains(&(group, params.key)) {
            continue;
        }
        tried.push((group, params.key));
        checks.check(&format!("offers {group} and the curve of {}", params.key), |adapter, pki| {
            offers(adapter, params, curve, pki)
        })?;
    }
    Ok(())
}

/// The curve of a key, as a group (RFC 8446 4.2.7).
const fn curve(key: Key) -> Option<u16> {
    match key {
        Key::EcdsaP256 => Some(0x0017),
        Key::EcdsaP384 => Some(0x0018),
        _ => None,
    }
}

fn offers(adapter: &dyn Adapter, params: Params, curve: u16, pki: &Pki) -> Result<(), Miss> {
    let config = adapter.config(Side::Client, &endpoint(params, pki)).map_err(JobError::preparing)?;
    let wire = Wire::default();
    let failed = |error: io::Error| Miss::Failed(format!("the client's first flight: {error}"));
    let mut client = config.connect(Box::new(wire.end(Side::Client))).map_err(failed)?;
    match client.handshake() {
        Err(error) if error.kind() == ErrorKind::WouldBlock => {}
        Err(error) => return Err(failed(error)),
        Ok(()) => return Err(Miss::failed("the handshake was complete without a server")),
    }
    match offered_groups(&wire.in_flight(Side::Client)) {
        None => Err(Miss::failed("the client's first flight is no ClientHello with groups")),
        Some(offered) if offered.contains(&curve) => Ok(()),
        Some(offered) => Err(Miss::Failed(format!("the client offers {offered:x?} and not {curve:x}"))),
    }
}

/// The groups of a ClientHello in one record; none if it is something else, or has none (RFC 8446 4.1.2).
fn offered_groups(mut flight: &[u8]) -> Option<Vec<u16>> {
    let header = take(&mut flight, 5)?;
    let kind = take(&mut flight, 1)?;
    if header[0] != HANDSHAKE || kind[0] != CLIENT_HELLO {
        return None;
    }
    let mut hello = vector(&mut flight, 3)?;
    // Version and random, session id, cipher suites, compression methods.
    take(&mut hello, 2 + 32)?;
    for length in [1, 2, 1] {
        vector(&mut hello, length)?;
    }
    let mut extensions = vector(&mut hello, 2)?;
    loop {
        let kind = take(&mut extensions, 2)?;
        let mut data = vector(&mut extensions, 2)?;
        if kind == SUPPORTED_GROUPS {
            let codes = vector(&mut data, 2)?.chunks_exact(2);
            return Some(codes.map(|code| u16::from_be_bytes([code[0], code[1]])).collect());
        }
    }
}

fn take<'a>(rest: &mut &'a [u8], length: usize) -> Option<&'a [u8]> {
    let (taken, after) = rest.split_at_checked(length)?;
    *rest = after;
    Some(taken)
}

/// The next bytes, whose length stands before them in so many bytes.
fn vector<'a>(rest: &mut &'a [u8], width: usize) -> Option<&'a [u8]> {
    let length = take(rest, width)?.iter().fold(0, |length, byte| length << 8 | usize::from(*byte));
    take(rest, length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hello(groups: &[u8]) -> Vec<u8> {
        let count = groups.len() as u8;
        let extensions = [&[0, 23, 0, 0, 0, 10, 0, count + 2, 0, count], groups].concat();
        let head = [&[3, 3][..], &[7; 32], &[0], &[0, 2, 0xc0, 0x2b], &[1, 0]].concat();
        let body = [head, vec![0, extensions.len() as u8], extensions].concat();
        let length = body.len() as u8;
        [vec![22, 3, 1, 0, length + 4, 1, 0, 0, length], body].concat()
    }

    #[test]
    fn d21_the_groups_of_a_client_hello_are_read() {
        assert_eq!(offered_groups(&hello(&[0, 29, 0, 23])), Some(vec![0x001d, 0x0017]));
        assert_eq!(offered_groups(&hello(&[])), Some(Vec::new()));
        let whole = hello(&[0, 29]);
        for end in 0..whole.len() {
            assert_eq!(offered_groups(&whole[..end]), None);
        }
    }
}
