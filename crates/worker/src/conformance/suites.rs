//! Whether the library, where it chooses cipher suites by words, says which ones.

use std::io;

use tlstax_spec::Suite;

use super::{Checks, Miss};
use crate::adapter::Adapter;
use crate::refusal::Refusal;

/// Words that stand for one suite alone: those of OpenSSL's cipher strings, and of GnuTLS's priority strings.
const ALONE: [(&str, Suite); 2] = [
    ("ECDHE-ECDSA-AES128-GCM-SHA256", Suite::EcdheEcdsaAes128Gcm),
    ("NONE:+VERS-TLS1.2:+AES-128-GCM:+AEAD:+ECDHE-ECDSA:+SIGN-ALL:+GROUP-ALL", Suite::EcdheEcdsaAes128Gcm),
];

/// What no library takes for a suite.
const NOTHING: &str = "no-such-word";

pub(super) fn check(checks: &mut Checks<'_>) -> io::Result<()> {
    checks.check("cipher string", |adapter, _| {
        match adapter.expand(NOTHING, None) {
            Err(Refusal::Unsupported(reason)) => return Err(Miss::Skipped(reason)),
            Err(Refusal::Failed(complaint)) if complaint.is_empty() => {
                return Err(Miss::failed("refuses words and does not say why"));
            }
            Err(Refusal::Failed(_)) => {}
            Ok(names) => return Err(Miss::failed(format!("'{NOTHING}' chooses {}", names.join(", ")))),
        }
        let missed: Vec<String> =
            ALONE.iter().filter_map(|(words, suite)| chooses(adapter, words, *suite).err()).collect();
        match missed.len() < ALONE.len() {
            true => Ok(()),
            false => Err(Miss::failed(missed.join("; "))),
        }
    })
}

/// Of the suites of TLS 1.2 this one and no other.
fn chooses(adapter: &dyn Adapter, words: &str, suite: Suite) -> Result<(), String> {
    let mut names = adapter.expand(words, None).map_err(|refusal| format!("'{words}': {refusal}"))?;
    names.retain(|name| name.contains("_WITH_"));
    match names == [suite.name()] {
        true => Ok(()),
        false => Err(format!("'{words}' chooses '{}' and not {suite}", names.join(", "))),
    }
}
