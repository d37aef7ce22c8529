//! The client's end of a load as the SDK sees it.

use tlstax_spec::{Bytes, Key, Parts, Proof, Sample};
use tlstax_worker::cpu::sum;
use tlstax_worker::{Batch, Job, JobError, Latencies, Negotiated, Order, Prepared};

use crate::crew::{Crew, Task, Window};
use crate::recipe::Recipe;

pub(crate) struct LeanJob {
    crew: Crew,
    /// What the handshakes have negotiated so far.
    negotiated: Negotiated,
    /// The key of the case, which the certificate of every full handshake has.
    key: Option<Key>,
    is_key_seen: bool,
}

impl LeanJob {
    /// Sets the client up, gets the sessions that will be resumed, and makes one request on each connection.
    ///
    /// # Errors
    /// The load cannot be made, or its trial failed.
    pub(crate) fn prepare(recipe: Recipe, order: &Order<'_>) -> Result<Prepared<'static>, JobError> {
        let primes = recipe.primes();
        let mut job = Self {
            crew: Crew::new(recipe, order.threads)?,
            negotiated: Negotiated::default(),
            key: order.load.params.map(|params| params.key),
            is_key_seen: primes > 0,
        };
        if primes > 0 {
            job.crew.run(Task::Prime(primes))?;
        }
        let windows = job.crew.run(Task::Trial(order.load.connections.into()))?;
        let proof = job.proof(&windows);
        Ok(Prepared { job: Box::new(job), proof, port: None })
    }

    fn proof(&mut self, windows: &[Window]) -> Proof {
        let sum = |of: fn(&Window) -> u64| windows.iter().map(of).sum::<u64>();
        let handshakes = sum(|window| window.tally.handshakes);
        let resumed = sum(|window| window.tally.resumed);
        let early = sum(|window| window.tally.early);
        // Windows without a handshake go on with what was negotiated before.
        if let Some(negotiated) = windows.iter().find_map(|window| window.tally.negotiated.clone()) {
            let group = negotiated.group.or(self.negotiated.group.filter(|_| resumed < handshakes));
            self.negotiated = Negotiated { group, ..negotiated };
        }
        self.is_key_seen |= handshakes > resumed;
        let Negotiated { version, suite, group, .. } = self.negotiated;
        let key = self.key.filter(|_| self.is_key_seen);
        Proof { version, suite, group, key, handshakes, resumed, early, ..Proof::default() }
    }
}

impl Job for LeanJob {
    fn run(&mut self, batch: Batch) -> Result<(Sample, Proof), JobError> {
        let windows = self.crew.run(Task::Run(batch))?;
        let start = windows.iter().map(|window| window.start).min().unwrap_or_default();
        let end = windows.iter().map(|window| window.end).max().unwrap_or_default();
        let cpu = sum(windows.iter().map(|window| window.cpu));
        // Those of several threads would overlap.
        let client = if let [alone] = windows.as_slice() { alone.parts.clone() } else { Vec::new() };
        let sample = Sample {
            iterations: windows.iter().map(|window| window.tally.done).sum(),
            wall: end.since(start),
            cpu,
            bytes: Bytes(windows.iter().map(|window| window.tally.bytes).sum()),
            client: Some(cpu),
            client_waited: Some(windows.iter().map(|window| window.waited).sum()),
            latency: Some(Latencies::encode(windows.iter().map(|window| &window.latencies))?),
            parts: Parts { client, ..Parts::default() },
            ..Sample::default()
        };
        Ok((sample, self.proof(&windows)))
    }
}
