//! What a workload was counted from: what the sources tell, what they do not, and what could not be read.

use tlstax_doc::{Note, PassedOver, Severity, Source, Tell, Workload};

use super::{dimension, known};
use crate::grid::{Grid, Measure};
use crate::model::{Column, Quantity, Section, Table};
use crate::notes::note;
use crate::number;

/// More bad entries than this share are worth a warning.
const MANY: f64 = 0.1;

/// Logs by the beginnings of their formats' names: servers that log what they are told to log, and what they cannot.
const SUGGESTED: [(&str, &str, &[Tell]); 8] = [
    ("nginx", "nginx", &[]),
    ("apache", "apache", &[Tell::Group]),
    ("lighttpd", "lighttpd", &[Tell::Group, Tell::Resumed]),
    ("haproxy", "haproxy", &[Tell::Group]),
    ("caddy", "caddy", &[Tell::Group, Tell::Connection]),
    ("envoy", "envoy", &[Tell::Group, Tell::Resumed, Tell::Connection]),
    // Several servers write these.
    ("combined", "nginx", &[]),
    ("common", "nginx", &[]),
];

pub(super) fn section(workload: &Workload) -> Section {
    let tables = [read(workload), bad(workload), passed_over(workload), tells(workload)];
    let intro = hint(workload).unwrap_or_default();
    Section::new("sources", "Sources", intro).with(tables.into_iter().flatten())
}

/// What has so many bad entries that the answer may be wrong.
pub(super) fn warnings(workload: &Workload) -> Vec<Note> {
    let is_doubtful = |source: &&Source| source.bad_entries() as f64 > MANY * source.entries as f64;
    let warning = |source: &Source| {
        let what = format!(
            "{} of the {} entries of {} could not be read ({}): all that follows is of the others",
            known::count(source.bad_entries()),
            known::count(source.entries),
            source.format,
            number::whole_percent(source.bad_entries() as f64, source.entries as f64)
        );
        note(Severity::Warning, what, "see which in the section on sources; --format says what the files are")
    };
    workload.sources.iter().filter(is_doubtful).map(warning).collect()
}

/// Names of sources as rows and columns have them: the format, and its number where several are of one.
fn names(workload: &Workload) -> Vec<String> {
    let formats: Vec<&str> = workload.sources.iter().map(|source| source.format.as_str()).collect();
    let name = |(place, format): (usize, &&str)| {
        let before = formats[..place].iter().filter(|other| other == &format).count();
        let is_alone = formats.iter().filter(|other| other == &format).count() == 1;
        if is_alone { (*format).to_owned() } else { format!("{format} {}", before + 1) }
    };
    formats.iter().enumerate().map(name).collect()
}

fn read(workload: &Workload) -> Option<Table> {
    let rows = names(workload).into_iter().map(|name| [name]).zip(&workload.sources);
    let counted = |title: &'static str, of: fn(&Source) -> String| {
        Measure::new(Column::count(title), move |source: &&Source| of(source))
    };
    let share = |source: &&Source| {
        (source.entries > 0)
            .then(|| Quantity::exact(source.bad_entries() as f64 / source.entries as f64 * 100.0, "%"))
    };
    Grid::new(["source"], rows)
        .measure(counted("bytes, uncompressed", |source| known::size(source.bytes)))
        .measure(counted("lines, rows or packets", |source| known::count(source.entries)))
        .measure(counted("could not be read", |source| known::count(source.bad_entries())))
        .measure(Measure::plain("of all", "%", share))
        .measure(counted("passed over", |source| known::count(source.passed_over.values().fold(0, add))))
        .table("What was counted")
}

const fn add(sum: u64, count: &u64) -> u64 {
    sum.saturating_add(*count)
}

fn bad(workload: &Workload) -> Option<Table> {
    let kinds = names(workload).into_iter().zip(&workload.sources).flat_map(|(name, source)| {
        source.bad.iter().map(move |(bad, count)| ([name.clone(), bad.meaning().to_owned()], *count))
    });
    Grid::new(["source", "the entry"], kinds)
        .measure(Measure::new(Column::count("number"), |count: &u64| known::count(*count)))
        .table("What could not be read, and is in no count; --show-bad shows where")
}

fn passed_over(workload: &Workload) -> Option<Table> {
    let kinds = names(workload).into_iter().zip(&workload.sources).flat_map(|(name, source)| {
        source.passed_over.iter().map(move |(why, count)| ([name.clone(), meaning(*why).to_owned()], *count))
    });
    Grid::new(["source", "the entry"], kinds)
        .measure(Measure::new(Column::count("number"), |count: &u64| known::count(*count)))
        .table("What was read and does not count")
}

const fn meaning(why: PassedOver) -> &'static str {
    match why {
        PassedOver::Empty => "is empty, a comment or a header",
        PassedOver::OtherTime => "is of another time",
        PassedOver::NoRequest => "is no request",
        PassedOver::OtherProtocol => "is a packet of another protocol",
        PassedOver::BegunBefore => "is of a connection that began before the capture",
        PassedOver::BehindGap => "stands behind segments that are missing",
        PassedOver::Fragment => "is a part of an IP packet",
        PassedOver::Repeated => "is a segment that came before",
    }
}

/// Something that a source may tell.
pub(super) struct Telling {
    tells: &'static [Tell],
    pub title: &'static str,
    /// What not knowing it means for a plan.
    without: &'static str,
    by: By,
}

/// Where something can be known from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    /// A log that is told to have it.
    Log,
    /// The server's configuration, or a capture.
    Server,
    /// A capture alone.
    Capture,
}

const fn of(tells: &'static [Tell], title: &'static str, by: By, without: &'static str) -> Telling {
    Telling { tells, title, without, by }
}

/// In the order of tables. The class of a server's name is told where patterns are given for it, and is not missed.
static TELLINGS: [Telling; 13] = [
    of(&[Tell::Time], "time", By::Log, "no peak: only sums are known"),
    of(&[Tell::Protocol], "protocol", By::Log, "TLS 1.2, 1.3 and no TLS are not told apart"),
    of(&[Tell::Resumed], "full or resumed", By::Log, "the handshakes may be all full or all resumed"),
    of(
        &[Tell::Suite],
        "cipher suite",
        By::Log,
        "what a byte costs is that of the dearest suite to that of the cheapest",
    ),
    of(&[Tell::Group], "group", By::Log, "key exchanges may be of any group"),
    of(
        &[Tell::Key],
        "key of the certificate",
        By::Server,
        "signatures may be of any key that fits the suite: state the server's own",
    ),
    of(&[Tell::Http], "HTTP version", By::Log, "HTTP/1.1, 2 and 3 are not told apart"),
    of(
        &[Tell::Connection],
        "which requests are of one connection",
        By::Log,
        "each request may have had a handshake, or nearly none",
    ),
    of(&[Tell::Requests], "requests", By::Log, "connections are known, and not how many requests they had"),
    of(&[Tell::BytesOut, Tell::BodyOut], "bytes of responses", By::Log, "what is encrypted is not known"),
    of(
        &[Tell::BytesIn, Tell::BodyIn],
        "bytes of requests",
        By::Log,
        "what is decrypted is not known: much only where clients send files",
    ),
    of(
        &[Tell::Records],
        "sizes of records",
        By::Capture,
        "records may be as small as the server's buffers allow",
    ),
    of(&[Tell::CertificateBytes], "sizes of certificates", By::Capture, "state the server's own chain"),
];

impl Telling {
    fn is_told_by(&self, source: &Source) -> bool {
        self.tells.iter().any(|tell| source.tells.contains(tell))
    }

    /// Where requests are not seen, nobody asks of which connection they are.
    fn is_missed_by(&self, source: &Source) -> bool {
        let is_moot = self.tells == [Tell::Connection] && !source.tells.contains(&Tell::Requests);
        !is_moot && !self.is_told_by(source)
    }

    fn word(&self, source: &Source) -> &'static str {
        match (self.is_told_by(source), self.is_missed_by(source)) {
            (true, _) => "yes",
            (_, true) => "no",
            _ => "",
        }
    }
}

/// What no source tells, of that which matters most.
pub(super) fn untold(workload: &Workload) -> Vec<&'static Telling> {
    let is_untold = |telling: &&Telling| {
        let sources = &workload.sources;
        // Suites before TLS 1.3 name the kind of key.
        let is_inferred = telling.tells == [Tell::Key] && dimension::KEY.is_told(workload);
        telling.by != By::Capture
            && !is_inferred
            && !sources.iter().any(|source| telling.is_told_by(source))
            && sources.iter().any(|source| telling.is_missed_by(source))
    };
    TELLINGS.iter().filter(is_untold).collect()
}

fn tells(workload: &Workload) -> Option<Table> {
    let rows = TELLINGS.iter().map(|telling| ([telling.title.to_owned()], telling));
    let told = names(workload)
        .into_iter()
        .zip(&workload.sources)
        .map(|(name, source)| Measure::words(name, |telling: &&Telling| telling.word(source)));
    let is_missed = |telling: &Telling| workload.sources.iter().any(|source| telling.is_missed_by(source));
    let without = move |telling: &&Telling| is_missed(telling).then_some(telling.without);
    (!workload.sources.is_empty())
        .then(|| {
            Grid::new(["what"], rows)
                .measures(told)
                .measure(Measure::words("where it is not told", without))
                .table("What the sources tell, and what it means for a plan where they do not")
        })
        .flatten()
}

/// How a server is made to log what is missing.
pub(super) fn hint(workload: &Workload) -> Option<String> {
    let could_tell_more = |source: &&Source| {
        let suggested = suggested(source);
        let is_missing = |telling: &Telling, never: &[Tell]| {
            telling.by == By::Log
                && telling.is_missed_by(source)
                && !telling.tells.iter().any(|tell| never.contains(tell))
        };
        suggested.is_some_and(|(.., never)| TELLINGS.iter().any(|telling| is_missing(telling, never)))
    };
    let (format, server, _) = suggested(workload.sources.iter().find(could_tell_more)?)?;
    let or_another = if format == server { "" } else { ", or of the server that wrote it," };
    Some(format!(
        "tlstax traffic --suggest {server}{or_another} prints what the server has to log for more of this to be known."
    ))
}

fn suggested(source: &Source) -> Option<&'static (&'static str, &'static str, &'static [Tell])> {
    SUGGESTED.iter().find(|(format, ..)| source.format.starts_with(format))
}
