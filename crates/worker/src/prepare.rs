//! From a case to its job.

use tlstax_spec::wire::Target;
use tlstax_spec::{Case, Side, Stage, Workload};

use crate::adapter::{Adapter, Order};
use crate::bulk::BulkJob;
use crate::handshake::HandshakeJob;
use crate::idle::IdleJob;
use crate::job::{JobError, Prepared};
use crate::load::{ClientJob, ServerJob};
use crate::pki::Pki;
use crate::primitive::PrimitiveJob;

/// Gets a case ready: sets the library up, runs it once untimed, and proves that it did what the case says.
///
/// # Errors
/// The library cannot do it, or the trial run failed or contradicts the case.
pub fn prepare<'a>(
    adapter: &'a dyn Adapter,
    case: &Case,
    end: Option<Side>,
    port: Option<u16>,
    target: Option<&Target>,
    pki: &Pki,
) -> Result<Prepared<'a>, JobError> {
    if case.threads == 0 {
        return Err(JobError::failed(Stage::Prepare, "a case needs at least one thread"));
    }
    let threads = case.threads;
    let prepared = match (&case.workload, end) {
        (Workload::Primitive(primitive), None) => PrimitiveJob::prepare(adapter, *primitive, threads, pki)?,
        (Workload::Handshake(handshake), None) => HandshakeJob::prepare(adapter, *handshake, threads, pki)?,
        (Workload::Bulk(bulk), None) => BulkJob::prepare(adapter, *bulk, threads, pki)?,
        (Workload::Idle(idle), None) => IdleJob::prepare(adapter, *idle, pki)?,
        (Workload::Load(load), Some(Side::Server)) => ServerJob::prepare(adapter, load, pki)?,
        (Workload::Load(load), Some(Side::Client)) => {
            let port = port.ok_or_else(|| {
                JobError::failed(Stage::Prepare, "the client of a load needs the server's port")
            })?;
            let order = Order { load, threads, port, target, pki };
            adapter.client(&order).unwrap_or_else(|| ClientJob::prepare(adapter, &order))?
        }
        (Workload::Load(_), None) => {
            return Err(JobError::failed(Stage::Prepare, "a load needs an end: client or server"));
        }
        (_, Some(_)) => return Err(JobError::failed(Stage::Prepare, "only a load has ends")),
    };
    // The server's end of a load has negotiated nothing before its client comes.
    if end != Some(Side::Server) {
        prepared
            .proof
            .check(&case.workload)
            .map_err(|mismatch| JobError::failed(Stage::Proof, mismatch.to_string()))?;
    }
    Ok(prepared)
}
