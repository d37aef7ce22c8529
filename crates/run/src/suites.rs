//! Which cipher suites a library chooses by a string, in which order, and what each suite is.

mod mozilla;
mod words;

use tlstax_doc::{Note, Severity};
use tlstax_libraries::{Entry, Home, Seat, Session};
use tlstax_peers::Refused;
use tlstax_spec::{Id, Stage, Suite};

use crate::error::{RunError, cores};

pub use mozilla::Mozilla;
pub use words::{Idle, IdleKind};

/// Families whose cipher strings are those of OpenSSL.
const OPENSSL: [&str; 3] = ["openssl", "boringssl", "aws-lc"];

/// Families whose strings are other ones, with words for all suites that Mozilla could mean.
const OTHERS: [(&str, &str); 2] = [("gnutls", "NORMAL:+3DES-CBC:+SHA256:+SHA384"), ("rustls", "DEFAULT")];

/// What a library is asked to expand.
#[derive(Debug, Clone)]
pub enum Wanted {
    /// A string in the library's own words.
    Words(String),
    Mozilla(&'static Mozilla),
}

impl Wanted {
    /// The list of this name, or the words themselves.
    pub fn new(text: &str) -> Self {
        match Mozilla::named(text) {
            Some(list) => Self::Mozilla(list),
            None => Self::Words(text.to_owned()),
        }
    }
}

/// What a string comes to in one library.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expansion {
    /// The library and its version, as it states them.
    pub version: String,
    /// IANA names in the order of preference.
    pub suites: Vec<String>,
    pub idle: Vec<Idle>,
    /// Suites of Mozilla's list that the library does not have; of a string, none.
    pub absent: Vec<String>,
    /// Whether the library itself expanded it; otherwise the list was held against the suites that it has.
    pub by_library: bool,
}

/// Why a string comes to nothing in one library.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoExpansion {
    /// It does not expand strings, or cannot be asked.
    #[error("{0}")]
    Unsupported(String),
    #[error("{0}")]
    Missing(String),
    /// It refuses the string: its own complaint.
    #[error("{0}")]
    Refused(String),
}

impl NoExpansion {
    pub fn note(&self) -> Note {
        match self {
            Self::Unsupported(reason) => note(Severity::Info, format!("not expanded: {reason}")),
            Self::Missing(reason) => note(Severity::Warning, format!("not there: {reason}")),
            Self::Refused(complaint) => {
                note(Severity::Warning, format!("the library refuses it: {complaint}"))
            }
        }
    }
}

impl Expansion {
    /// Words without effect and missing suites, as notes of a report.
    pub fn notes(&self) -> Vec<Note> {
        let mut notes: Vec<Note> = self.idle.iter().map(Idle::note).collect();
        // Of a library that was asked by names, a suite beyond our vocabulary is not known to be missing.
        let is_unknown = |name: &&String| !self.by_library && name.parse::<Suite>().is_err();
        let (unknown, absent): (Vec<&String>, Vec<&String>) = self.absent.iter().partition(is_unknown);
        let named = |what: &str, names: &[&String]| {
            let names: Vec<&str> = names.iter().map(|name| name.as_str()).collect();
            (!names.is_empty()).then(|| note(Severity::Info, format!("{what}: {}", names.join(", "))))
        };
        notes.extend(named("the library does not have", &absent));
        notes.extend(named(
            "whether it has these is not known, they are not in tlstax's vocabulary",
            &unknown,
        ));
        notes
    }
}

fn note(severity: Severity, what: String) -> Note {
    Note { severity, what, remedy: String::new() }
}

pub type Expanded = (Id, Result<Expansion, NoExpansion>);

/// Asks each library what the string comes to in it.
///
/// # Errors
/// Only an interruption, and a machine on which nothing may run; what a library has against the string is its own row.
pub fn expand(home: &Home, entries: &[&Entry], wanted: &Wanted) -> Result<Vec<Expanded>, RunError> {
    let cpus = vec![cores()?.measure];
    let mut found = Vec::new();
    for entry in entries {
        if entry.is_peer() {
            let reason = "it is a program that uses a library: ask that library".to_owned();
            found.push((entry.id.clone(), Err(NoExpansion::Unsupported(reason))));
            continue;
        }
        let seat = Seat { cpus: cpus.clone(), ..Seat::default() };
        let outcome = Session::start(entry, home, seat, 0).and_then(|mut session| {
            let outcome = of_library(&mut session, wanted);
            session.end();
            outcome
        });
        let outcome = match outcome {
            Ok(expansion) => Ok(expansion),
            Err(Refused::Interrupted) => return Err(RunError::Interrupted),
            Err(Refused::Unsupported(reason)) => Err(NoExpansion::Unsupported(reason)),
            Err(Refused::Failed(failure)) if failure.lost || failure.stage == Stage::Start => {
                Err(NoExpansion::Missing(failure.message))
            }
            Err(Refused::Lost(failure, _)) => Err(NoExpansion::Missing(failure.message)),
            Err(Refused::Failed(failure)) => Err(NoExpansion::Refused(failure.message)),
        };
        found.push((entry.id.clone(), outcome));
    }
    Ok(found)
}

fn of_library(session: &mut Session, wanted: &Wanted) -> Result<Expansion, Refused> {
    let is_openssl = OPENSSL.contains(&session.hello.family.as_str());
    match wanted {
        Wanted::Words(string) => by_words(session, string, None, is_openssl),
        Wanted::Mozilla(list) if is_openssl => {
            // What it passes over is found below, by names.
            let mut found = by_words(session, &list.openssl, Some(&list.ciphersuites), false)?;
            found.absent = list.suites().filter(|name| !found.suites.contains(name)).collect();
            Ok(found)
        }
        Wanted::Mozilla(list) => intersected(session, list),
    }
}

fn by_words(
    session: &mut Session,
    string: &str,
    ciphersuites: Option<&str>,
    in_openssl_words: bool,
) -> Result<Expansion, Refused> {
    let suites = session.expand(string, ciphersuites)?;
    let idle = match in_openssl_words {
        true => words::idle(string, |word| session.expand(word, None))?,
        // Any other library refuses a string with words that it does not know.
        false => Vec::new(),
    };
    let version = session.hello.version.clone();
    Ok(Expansion { version, suites, idle, absent: Vec::new(), by_library: true })
}

/// Mozilla's suites that the library has, in Mozilla's order.
fn intersected(session: &mut Session, list: &Mozilla) -> Result<Expansion, Refused> {
    let mut has = session.hello.suites.clone();
    let words = OTHERS.iter().find(|(family, _)| session.hello.family == *family);
    if let Some((_, all)) = words {
        // A worker that cannot be asked has still stated which of our vocabulary it has.
        match session.expand(all, None) {
            Ok(names) => has.extend(names),
            Err(Refused::Unsupported(_)) => {}
            Err(refused) => return Err(refused),
        }
    }
    let (suites, absent): (Vec<String>, Vec<String>) = list.suites().partition(|name| has.contains(name));
    if suites.is_empty() {
        return Err(Refused::Unsupported("it has none of the suites of this list".to_owned()));
    }
    let version = session.hello.version.clone();
    Ok(Expansion { version, suites, idle: Vec::new(), absent, by_library: false })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_library_was_not_asked_for_is_not_called_missing() {
        let absent = ["TLS_RSA_WITH_AES_128_CBC_SHA", "TLS_FUTURE_SHA1024"].map(str::to_owned).to_vec();
        let notes = |by_library| {
            let found = Expansion {
                version: String::new(),
                suites: Vec::new(),
                idle: Vec::new(),
                absent: absent.clone(),
                by_library,
            };
            found.notes().into_iter().map(|note| note.what).collect::<Vec<_>>()
        };
        assert_eq!(notes(true).len(), 1);
        let by_names = notes(false);
        assert_eq!(by_names[0], "the library does not have: TLS_RSA_WITH_AES_128_CBC_SHA");
        assert!(
            by_names[1].contains("not known") && by_names[1].ends_with("TLS_FUTURE_SHA1024"),
            "{by_names:?}"
        );
    }
}
