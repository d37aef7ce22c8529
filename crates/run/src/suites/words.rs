//! Words of OpenSSL's cipher strings that do nothing: the library passes over them in silence.

use tlstax_doc::{Note, Severity};
use tlstax_peers::Refused;

/// A word that does nothing in a library.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Idle {
    /// The word as it stands in the string.
    pub word: String,
    pub kind: IdleKind,
}

/// Why a word does nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IdleKind {
    /// It is to add suites, and there are none.
    Unknown,
    /// It is to take suites away, and there are none.
    NoObject,
    /// It names a suite of TLS 1.3, which such a string does not choose.
    Tls13,
}

impl Idle {
    /// The same as a note of a report, with what to do about it where something has to be done.
    pub fn note(&self) -> Note {
        let (severity, why, remedy) = match self.kind {
            IdleKind::Unknown => (
                Severity::Warning,
                "selects nothing: the library has no such suite, or does not know the word",
                "look for a misspelt word; one that is for other builds of the library can stay",
            ),
            IdleKind::NoObject => (
                Severity::Info,
                "takes nothing away: the library has no such suite, or does not know the word",
                "",
            ),
            IdleKind::Tls13 => (
                Severity::Warning,
                "selects nothing: it is a suite of TLS 1.3, and those are no matter of this string",
                "name it where suites of TLS 1.3 are named: in nginx 'ssl_conf_command Ciphersuites', in programs \
                 SSL_CTX_set_ciphersuites",
            ),
        };
        Note { severity, what: format!("the word '{}' {why}", self.word), remedy: remedy.to_owned() }
    }
}

/// The words that do nothing, each tried by itself. A string of one word that the library took needs no trial.
///
/// # Errors
/// The worker fails.
pub fn idle(
    string: &str,
    mut expand: impl FnMut(&str) -> Result<Vec<String>, Refused>,
) -> Result<Vec<Idle>, Refused> {
    let words: Vec<&str> = split(string).collect();
    let mut found: Vec<Idle> = Vec::new();
    for word in &words {
        // @STRENGTH and @SECLEVEL order and judge what others choose.
        if word.starts_with('@') || words.len() == 1 || found.iter().any(|one| one.word == *word) {
            continue;
        }
        let bare = word.trim_start_matches(['!', '-', '+']);
        let kind = match bare.len() == word.len() {
            true if is_tls13(bare) => IdleKind::Tls13,
            true => IdleKind::Unknown,
            false => IdleKind::NoObject,
        };
        if !selects(expand(bare))? {
            found.push(Idle { word: (*word).to_owned(), kind });
        }
    }
    Ok(found)
}

/// Words are parted by colons, commas, semicolons or spaces.
fn split(string: &str) -> impl Iterator<Item = &str> {
    string.split([':', ',', ';', ' ']).filter(|word| !word.is_empty())
}

fn is_tls13(name: &str) -> bool {
    name.starts_with("TLS_") && !name.contains("_WITH_")
}

/// Whether a word alone chooses any suite; those of TLS 1.3 are there with any string.
fn selects(outcome: Result<Vec<String>, Refused>) -> Result<bool, Refused> {
    match outcome {
        Ok(names) => Ok(names.iter().any(|name| !is_tls13(name))),
        Err(Refused::Failed(failure)) if !failure.lost => Ok(false),
        Err(refused) => Err(refused),
    }
}

#[cfg(test)]
mod tests {
    use tlstax_spec::Stage;

    use super::*;

    /// A library with two suites of TLS 1.2 and one of TLS 1.3, which is always there.
    fn library(word: &str) -> Result<Vec<String>, Refused> {
        let chosen: &[&str] = match word {
            "HIGH" => &["TLS_RSA_WITH_A", "TLS_RSA_WITH_B"],
            "A" => &["TLS_RSA_WITH_A"],
            // Known, and without a suite of this build.
            "RC4" => &[],
            _ => return Err(Refused::failed(Stage::Expand, "no cipher match")),
        };
        Ok([&["TLS_AES"], chosen].concat().into_iter().map(str::to_owned).collect())
    }

    fn idle_words(string: &str) -> Vec<(String, IdleKind)> {
        idle(string, library).unwrap().into_iter().map(|one| (one.word, one.kind)).collect()
    }

    #[test]
    fn every_word_that_does_something_is_passed_over() {
        assert_eq!(idle_words("A:HIGH"), []);
        assert_eq!(idle_words("HIGH:!A:+A:-A:@STRENGTH:@SECLEVEL=0"), []);
        assert_eq!(idle_words("A"), []);
    }

    #[test]
    fn words_that_do_nothing_are_reported_once_with_their_operator() {
        let found = idle_words("HIGH:RC4 NOSUCH,!MD5;TLS_AES_128_GCM_SHA256:RC4");
        let expected = [
            ("RC4", IdleKind::Unknown),
            ("NOSUCH", IdleKind::Unknown),
            ("!MD5", IdleKind::NoObject),
            ("TLS_AES_128_GCM_SHA256", IdleKind::Tls13),
        ];
        assert_eq!(found, expected.map(|(word, kind)| (word.to_owned(), kind)));
    }

    #[test]
    fn a_worker_that_is_lost_is_no_word_without_effect() {
        let lost = |_: &str| Err(Refused::Interrupted);
        assert_eq!(idle("A:B", lost), Err(Refused::Interrupted));
    }
}
