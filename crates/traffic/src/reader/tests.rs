//! What becomes of lines before a format sees them.

use tlstax_doc::Kind;

use super::*;
use crate::seen::{Seen, What};

/// Lines that are numbers: bytes of a response.
struct Numbers;

impl Lines for Numbers {
    type Memory = ();

    fn format(&self) -> &'static str {
        "numbers"
    }

    fn tells(&self) -> BTreeSet<Tell> {
        [Tell::BodyOut].into()
    }

    fn read(&self, line: &[u8], (): &mut (), tally: &mut Tally) -> Result<Option<Seen>, Bad> {
        let out: u64 =
            std::str::from_utf8(line).ok().and_then(|text| text.parse().ok()).ok_or(Bad::Number)?;
        let kind = tally.known_kind(Kind::default());
        let what = What::Request { ordinal: None };
        Ok(Some(Seen { kind, what, times: 1, at: None, out: Some(out), into: None }))
    }
}

fn counted(lines: &[u8]) -> (Workload, Vec<(usize, Bad)>) {
    let mut part = Arc::new(Numbers).part(Window::default());
    let mut bad = Vec::new();
    part.lines(lines, &mut |at, _, what| bad.push((at, what)));
    let tool = Tool { name: "tlstax".to_owned(), version: "0".to_owned(), reference_kernels: 0 };
    (part.finish(&tool), bad)
}

#[test]
fn lines_end_as_on_any_system_and_the_last_need_not() {
    let (workload, bad) = counted(b"1\r\n2\n\n\r\n3");
    let source = &workload.sources[0];
    assert_eq!((source.entries, source.bytes, source.passed_over[&PassedOver::Empty]), (5, 9, 2));
    assert_eq!((workload.response_bytes.sum, bad), (6, vec![]));
}

#[test]
fn a_bad_line_has_its_place_and_its_kind() {
    let (workload, bad) = counted(b"1\nx\n2\0\n3\n\0\0");
    assert_eq!(bad, [(2, Bad::Number), (4, Bad::Nul), (9, Bad::Nul)]);
    assert_eq!(workload.sources[0].bad[&Bad::Nul], 2);
    assert_eq!(workload.response_bytes.sum, 4);
}

#[test]
fn a_line_is_too_long_above_a_megabyte() {
    let mut text = vec![b'0'; LONGEST_LINE];
    assert_eq!(counted(&text).1, []);
    text.push(b'0');
    text.extend_from_slice(b"\n7\n");
    let (workload, bad) = counted(&text);
    assert_eq!((bad, workload.response_bytes.sum), (vec![(0, Bad::TooLong)], 7));
}
