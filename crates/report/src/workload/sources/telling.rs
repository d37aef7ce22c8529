//! What sources tell, what they do not, and what that means.

use tlstax_doc::{Source, Tell, Workload};

use super::names::names;
use crate::grid::{Grid, Measure};
use crate::model::Table;
use crate::workload::dimension;

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

/// Something that a source may tell.
pub(in crate::workload) struct Telling {
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
pub(in crate::workload) fn untold(workload: &Workload) -> Vec<&'static Telling> {
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

pub(super) fn tells(workload: &Workload) -> Option<Table> {
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
pub(in crate::workload) fn hint(workload: &Workload) -> Option<String> {
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
