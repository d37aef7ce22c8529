//! [`Builds`]: the names of functions of stripped builds, by build id and address.

use std::collections::HashMap;
use std::sync::Arc;

use serde::Deserialize;

/// The functions of known builds: what is left where a build has no names of its own.
#[derive(Debug, Default)]
pub struct Builds {
    builds: HashMap<String, HashMap<u64, Arc<str>>>,
}

/// A file of `rules/builds`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct File {
    /// In lower-case hexadecimal.
    build_id: String,
    /// Which package it is of.
    #[serde(rename = "title")]
    _title: String,
    /// Where functions begin in the file, in hexadecimal, by their names.
    functions: HashMap<String, Vec<String>>,
}

impl Builds {
    /// The tables that are a part of the program.
    pub fn of(texts: &[&str]) -> Self {
        let mut builds = Self::default();
        for text in texts {
            let file: File = toml::from_str(text).expect("a test reads every table of rules/builds");
            let functions = builds.builds.entry(file.build_id).or_default();
            for (name, addresses) in file.functions {
                let name: Arc<str> = name.into();
                let addresses = addresses.iter().filter_map(|one| u64::from_str_radix(one, 16).ok());
                functions.extend(addresses.map(|address| (address, Arc::clone(&name))));
            }
        }
        builds
    }

    /// The name of the function that begins there.
    pub fn name(&self, build_id: &str, address: u64) -> Option<Arc<str>> {
        self.builds.get(build_id)?.get(&address).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_of_a_known_build_has_its_name() {
        let text =
            "title = \"x\"\nbuild-id = \"ab12\"\n[functions]\naesni_gcm_encrypt = [\"1f00\", \"2f00\"]";
        let builds = Builds::of(&[text]);
        assert_eq!(builds.name("ab12", 0x2f00).as_deref(), Some("aesni_gcm_encrypt"));
        assert_eq!(builds.name("ab12", 0x2f01), None);
        assert_eq!(builds.name("ab13", 0x2f00), None);
    }
}
