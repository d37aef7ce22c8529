//! An [`End`]: who does a case, or one side of a load.

use tlstax_doc::Library;
use tlstax_peers::servers::Reading;
use tlstax_peers::{Failure, Loss, Refused};
use tlstax_spec::wire::Target;
use tlstax_spec::{Case, Id, Load, Nanos, Proof, Sample, Stage, Workload};

use super::setup::Setup;
use super::watched::Watched;
use crate::batch::Amount;

/// A case, and the slot by which the workers know it.
#[derive(Debug, Clone, Copy)]
pub struct Task<'c> {
    pub slot: u32,
    pub case: &'c Case,
    /// What the case is if it is a load.
    pub load: Option<&'c Load>,
    /// Where its server listens, when a client is prepared.
    pub server: Option<&'c Listening>,
    /// Which ends are read from outside while a window of a load runs.
    pub watched: Option<&'c Watched>,
}

/// What a batch took, and what it proved; no proof of a client whose server alone has one.
pub type Sampled = (Sample, Option<Proof>);

#[derive(Debug, Clone)]
pub struct Listening {
    /// The port, on 127.0.0.1 unless there is a target.
    pub port: u16,
    /// How a server is reached that is not ours.
    pub target: Option<Target>,
}

/// What an end has shown when it is ready.
#[derive(Debug, Clone, Default)]
pub struct Prepared {
    /// What a trial run proved; none of a server, and of a client that proves nothing itself.
    pub proof: Option<Proof>,
    pub listening: Option<Listening>,
}

/// Who does a case, or one side of a load: a worker, a server program, a client program, or a server that the user runs. Each does
/// what it can; the rest is as it stands here. A result is an error where it went wrong, cannot be done, or was interrupted.
pub trait End: std::fmt::Debug {
    /// What studies and results call it.
    fn id(&self) -> &Id;

    /// What it is on this machine: version, and the files that are loaded for it.
    fn probe(&mut self, setup: &mut Setup<'_>) -> Result<Library, Refused>;

    /// Starts the process that all its cases share, unless it runs.
    fn start(&mut self, _: &mut Setup<'_>) -> Result<(), Refused> {
        Ok(())
    }

    /// Refuses what it cannot do as a client, before a server is started for it. Where the server counts nothing, the client has to
    /// prove what was negotiated.
    fn check_client(&mut self, _task: Task<'_>, _server_counts: bool) -> Result<(), Refused> {
        Err(Refused::Unsupported(format!("{} is a server and no client", self.id())))
    }

    /// Gets its part of a case ready.
    fn prepare(&mut self, setup: &mut Setup<'_>, task: Task<'_>) -> Result<Prepared, Refused>;

    /// Runs a batch of a case that is ready.
    fn run(&mut self, _: &mut Setup<'_>, _task: Task<'_>, _amount: Amount) -> Result<Sampled, Refused> {
        Err(Refused::Unsupported(format!("{} is a server and no client", self.id())))
    }

    /// Both accounts of a server, when it has counted so many requests. From then on one that tells parts tells those of so many
    /// responses.
    fn read(&mut self, _task: Task<'_>, _requests: u64, _part: u64) -> Result<Reading, Refused> {
        Err(Refused::Unsupported(format!("{} is a client and no server", self.id())))
    }

    /// The processes whose CPU time is that of this end, where all of them are on its core.
    fn processes(&mut self, _task: Task<'_>) -> Vec<u32> {
        Vec::new()
    }

    /// Whether all that it does is done on the core of its role: of a server that the user runs nobody knows.
    fn is_on_its_core(&self) -> bool {
        true
    }

    /// Whether it tells parts of a window itself, each of so many requests.
    fn tells_parts(&self) -> bool {
        false
    }

    /// CPU time that its process has used, by an account that is not its own: its control group's, or the scheduler's.
    fn observe(&self) -> Option<Nanos> {
        None
    }

    /// Counts the CPU time of a batch, by that account.
    fn note_work(&mut self, _used: Option<Nanos>) {}

    /// A scripted worker's reading of the reference kernels: latency and throughput.
    fn reference(&mut self) -> Result<(Nanos, Nanos), Refused> {
        Err(Refused::failed(Stage::Run, format!("{} has no readings of the reference kernels", self.id())))
    }

    /// Waits until a server has written down all that it has served.
    fn settle(&mut self, _task: Task<'_>) -> Result<(), Refused> {
        Ok(())
    }

    /// Requests that a server may not have written down yet: the last one on each connection that stays.
    fn lag(&mut self, _task: Task<'_>) -> u64 {
        0
    }

    /// Whether a server counts what it serves, so that it can be held against the client's count.
    fn counts(&self) -> bool {
        true
    }

    /// Whether a client makes requests for a time, and not exactly those that it is asked for.
    fn works_for_a_time(&self) -> bool {
        false
    }

    /// How long a window should take with this end, where that is not as with workers on both ends.
    fn window(&self) -> Option<Nanos> {
        None
    }

    /// A failure that the client reports, with what this server knows of it.
    fn explain(&mut self, _task: Task<'_>, failure: Failure) -> Failure {
        failure
    }

    /// Why what runs for a case can no longer be talked to; none where it can.
    fn loss(&mut self, _task: Task<'_>) -> Option<Loss> {
        None
    }

    /// Kills what runs for a case.
    fn abandon(&mut self, _task: Task<'_>) {}

    /// Forgets a case that needs no more batches; whether it could.
    fn release(&mut self, _task: Task<'_>) -> bool {
        true
    }

    /// Whether getting a new process ready would take most of the time of a run.
    fn is_dear(&self) -> bool {
        false
    }

    /// Ends all that runs; whether anything did.
    fn end(&mut self) -> bool {
        false
    }
}

impl<'c> Task<'c> {
    pub fn new(slot: u32, case: &'c Case) -> Self {
        let load = match &case.workload {
            Workload::Load(load) => Some(load),
            _ => None,
        };
        Self { slot, case, load, server: None, watched: None }
    }
}
