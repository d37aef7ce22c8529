//! Where a record begins in bytes of which that is not known.

use memchr::memmem;

use super::{APPLICATION_DATA, CHANGE_CIPHER_SPEC, HANDSHAKE, HEADER, LONGEST};

/// A record of application data of TLS 1.2 and 1.3.
const USUAL: [u8; 3] = [APPLICATION_DATA, 3, 3];

/// Where a record begins in a segment: at its beginning, as most do, or where another record or the end of the segment is where it
/// says that it ends.
pub fn find(segment: &[u8]) -> Option<usize> {
    if begins_with_record(segment) {
        return Some(0);
    }
    memmem::find_iter(segment, &USUAL).find(|at| ends_well(&segment[*at..]))
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

fn ends_well(bytes: &[u8]) -> bool {
    let &[_, _, _, high, low, ..] = bytes else { return false };
    let end = HEADER + usize::from(u16::from_be_bytes([high, low]));
    is_length(high, low)
        && match bytes.get(end..) {
            Some([]) => true,
            Some(next) => next.len() >= HEADER && begins_with_record(next),
            None => false,
        }
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
        assert_eq!(find(&record(20)), Some(0));
        let behind = [&[1, 23, 3, 3, 200][..], &record(20), &record(30)].concat();
        assert_eq!(find(&behind), Some(5));
        assert_eq!(find(&behind[..behind.len() - 1]), Some(5));
        assert_eq!(find(&[&[1, 2][..], &record(20)].concat()), Some(2));
        assert_eq!(find(&[&[1, 2][..], &record(20)[..10]].concat()), None);
        assert_eq!(find(&[]), None);
        assert_eq!(find(b"GET / HTTP/1.1"), None);
    }
}
