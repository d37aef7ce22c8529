//! Where a record begins in bytes of which that is not known.

use memchr::memmem;

use super::form::{APPLICATION_DATA, CHANGE_CIPHER_SPEC, HANDSHAKE, HEADER, LONGEST};

/// A record of application data of TLS 1.2 and 1.3.
const USUAL: [u8; 3] = [APPLICATION_DATA, 3, 3];

/// A place where a record begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    pub at: usize,
    /// Where it ends shows whether it is one: that is not in these bytes.
    pub is_unsure: bool,
}

/// Where a record begins in a segment: at its beginning, as most do, or where another record or the end of the segment is where it
/// says that it ends; or perhaps where it ends behind the segment.
pub fn find(segment: &[u8]) -> Option<Found> {
    if begins_with_record(segment) {
        return Some(Found { at: 0, is_unsure: false });
    }
    let mut unsure = None;
    for at in memmem::find_iter(segment, &USUAL) {
        match ends_well(&segment[at..]) {
            Some(true) => return Some(Found { at, is_unsure: false }),
            Some(false) => {}
            None => unsure = unsure.or(Some(Found { at, is_unsure: true })),
        }
    }
    unsure
}

/// Only what random bytes hardly are: one in 2^24 is taken for application data.
fn begins_with_record(segment: &[u8]) -> bool {
    match *segment {
        [APPLICATION_DATA, 3, 1..=3, high, low, ..] => is_length(high, low),
        // A hello.
        [HANDSHAKE, 3, 0..=3, high, low, 1 | 2, ..] => is_length(high, low),
        [CHANGE_CIPHER_SPEC, 3, 0..=3, 0, 1, 1, ..] => true,
        _ => false,
    }
}

/// Whether something follows at the end of a record that may; none where that is not to be seen.
fn ends_well(bytes: &[u8]) -> Option<bool> {
    let &[_, _, _, high, low, ..] = bytes else { return Some(false) };
    if !is_length(high, low) {
        return Some(false);
    }
    let next = bytes.get(HEADER + usize::from(u16::from_be_bytes([high, low]))..)?;
    Some(next.is_empty() || begins_with_record(next))
}

fn is_length(high: u8, low: u8) -> bool {
    (1..=LONGEST).contains(&usize::from(u16::from_be_bytes([high, low])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_found_by_where_it_ends() {
        let record = |length: u8| [&[23, 3, 3, 0, length][..], &vec![9; length.into()]].concat();
        let sure = |at| Some(Found { at, is_unsure: false });
        assert_eq!(find(&record(20)), sure(0));
        let behind = [&[1, 23, 3, 3, 255][..], &record(20), &record(30)].concat();
        assert_eq!(find(&behind), sure(5));
        assert_eq!(find(&behind[..behind.len() - 1]), sure(5));
        assert_eq!(find(&[&[1, 2][..], &record(20)].concat()), sure(2));
        let cut = [&[1, 2][..], &record(20)[..10]].concat();
        assert_eq!(find(&cut), Some(Found { at: 2, is_unsure: true }));
        assert_eq!(find(&[]), None);
        assert_eq!(find(b"GET / HTTP/1.1"), None);
    }
}
