//! Every library against every other over sockets: what both claim, they must negotiate with each other.

use std::collections::HashSet;

use tlstax_doc::{Library, LibraryKind, Measurement, Outcome};
use tlstax_libraries::{Entry, Home};
use tlstax_measure::clock;
use tlstax_peers::Refused;
use tlstax_spec::{Case, Id, Proof, Workload};

use crate::batch::Amount;
use crate::error::{RunError, cores};
use crate::event::{Event, Observer, Trial};
use crate::pool::Pool;
use crate::survey::probe;

mod common;

use common::Common;

/// Batches of each load. Connections that are kept alive outlast the first, so that the others make no handshake.
const BATCHES: usize = 2;

/// Requests in a batch: several on each connection.
const REQUESTS: u64 = 8;

/// Which libraries meet, and how thoroughly.
#[derive(Debug)]
pub struct Meeting<'a> {
    /// Those that are examined.
    pub libraries: Vec<&'a Entry>,
    /// Those that each of them meets, as client and as server; it also meets itself.
    pub against: Vec<&'a Entry>,
    /// Every combination of suite, group and key, instead of as many as show each of them once.
    pub every: bool,
}

/// The outcome of all meetings.
#[derive(Debug)]
pub struct Interop {
    pub libraries: Vec<Library>,
    /// One for each combination: `Measured` without batches is one that worked.
    pub outcomes: Vec<Measurement>,
}

/// Lets libraries meet over loopback: connections for each combination that both claim, proved by both sides.
///
/// # Errors
/// No library can be started, or the user interrupts.
pub fn interop(meeting: &Meeting<'_>, home: &Home, observer: &mut dyn Observer) -> Result<Interop, RunError> {
    let entries = meeting.entries();
    let entries: Vec<&Entry> = entries.iter().collect();
    let mut pool = Pool::new(home, cores()?, &entries);
    let libraries = probe(&mut pool, &entries, observer)?;
    let untried =
        |case| Measurement::new(case, Outcome::Measured { proof: Proof::default(), batches: Vec::new() });
    let mut outcomes: Vec<Measurement> = meeting.cases(&libraries).into_iter().map(untried).collect();
    let tried = try_each(&mut pool, &mut outcomes, observer);
    pool.end();
    tried.map(|()| Interop { libraries, outcomes })
}

fn try_each(
    pool: &mut Pool<'_>,
    outcomes: &mut [Measurement],
    observer: &mut dyn Observer,
) -> Result<(), RunError> {
    let (begun, of, mut failed) = (clock::monotonic(), outcomes.len(), 0);
    for (done, Measurement { case, outcome, .. }) in outcomes.iter_mut().enumerate() {
        let elapsed = clock::monotonic().since(begun);
        observer.observe(Event::Trying(Trial { case, done, of, failed, elapsed }));
        let slot =
            u32::try_from(done).unwrap_or_else(|_| unreachable!("there are fewer combinations than that"));
        let tried = try_one(pool, slot, case);
        pool.release(slot, case);
        *outcome = match tried {
            Ok(proof) => Outcome::Measured { proof, batches: Vec::new() },
            Err(Refused::Interrupted) => return Err(RunError::Interrupted),
            Err(refused) => refused.into_outcome(),
        };
        failed += usize::from(matches!(outcome, Outcome::Failed { .. }));
    }
    Ok(())
}

/// The proof of a load's last batch; each batch must have one.
fn try_one(pool: &mut Pool<'_>, slot: u32, case: &Case) -> Result<Proof, Refused> {
    let mut proof = pool.prepare(slot, case)?;
    let amount = Amount { iterations: REQUESTS, least: REQUESTS, ..Amount::trial() };
    for _ in 0..BATCHES {
        proof = pool.run(slot, case, amount)?.proof;
    }
    Ok(proof)
}

impl Meeting<'_> {
    /// Everybody who takes part, once.
    fn entries(&self) -> Vec<Entry> {
        let mut seen = HashSet::new();
        let everybody = self.libraries.iter().chain(&self.against);
        everybody.filter(|entry| seen.insert(&entry.id)).map(|entry| (*entry).clone().untimed()).collect()
    }

    /// Each library as server of itself, and with each other one both ways; who is a client alone serves nobody.
    fn pairs(&self) -> Vec<(&Id, &Id)> {
        let mut pairs = Vec::new();
        for one in &self.libraries {
            for other in std::iter::once(one).chain(&self.against) {
                for (server, client) in [(one, other), (other, one)] {
                    let pair = (&server.id, &client.id);
                    if server.kind != LibraryKind::Client && !pairs.contains(&pair) {
                        pairs.push(pair);
                    }
                }
            }
        }
        pairs
    }

    fn cases(&self, libraries: &[Library]) -> Vec<Case> {
        let hello = |id: &Id| libraries.iter().find(|library| library.id == *id)?.hello.as_ref();
        let loads = |(server, client): (&Id, &Id)| -> Option<Vec<Case>> {
            let loads = Common::of(hello(server)?, hello(client)?).loads(client, self.every);
            let case = |load| Case { library: server.clone(), threads: 1, workload: Workload::Load(load) };
            Some(loads.into_iter().map(case).collect())
        };
        self.pairs().into_iter().filter_map(loads).flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use tlstax_libraries::Block;

    use super::*;

    #[test]
    fn d21_a_client_alone_is_no_server() {
        let entry = |id, client| Entry::from(Block { client, ..Block::new(Id::literal(id), "a library") });
        let (library, other, lean) = (entry("a", false), entry("b", false), entry("lean", true));
        let meeting = Meeting { libraries: vec![&library, &lean], against: vec![&other], every: false };
        let ids: Vec<_> =
            meeting.pairs().into_iter().map(|(server, client)| (server.as_str(), client.as_str())).collect();
        assert_eq!(ids, [("a", "a"), ("a", "b"), ("b", "a"), ("b", "lean")]);
    }
}
