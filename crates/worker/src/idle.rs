//! The memory of connections that do nothing: how much the process grows by connections of which one side is kept.
//!
//! The figure is the growth of the proportional set size (PSS): what the kernel says is resident, shared pages divided
//! among those who share them. It contains what the allocator rounds up, and holes that earlier connections left may
//! hide some of it; docs/bias.md says how much that can be.

use tlstax_measure::accounting::pss;
use tlstax_measure::clock::{monotonic, thread_usage, usage_between};
use tlstax_spec::{Bytes, Idle, Proof, Sample, Side, Stage};

use crate::adapter::{Adapter, Connection};
use crate::job::{Batch, Job, JobError, Prepared};
use crate::laps::Laps;
use crate::pair::{Ends, Pair, endpoint};
use crate::pipe::Wire;
use crate::pki::Pki;

/// Idle connections of one kind; each batch makes them anew and drops them.
pub(crate) struct IdleJob {
    ends: Ends,
    idle: Idle,
}

impl IdleJob {
    /// Configures both ends and makes one generation of connections, so that the allocator has its arenas and the
    /// library its tables before anything is read.
    pub(crate) fn prepare(
        adapter: &dyn Adapter,
        idle: Idle,
        pki: &Pki,
    ) -> Result<Prepared<'static>, JobError> {
        if idle.connections == 0 {
            return Err(JobError::failed(Stage::Prepare, "idle connections: there must be at least one"));
        }
        let ends = Ends::new(adapter, &endpoint(idle.params, pki))?;
        let mut job = Self { ends, idle };
        let (_, proof) = job.run(Batch::whole(1, 0))?;
        Ok(Prepared { job: Box::new(job), proof, port: None })
    }
}

impl Job for IdleJob {
    /// One batch is always one generation, however many iterations are asked for.
    fn run(&mut self, _: Batch) -> Result<(Sample, Proof), JobError> {
        let connections = self.idle.connections;
        let mut kept: Vec<Box<dyn Connection>> = Vec::with_capacity(connections as usize);
        let mut proof = None;
        let wire = Wire::default();
        return_free_memory();
        let before = resident()?;
        let (cpu, start) = (thread_usage(), monotonic());
        for _ in 0..connections {
            wire.reset();
            let pair = Pair::connect(&self.ends, &wire, &mut Laps::start(1))?;
            if proof.is_none() {
                // What stays of a list among the connections keeps the allocator from giving their memory back.
                proof = Some(Proof { flights: Vec::new(), ..pair.proof(&wire)? });
            }
            kept.push(match self.idle.side {
                Side::Client => pair.client,
                Side::Server => pair.server,
            });
        }
        let (wall, cpu) = (monotonic().since(start), usage_between(cpu, thread_usage()));
        let growth = resident()?.saturating_sub(before);
        drop(kept);
        let iterations = u64::from(connections);
        let sample = Sample { iterations, wall, cpu, bytes: Bytes(growth), ..Sample::default() };
        let proof = proof.map(|proof| Proof { handshakes: iterations, ..proof }).unwrap_or_default();
        Ok((sample, proof))
    }
}

/// Gives the pages of earlier connections back, or the next ones would fill them and nothing would seem to grow.
fn return_free_memory() {
    #[cfg(target_env = "gnu")]
    // SAFETY: malloc_trim touches only memory that the allocator holds free, under the allocator's own lock.
    unsafe {
        libc::malloc_trim(0);
    }
}

fn resident() -> Result<u64, JobError> {
    let pss = pss(std::process::id()).map_err(|error| JobError::failed(Stage::Run, error.to_string()))?;
    Ok(pss.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::Control;
    use crate::setup::USUAL;

    #[test]
    fn no_connections_are_no_case() {
        let none = Idle { params: USUAL, side: Side::Server, connections: 0 };
        let refused = IdleJob::prepare(&Control, none, &Pki::new("pki"));
        assert!(matches!(refused, Err(JobError::Failed { stage: Stage::Prepare, .. })));
    }
}
