//! That every line is given once, wherever what is read is cut.

use proptest::prelude::*;

use super::*;

/// The lines of a part, each with its place.
fn lines_of(text: &[u8], from: usize, until: usize, buffer: usize) -> Vec<(u64, Vec<u8>)> {
    let begins = from.saturating_sub(1);
    let mut pieces = Pieces::new(&text[begins..], vec![0; buffer], begins as u64).until(until as u64);
    if from > 0 {
        pieces.skip_line();
    }
    let mut lines = Vec::new();
    while let Some(piece) = pieces.next() {
        let Piece::Lines { mut at, length } = piece else { panic!("{piece:?}") };
        for line in pieces.lines(length).split_inclusive(|byte| *byte == b'\n') {
            lines.push((at, line.to_vec()));
            at += line.len() as u64;
        }
    }
    lines
}

#[test]
fn a_line_longer_than_a_megabyte_is_left_out_with_its_place_and_length() {
    let mut text = b"one\n".to_vec();
    text.resize(4 + 5 * LONGEST_LINE, b'x');
    text.extend_from_slice(b"\ntwo\n");
    let mut pieces = Pieces::new(text.as_slice(), vec![0; 1000], 0);
    assert_eq!(pieces.next(), Some(Piece::Lines { at: 0, length: 4 }));
    let bytes = 5 * LONGEST_LINE as u64 + 1;
    assert_eq!(pieces.next(), Some(Piece::TooLong { at: 4, bytes }));
    assert_eq!(pieces.next(), Some(Piece::Lines { at: 4 + bytes, length: 4 }));
    assert_eq!(pieces.next(), None);
    let (_, failure, buffer) = pieces.end();
    assert!(failure.is_none() && buffer.len() <= 3 * LONGEST_LINE);
}

#[test]
fn what_was_read_before_a_failure_is_given_but_for_the_line_that_it_cut() {
    struct Failing;
    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::ErrorKind::UnexpectedEof.into())
        }
    }
    let mut pieces = Pieces::new(b"a\nb\nc".chain(Failing), vec![0; 16], 0);
    assert_eq!(pieces.next(), Some(Piece::Lines { at: 0, length: 4 }));
    assert_eq!(pieces.next(), None);
    assert!(pieces.end().1.is_some());
}

#[test]
fn a_buffer_that_is_given_away_leaves_the_cut_line_behind() {
    let mut pieces = Pieces::new(&b"ab\ncd\nef"[..], vec![0; 4], 0);
    let mut all = Vec::new();
    while let Some(piece) = pieces.next() {
        let Piece::Lines { at, length } = piece else { panic!("{piece:?}") };
        assert_eq!(at, all.len() as u64);
        let full = pieces.exchange(Vec::new());
        assert_eq!(full.len(), length);
        all.extend_from_slice(&full);
    }
    assert_eq!(all, b"ab\ncd\nef");
}

proptest! {
    #[test]
    fn parts_have_each_line_once(
        text in "[ab\n]{0,60}",
        mut cuts in proptest::collection::vec(0usize..60, 0..6),
        buffer in 1usize..20,
    ) {
        let text = text.as_bytes();
        cuts.extend([0, text.len()]);
        cuts.iter_mut().for_each(|cut| *cut = (*cut).min(text.len()));
        cuts.sort_unstable();
        let parts = cuts.windows(2).flat_map(|pair| lines_of(text, pair[0], pair[1], buffer));
        let whole: Vec<Vec<u8>> = text.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
        let (mut at, mut lines) = (0, Vec::new());
        for (place, line) in parts {
            prop_assert_eq!(place, at);
            at += line.len() as u64;
            lines.push(line);
        }
        prop_assert_eq!(lines, whole);
    }
}
