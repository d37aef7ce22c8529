//! A [`Job`]: a case that is ready to be run in batches.

use std::io;

use tlstax_spec::wire::{Target, Usage};
use tlstax_spec::{Case, Proof, Sample, Side, Stage, Workload};

use crate::adapter::{Adapter, Order, Refusal};
use crate::bulk::BulkJob;
use crate::handshake::HandshakeJob;
use crate::idle::IdleJob;
use crate::load::{ClientJob, ServerJob};
use crate::pki::Pki;
use crate::primitive::PrimitiveJob;

/// A prepared case. Everything that is not to be timed was done when it was made.
pub trait Job {
    /// Runs `warmup` iterations untimed and then `iterations` timed ones, on each thread of the case.
    ///
    /// # Errors
    /// The library failed, or did something else than the case says.
    fn run(&mut self, iterations: u64, warmup: u64) -> Result<(Sample, Proof), JobError>;

    /// What a server has used and counted; the error says that the job is none.
    ///
    /// # Errors
    /// There is no server, or it has ended.
    fn usage(&mut self) -> Result<Usage, JobError> {
        Err(JobError::failed(Stage::Run, "only the server's end of a load counts its usage"))
    }
}

/// A case after its trial run.
pub struct Prepared<'a> {
    /// The job.
    pub job: Box<dyn Job + 'a>,
    /// What the trial run proved.
    pub proof: Proof,
    /// Where a server listens, on 127.0.0.1.
    pub port: Option<u16>,
}

/// Why a case has no figure.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JobError {
    /// The library has no such thing.
    #[error("unsupported: {0}")]
    Unsupported(String),
    /// It went wrong.
    #[error("{stage}: {message}")]
    Failed {
        /// Where.
        stage: Stage,
        /// What, in one sentence.
        message: String,
    },
}

impl JobError {
    /// A failure at a stage.
    pub fn failed(stage: Stage, message: impl Into<String>) -> Self {
        Self::Failed { stage, message: message.into() }
    }

    /// An error of the library or its transport while `doing` something.
    pub(crate) fn io(stage: Stage, doing: &str, error: &io::Error) -> Self {
        Self::failed(stage, format!("{doing}: {error}"))
    }

    /// What an adapter refused to get ready.
    pub(crate) fn preparing(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Unsupported(reason) => Self::Unsupported(reason),
            Refusal::Failed(message) => Self::failed(Stage::Prepare, message),
        }
    }

    /// What an adapter refused to do in a batch.
    pub(crate) fn running(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Unsupported(reason) => Self::Unsupported(reason),
            Refusal::Failed(message) => Self::failed(Stage::Run, message),
        }
    }
}

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
