//! That files, archives and pipes are counted alike, whoever counts which part of them.
#![allow(clippy::disallowed_methods)]

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use tlstax_doc::{Bad, Kind, PassedOver, Protocol, Tell, Tool};

use super::*;
use crate::classes::Classes;
use crate::input::feed::Job;
use crate::input::worker::Label;
use crate::line::Lines;
use crate::reader::Candidate;
use crate::seen::{Seen, What};
use crate::tally::Tally;
use crate::window::Window;

/// Lines of a time and the bytes of a response: `100 2048`. A line that begins with # is a comment.
struct Pairs;

impl Lines for Pairs {
    type Memory = u64;

    fn format(&self) -> &'static str {
        "pairs"
    }

    fn tells(&self) -> BTreeSet<Tell> {
        [Tell::Time, Tell::BodyOut].into()
    }

    fn read(&self, line: &[u8], memory: &mut u64, tally: &mut Tally) -> Result<Option<Seen>, Bad> {
        *memory += 1;
        if line.starts_with(b"#") {
            tally.pass_over(PassedOver::Empty);
            return Ok(None);
        }
        let text = std::str::from_utf8(line).map_err(|_| Bad::OtherFormat)?;
        let (at, out) = text.split_once(' ').ok_or(Bad::Cut)?;
        let at: u64 = at.parse().map_err(|_| Bad::Time)?;
        let out: u64 = out.parse().map_err(|_| Bad::Number)?;
        let protocol = Some(Protocol::ALL[usize::try_from(out % 6).unwrap()]);
        let kind = tally.known_kind(Kind { protocol, ..Kind::default() });
        let what = What::Request { ordinal: Some(at % 3 + 1) };
        Ok(Some(Seen { kind, what, times: 1, at: Some(at), out: Some(out), into: None }))
    }
}

fn settings(threads: usize) -> Settings {
    let tool = Tool { name: "tlstax".to_owned(), version: "0".to_owned(), reference_kernels: 0 };
    Settings {
        format: None,
        offset: None,
        window: Window::default(),
        classes: Classes::default(),
        threads,
        keeps_bad: true,
        tool,
    }
}

/// Counts files as [`count`] does, but for the choice of the format.
fn counted(files: &[PathBuf], threads: usize) -> Counted {
    let (shared, settings) = (Shared::default(), settings(threads));
    let reader = Candidate::new("pairs", "pairs", Pairs).reader;
    let (mut labels, mut jobs) = (Vec::new(), Vec::new());
    for (input, file) in files.iter().enumerate() {
        let opened = Input::of(file.clone()).open(&shared).unwrap();
        labels.push(Label { name: opened.name.clone(), reader: reader.clone() });
        jobs.push(Job { input, name: opened.name, source: opened.source, packing: opened.packing });
    }
    let orders = Orders { labels: &labels, settings: &settings };
    let (workload, bad) = pool::count(&orders, jobs, Vec::new(), &shared, &mut || {});
    let names: Vec<String> = labels.into_iter().map(|label| label.name).collect();
    let (recognised, was_interrupted) = (Vec::new(), false);
    Counted { workload, bad: bad.named(&names), notices: shared.take_notices(), recognised, was_interrupted }
}

fn write(folder: &Path, name: &str, text: &[u8]) -> PathBuf {
    let path = folder.join(name);
    let mut file = tempfile::Builder::new().tempfile_in(folder).unwrap();
    file.write_all(text).unwrap();
    file.persist(&path).unwrap();
    path
}

/// A log with everything in it that a log may have, longer than what is read at once.
fn log() -> Vec<u8> {
    let mut text = Vec::new();
    for at in 0..400_000u64 {
        writeln!(text, "{} {}", 1_000 + at / 7, at * 37 % 100_003).unwrap();
        match at {
            20 => text.extend_from_slice(b"# comment\n\n\r\n"),
            30 => text.extend_from_slice(b"what\n1 x\n\0\n"),
            5_000 => text.extend([b"5 ".as_slice(), &[b'0'; 5 << 20], b"\n"].concat()),
            _ => {}
        }
    }
    text.extend_from_slice(b"9999 7");
    text
}

#[test]
fn a_file_its_archive_and_its_parts_are_counted_alike() {
    let (folder, text) = (tempfile::tempdir().unwrap(), log());
    let whole = write(folder.path(), "whole", &text);
    let one = counted(std::slice::from_ref(&whole), 1);
    let source = &one.workload.sources[0];
    assert_eq!((source.bytes, source.entries), (text.len() as u64, 400_008));
    assert_eq!(source.passed_over[&PassedOver::Empty], 3);
    let kinds = [(Bad::Cut, 1), (Bad::Number, 1), (Bad::Nul, 1), (Bad::TooLong, 1)];
    assert_eq!(source.bad, kinds.into());
    assert_eq!(
        one.bad.iter().map(|bad| bad.bad).collect::<Vec<_>>(),
        [Bad::Cut, Bad::Number, Bad::Nul, Bad::TooLong]
    );
    assert_eq!(one.bad[0].text.as_deref(), Some(b"what".as_slice()));

    let several = counted(std::slice::from_ref(&whole), 3);
    assert_eq!((&several.workload, &several.bad), (&one.workload, &one.bad));

    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(&text).unwrap();
    let packed = write(folder.path(), "packed", &encoder.finish().unwrap());
    let unpacked = counted(&[packed], 2);
    assert_eq!(unpacked.workload, one.workload);
    let places = |counted: &Counted| counted.bad.iter().map(|bad| bad.at).collect::<Vec<_>>();
    assert_eq!(places(&unpacked), places(&one));

    let middle = text.len() / 2;
    let cut = middle + text[middle..].iter().position(|byte| *byte == b'\n').unwrap() + 1;
    let parts = [write(folder.path(), "b", &text[cut..]), write(folder.path(), "a", &text[..cut])];
    assert_eq!(counted(&parts, 2).workload, one.workload);
}

#[test]
fn of_an_archive_that_is_cut_the_whole_lines_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let text: Vec<u8> = (0..50_000).flat_map(|at| format!("{at} {at}\n").into_bytes()).collect();
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(&text).unwrap();
    let packed = encoder.finish().unwrap();
    let cut = write(folder.path(), "cut.gz", &packed[..packed.len() / 2]);
    let counted = counted(&[cut], 2);
    let source = &counted.workload.sources[0];
    assert!(source.entries > 10_000 && source.bad.is_empty(), "{source:?}");
    let [Notice::Cut { unpacked, .. }] = counted.notices.as_slice() else { panic!("{:?}", counted.notices) };
    assert!(*unpacked >= source.bytes && *unpacked < source.bytes + 20);
}

#[test]
fn what_comes_to_a_file_while_it_is_read_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "grows", b"1 1\n2 2\n3");
    let (shared, settings) = (Shared::default(), settings(1));
    let opened = Input::of(path.clone()).open(&shared).unwrap();
    // The same file, longer: its last line is whole by now, and one more has come.
    let mut file = fs::File::options().append(true).open(path).unwrap();
    file.write_all(b" 3\n4 4\n").unwrap();
    let labels =
        [Label { name: opened.name.clone(), reader: Candidate::new("pairs", "pairs", Pairs).reader }];
    let job = Job { input: 0, name: opened.name, source: opened.source, packing: None };
    let orders = Orders { labels: &labels, settings: &settings };
    let (workload, _) = pool::count(&orders, vec![job], Vec::new(), &shared, &mut || {});
    assert_eq!((workload.sources[0].entries, workload.sources[0].bad.len()), (3, 0));
    let notices = shared.take_notices();
    assert!(matches!(&notices[..], [Notice::Grew { by: 4, .. }]), "{notices:?}");
}

#[test]
fn what_cannot_be_read_is_told_before_anything_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    let fails = |path: PathBuf| {
        let failed = count(&[Input::of(path)], &settings(1), &mut |_| {});
        failed.unwrap_err().to_string()
    };
    assert!(fails(folder.path().to_owned()).contains("is a folder"));
    assert!(fails(folder.path().join("missing")).contains("cannot read"));
    assert!(fails(write(folder.path(), "empty", b"")).contains("there is nothing in"));
    let document = b"{\"schema\":{\"major\":1,\"minor\":0},\"document\":\"workload\"";
    assert!(fails(write(folder.path(), "a.json", document)).contains("traffic merge"));
}

#[test]
fn a_file_with_two_names_is_one() {
    let folder = tempfile::tempdir().unwrap();
    let empty = write(folder.path(), "empty", b"");
    fs::hard_link(&empty, folder.path().join("again")).unwrap();
    let shared = Shared::default();
    let settings = settings(1);
    let mut chooser = Chooser::new(&settings, &shared).unwrap();
    chooser.add(&Input::of(empty)).unwrap();
    chooser.add(&Input::of(folder.path().join("again"))).unwrap();
    let notices = shared.take_notices();
    assert!(matches!(&notices[..], [Notice::Empty { .. }, Notice::Same { .. }]), "{notices:?}");
}
