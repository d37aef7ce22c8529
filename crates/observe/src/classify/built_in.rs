//! The rules that are a part of the program.

use super::build::Builds;
use super::parse;
use super::rules::Rules;

macro_rules! files {
    ($($name:literal),+ $(,)?) => {
        [$(($name, include_str!(concat!("../../rules/", $name)))),+]
    };
}

/// Every file of `crates/observe/rules`.
const FILES: [(&str, &str); 20] = files![
    "kernel.toml",
    "libc.toml",
    "http2.toml",
    "compression.toml",
    "servers.toml",
    "openssl.toml",
    "openssl-1.1.toml",
    "openssl-3.toml",
    "openssl-4.toml",
    "boringssl.toml",
    "aws-lc.toml",
    "gnutls.toml",
    "nss.toml",
    "wolfssl.toml",
    "mbedtls.toml",
    "botan.toml",
    "s2n.toml",
    "rustls.toml",
    "go.toml",
    "java.toml",
];

/// Every file of `crates/observe/rules/builds`.
const BUILDS: [&str; 0] = [];

pub fn rules() -> Rules {
    let library =
        |(name, text): (&str, &str)| parse::library(text, name).expect("a test reads every file of rules");
    Rules::new(FILES.map(library).into(), Builds::of(&BUILDS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_rules_is_read_and_every_library_that_is_extended_is_there() {
        let libraries = FILES.map(|(name, text)| parse::library(text, name).unwrap());
        for library in &libraries {
            for other in &library.extends {
                assert!(libraries.iter().any(|one| one.id == *other), "{} extends {other}", library.id);
            }
        }
        Builds::of(&BUILDS);
    }

    #[test]
    fn every_file_in_the_folder_is_a_part_of_the_program() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/rules");
        let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name());
        let files: Vec<_> =
            files.filter_map(|name| name.into_string().ok()).filter(|name| name.ends_with(".toml")).collect();
        assert_eq!(files.len(), FILES.len(), "{files:?}");
    }
}
