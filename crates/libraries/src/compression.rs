//! Compression that a library does not claim is refused before its worker is asked: one that does not know the word would pass over
//! it.

use tlstax_spec::wire::Hello;
use tlstax_spec::{Case, Compression, Workload};

/// Checks that the version of a case, and the library, have the compression that it wants.
///
/// # Errors
/// Why there is none, in one sentence.
pub(crate) fn check(hello: &Hello, case: &Case) -> Result<(), String> {
    let Workload::Bulk(bulk) = &case.workload else { return Ok(()) };
    let (wanted, version) = (bulk.compression, bulk.params.version);
    if !wanted.fits(version) {
        return Err(format!("{version} has no compression (RFC 8446, 4.1.2)"));
    }
    if wanted != Compression::None && !hello.compressions.iter().any(|word| word == wanted.name()) {
        return Err("this build has no TLS compression; openssl-1.1.1-weak, for one, has it".to_owned());
    }
    Ok(())
}
