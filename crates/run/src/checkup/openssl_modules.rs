//! Modules of the system's OpenSSL that take the work elsewhere.

use tlstax_measure::host::offload::{Folder, OpenSsl};

use super::means::Availability::{Absent, Present, Unknown};
use super::means::Means;

/// A module: file, what for, how to have it.
pub(super) type Known = (&'static str, &'static str, &'static str);

pub(super) const PROVIDERS: [Known; 3] = [
    ("fips.so", "FIPS 140", "for fips.so build OpenSSL with enable-fips"),
    (
        "qatprovider.so",
        "QuickAssist",
        "for qatprovider.so apt-get install qatengine, or build Intel's QAT_Engine",
    ),
    ("pkcs11.so", "keys in tokens", "for pkcs11.so apt-get install pkcs11-provider"),
];

pub(super) const ENGINES: [Known; 2] = [
    ("afalg.so", "AF_ALG", "for afalg.so build OpenSSL with enable-afalgeng"),
    (
        "qatengine.so",
        "QuickAssist",
        "for qatengine.so apt-get install qatengine, or build Intel's QAT_Engine",
    ),
];

pub(super) fn modules(
    id: &'static str,
    what: &'static str,
    openssl: Option<&OpenSsl>,
    folder: impl Fn(&OpenSsl) -> Option<&Folder>,
    known: &[Known],
) -> Means {
    let means = |state, found, remedy| Means { id, what, state, found, remedy };
    let Some(openssl) = openssl else {
        let found = "there is no program openssl that says where they are".to_owned();
        return means(Unknown, found, "apt-get install openssl".to_owned());
    };
    let Some(folder) = folder(openssl) else {
        return means(Absent, format!("{} has none", openssl.version), String::new());
    };
    let missing = known.iter().filter(|(file, ..)| !folder.modules.iter().any(|module| module == file));
    let (lacks, remedies): (Vec<_>, Vec<_>) =
        missing.map(|(file, purpose, remedy)| (format!("{file} ({purpose})"), *remedy)).unzip();
    let has = if folder.modules.is_empty() { "nothing".to_owned() } else { folder.modules.join(", ") };
    let lacks = if lacks.is_empty() { String::new() } else { format!("; not {}", lacks.join(", ")) };
    let state = if folder.modules.is_empty() { Absent } else { Present };
    means(
        state,
        format!("{}: {has} in {}{lacks}", openssl.version, folder.path.display()),
        remedies.join("; "),
    )
}
