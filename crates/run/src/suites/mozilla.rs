//! Mozilla's recommended lists of suites, as data.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mozilla {
    /// The suites of TLS 1.2 as OpenSSL's words.
    pub openssl: String,
    /// The suites of TLS 1.3, by their IANA names with colons between them.
    pub ciphersuites: String,
    /// The suites of TLS 1.2 by their IANA names.
    pub iana: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Guidelines {
    version: String,
    source: String,
    /// The lists by their names: modern, intermediate, old.
    #[serde(flatten)]
    lists: BTreeMap<String, Mozilla>,
}

static GUIDELINES: LazyLock<Guidelines> = LazyLock::new(|| {
    toml::from_str(include_str!("mozilla.toml")).expect("checked by a test: the file is well-formed")
});

impl Mozilla {
    pub fn named(name: &str) -> Option<&'static Self> {
        GUIDELINES.lists.get(name)
    }

    /// Where the lists come from: version and address.
    pub fn source() -> String {
        format!("version {}, {}", GUIDELINES.version, GUIDELINES.source)
    }

    /// All suites by their IANA names, TLS 1.3 first.
    pub fn suites(&self) -> impl Iterator<Item = String> {
        self.ciphersuites.split(':').map(str::to_owned).chain(self.iana.iter().cloned())
    }
}

#[cfg(test)]
mod tests {
    use tlstax_spec::{Suite, SuiteFacts};

    use super::*;

    #[test]
    fn the_words_for_openssl_and_the_names_say_the_same() {
        for list in ["modern", "intermediate", "old"] {
            let list = Mozilla::named(list).expect(list);
            let mut words: Vec<&str> = list.openssl.split(':').filter(|word| !word.is_empty()).collect();
            let mut names: Vec<String> =
                list.iana.iter().filter_map(|name| SuiteFacts::of(name).openssl).collect();
            assert_eq!(words.len(), list.iana.len());
            words.sort_unstable();
            names.sort_unstable();
            assert_eq!(words, names);
        }
    }

    #[test]
    fn every_suite_of_every_list_can_be_measured() {
        for list in ["modern", "intermediate", "old"] {
            for name in Mozilla::named(list).expect(list).suites() {
                assert!(name.parse::<Suite>().is_ok(), "{name} of {list}");
            }
        }
    }
}
