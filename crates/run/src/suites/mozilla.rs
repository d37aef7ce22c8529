//! Mozilla's recommended lists of suites, as data.

use std::sync::LazyLock;

use serde::Deserialize;

/// One of the lists, by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mozilla {
    /// Clients that have TLS 1.3.
    Modern,
    /// A general-purpose server.
    Intermediate,
    /// Very old clients.
    Old,
}

/// A list in both forms.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MozillaList {
    /// The suites of TLS 1.2 as OpenSSL's words.
    pub openssl: String,
    /// The suites of TLS 1.3, by their IANA names with colons between them.
    pub ciphersuites: String,
    /// The suites of TLS 1.2 by their IANA names.
    pub iana: Vec<String>,
}

/// The guidelines as they stand in their file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Guidelines {
    version: String,
    source: String,
    modern: MozillaList,
    intermediate: MozillaList,
    old: MozillaList,
}

static GUIDELINES: LazyLock<Guidelines> = LazyLock::new(|| {
    toml::from_str(include_str!("mozilla.toml")).expect("checked by a test: the file is well-formed")
});

impl Mozilla {
    /// The list of this name.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "modern" => Some(Self::Modern),
            "intermediate" => Some(Self::Intermediate),
            "old" => Some(Self::Old),
            _ => None,
        }
    }

    /// The list itself.
    pub fn get(self) -> &'static MozillaList {
        match self {
            Self::Modern => &GUIDELINES.modern,
            Self::Intermediate => &GUIDELINES.intermediate,
            Self::Old => &GUIDELINES.old,
        }
    }

    /// Where the lists come from: version and address.
    pub fn source() -> String {
        format!("version {}, {}", GUIDELINES.version, GUIDELINES.source)
    }
}

impl MozillaList {
    /// All suites by their IANA names, TLS 1.3 first.
    pub fn suites(&self) -> impl Iterator<Item = String> {
        self.ciphersuites.split(':').map(str::to_owned).chain(self.iana.iter().cloned())
    }
}

#[cfg(test)]
mod tests {
    use tlstax_spec::SuiteFacts;

    use super::*;

    #[test]
    fn the_words_for_openssl_and_the_names_say_the_same() {
        for list in [Mozilla::Modern, Mozilla::Intermediate, Mozilla::Old] {
            let list = list.get();
            let mut words: Vec<&str> = list.openssl.split(':').filter(|word| !word.is_empty()).collect();
            let mut names: Vec<String> =
                list.iana.iter().filter_map(|name| SuiteFacts::of(name).openssl).collect();
            assert_eq!(words.len(), list.iana.len());
            words.sort_unstable();
            names.sort_unstable();
            assert_eq!(words, names);
        }
    }
}
