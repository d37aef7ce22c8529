//! As much of HPACK (RFC 7541) as it takes to write one request and to read the status of a response.
//!
//! We allow no dynamic table, so every block can be read by itself, and `:status` comes first in it.

use tlstax_spec::Method;

use super::frame::BadFrame;

/// The static table's entries: appendix A.
const AUTHORITY: u8 = 1;
const GET: u8 = 2;
const POST: u8 = 3;
const PATH: u8 = 4;
const HTTP: u8 = 6;
const HTTPS: u8 = 7;
const STATUSES: [u16; 7] = [200, 204, 206, 304, 400, 404, 500];
const STATUS: usize = 8;
const CONTENT_LENGTH: usize = 28;

/// An entry of the table, name and value.
const INDEXED: u8 = 0x80;

/// The name is in the table, the value follows, and nothing is added to the dynamic table.
const LITERAL_BITS: u8 = 4;

/// The header blocks of a load, which never change: no request puts anything into the dynamic table.
pub(crate) struct Requests {
    pub(super) block: Vec<u8>,
    pub(super) has_body: bool,
}

impl Requests {
    /// The head of every request; the body of an upload is written as it goes.
    pub(crate) fn new(host: &str, path: &str, upload: Option<(Method, u32)>, is_tls: bool) -> Self {
        let mut block = request(host, path, upload.map(|(method, _)| method), is_tls);
        if let Some((_, body)) = upload {
            content_length(body, &mut block);
        }
        Self { block, has_body: upload.is_some_and(|(_, body)| body > 0) }
    }
}

/// The pseudo-headers of a request: GET, or one with a body.
fn request(host: &str, path: &str, upload: Option<Method>, is_tls: bool) -> Vec<u8> {
    let mut block = match upload {
        None => vec![INDEXED | GET],
        Some(Method::Post) => vec![INDEXED | POST],
        Some(Method::Put) => {
            let mut block = Vec::new();
            literal(POST.into(), Method::Put.name(), &mut block);
            block
        }
    };
    block.push(INDEXED | if is_tls { HTTPS } else { HTTP });
    if path == "/" {
        block.push(INDEXED | PATH);
    } else {
        literal(PATH.into(), path, &mut block);
    }
    literal(AUTHORITY.into(), host, &mut block);
    block
}

/// The header of a request that has a body.
fn content_length(length: u32, block: &mut Vec<u8>) {
    literal(CONTENT_LENGTH, &length.to_string(), block);
}

fn literal(name: usize, value: &str, block: &mut Vec<u8>) {
    integer(name, LITERAL_BITS, block);
    integer(value.len(), 7, block);
    block.extend_from_slice(value.as_bytes());
}

/// Section 5.1, with zeros in front of the prefix.
fn integer(value: usize, bits: u8, block: &mut Vec<u8>) {
    let most = (1 << bits) - 1;
    if value < most {
        block.push(value as u8);
        return;
    }
    block.push(most as u8);
    let mut rest = value - most;
    while rest >= 128 {
        block.push((rest % 128) as u8 | 0x80);
        rest /= 128;
    }
    block.push(rest as u8);
}

/// The status that a block begins with.
pub(super) fn status(mut block: &[u8]) -> Result<u16, BadFrame> {
    // 001xxxxx: an update of the dynamic table's size.
    while let Some((first, rest)) = block.split_first()
        && first & 0xe0 == 0x20
    {
        (_, block) = read_integer(*first, 5, rest)?;
    }
    let (first, rest) = block.split_first().ok_or(UNREADABLE)?;
    let (name_bits, is_indexed) = match first {
        0x80.. => (7, true),
        0x40.. => (6, false),
        _ => (LITERAL_BITS, false),
    };
    let (index, rest) = read_integer(*first, name_bits, rest)?;
    let at = index.checked_sub(STATUS).filter(|at| *at < STATUSES.len()).ok_or(UNREADABLE)?;
    if is_indexed {
        return Ok(STATUSES[at]);
    }
    let (first, rest) = rest.split_first().ok_or(UNREADABLE)?;
    let (length, rest) = read_integer(*first, 7, rest)?;
    let value = rest.get(..length).ok_or(UNREADABLE)?;
    let is_huffman = first & 0x80 != 0;
    let digits = if is_huffman { huffman_digits(value)? } else { plain_digits(value)? };
    Ok(digits.into_iter().fold(0, |number, digit| number * 10 + u16::from(digit)))
}

const UNREADABLE: BadFrame = BadFrame::Syntax("a response that does not begin with its status");

fn read_integer(first: u8, bits: u8, mut rest: &[u8]) -> Result<(usize, &[u8]), BadFrame> {
    let most = (1 << bits) - 1;
    let mut value = usize::from(first) & most;
    if value < most {
        return Ok((value, rest));
    }
    for shift in [0, 7, 14, 21] {
        let (byte, after) = rest.split_first().ok_or(UNREADABLE)?;
        value += usize::from(byte & 0x7f) << shift;
        rest = after;
        if byte & 0x80 == 0 {
            return Ok((value, rest));
        }
    }
    Err(UNREADABLE)
}

fn plain_digits(value: &[u8]) -> Result<[u8; 3], BadFrame> {
    let digits: [u8; 3] = value.try_into().map_err(|_| UNREADABLE)?;
    let all = digits.iter().all(u8::is_ascii_digit);
    all.then(|| digits.map(|digit| digit - b'0')).ok_or(UNREADABLE)
}

/// Digits in Huffman's code, appendix B: 0 to 2 are five bits of that value, 3 to 9 are six bits of 22 more.
fn huffman_digits(value: &[u8]) -> Result<[u8; 3], BadFrame> {
    let mut bits = value.iter().take(4).fold(0_u64, |bits, byte| (bits << 8) | u64::from(*byte));
    let mut held = value.len().min(4) * 8;
    let mut digits = [0; 3];
    for digit in &mut digits {
        let (code, length) = match held.checked_sub(5).map(|left| (bits >> left) & 0x1f) {
            Some(code @ 0..=2) => (code as u8, 5),
            Some(_) if held >= 6 => {
                let code = (bits >> (held - 6)) & 0x3f;
                let digit = (code as u8).checked_sub(22).filter(|digit| (3..=9).contains(digit));
                (digit.ok_or(UNREADABLE)?, 6)
            }
            _ => return Err(UNREADABLE),
        };
        *digit = code;
        held -= length;
        bits &= (1 << held) - 1;
    }
    Ok(digits)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_status_is_read_in_every_form() {
        for (block, expected) in [
            (&[0x88][..], 200),
            (&[0x8d, 0x00], 404),
            (&[0x20, 0x88], 200),
            (&[0x3f, 0xe1, 0x1f, 0x8e], 500),
            // RFC 7541, C.5.1 and C.6.1: 302; C.6.2: 307.
            (&[0x48, 0x03, 0x33, 0x30, 0x32], 302),
            (&[0x48, 0x82, 0x64, 0x02], 302),
            (&[0x48, 0x83, 0x64, 0x0e, 0xff], 307),
            (&[0x08, 0x03, b'2', b'0', b'0'], 200),
            (&[0x18, 0x03, b'5', b'0', b'3'], 503),
        ] {
            assert_eq!(status(block), Ok(expected), "{block:02x?}");
        }
        for block in
            [&[][..], &[0x20], &[0x82], &[0x48, 0x03, b'2'], &[0x48, 0x01, b'x'], &[0x48, 0x82, 0xff]]
        {
            assert!(status(block).is_err(), "{block:02x?}");
        }
    }

    #[test]
    fn requests_are_those_of_the_standard() {
        // RFC 7541, C.3.1, with the literal that is not indexed.
        let block = request("www.example.com", "/", None, false);
        assert_eq!(block[..5], [0x82, 0x86, 0x84, 0x01, 0x0f]);
        assert_eq!(&block[5..], b"www.example.com");
        // PUT is not in the static table: the name of :method, and the value.
        let block = request("a", "/", Some(Method::Put), true);
        assert_eq!(block[..6], [0x03, 0x03, b'P', b'U', b'T', 0x87]);
        let mut block = Vec::new();
        content_length(42, &mut block);
        assert_eq!(block, [0x0f, 0x0d, 0x02, b'4', b'2']);
        let mut block = Vec::new();
        integer(1337, 5, &mut block);
        assert_eq!(block, [0x1f, 0x9a, 0x0a], "C.1.2");
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_without_harm(bytes in proptest::collection::vec(any::<u8>(), 0..20)) {
            let _ = status(&bytes);
        }

        #[test]
        fn integers_go_both_ways(value in 0_usize..1 << 27, bits in 4_u8..=7) {
            let mut block = Vec::new();
            integer(value, bits, &mut block);
            prop_assert_eq!(read_integer(block[0], bits, &block[1..]), Ok((value, &[][..])));
        }
    }
}
