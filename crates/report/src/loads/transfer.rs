//! Which loads are transfers of large files.

use tlstax_spec::Load;

/// Bytes from which on a body is a large file.
const LARGE: u32 = 1 << 20;

/// Bytes from which on a request stands among the transfers only, and not among the requests.
const HUGE: u32 = 16 << 20;

/// Whether a load moves a large file over a connection that is kept, or one file at a time.
pub(crate) fn is_transfer(work: &Load) -> bool {
    work.body >= LARGE
        && work.rate == 0
        && work.work_us == 0
        && (work.requests_per_connection == 0 || work.connections == 1)
}

pub(crate) fn is_only_a_transfer(work: &Load) -> bool {
    is_transfer(work) && work.body >= HUGE
}

pub(crate) fn is_null(work: &Load) -> bool {
    work.params.is_some_and(|params| params.suite.name().contains("_WITH_NULL_"))
}
