//! What becomes of archives that are whole, put together, cut or damaged.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::*;

const TEXT: &[u8] = b"one\ntwo\nthree\n";

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

/// A frame of zstd with one block that is not compressed (RFC 8878, 3.1.1): small enough to be written by hand.
fn zstd(text: &[u8]) -> Vec<u8> {
    let length = u8::try_from(text.len()).unwrap();
    // A single segment, whose length is one byte.
    let mut frame = [ZSTD.as_slice(), &[0x20, length]].concat();
    let block = (u32::from(length) << 3) | 1;
    frame.extend_from_slice(&block.to_le_bytes()[..3]);
    [frame.as_slice(), text].concat()
}

/// What comes out, and how it ends.
fn unpacked(archive: &[u8]) -> (Vec<u8>, Option<io::ErrorKind>) {
    let packing = Packing::of(archive).unwrap();
    let mut out = Vec::new();
    let result = packing.unpack(archive).unwrap().read_to_end(&mut out);
    (out, result.err().map(|error| error.kind()))
}

#[test]
fn archives_put_together_are_one_text() {
    let twice = [TEXT, TEXT].concat();
    for pack in [gzip, zstd] {
        let archive = pack(TEXT);
        assert_eq!(unpacked(&archive), (TEXT.to_vec(), None));
        assert_eq!(unpacked(&[archive.clone(), archive].concat()), (twice.clone(), None));
    }
    assert_eq!(Packing::of(TEXT), None);
}

#[test]
fn an_archive_ends_with_what_was_wrong_with_it() {
    for pack in [gzip, zstd] {
        let archive = pack(TEXT);
        let (_, end) = unpacked(&archive[..archive.len() - 5]);
        assert_eq!(end, Some(io::ErrorKind::UnexpectedEof));
        let (out, end) = unpacked(&[archive.as_slice(), b"something else"].concat());
        assert_eq!((out.as_slice(), end), (TEXT, Some(io::ErrorKind::InvalidData)));
    }
    let mut damaged = gzip(TEXT);
    let middle = damaged.len() / 2;
    damaged[middle] ^= 0xff;
    assert_eq!(unpacked(&damaged).1, Some(io::ErrorKind::InvalidData));
}

#[test]
fn what_only_fills_an_archive_is_left_out() {
    let tape = [gzip(TEXT), vec![0; 512], gzip(TEXT), vec![0; 100_000]].concat();
    assert_eq!(unpacked(&tape), ([TEXT, TEXT].concat(), None));
    let skippable = [&[0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0][..], b"what", &zstd(TEXT)].concat();
    assert_eq!(unpacked(&skippable), (TEXT.to_vec(), None));
}
