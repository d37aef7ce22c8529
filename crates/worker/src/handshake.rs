//! Handshakes in memory: client and server take turns in one thread, and each turn is timed on its own.
//!
//! Making and dropping a connection is part of its side's cost; reading the proof is nobody's.

use tlstax_measure::clock::thread_cpu;
use tlstax_spec::{Handshake, Nanos, Proof, Sample};

use crate::adapter::{Adapter, Endpoint};
use crate::job::{Job, JobError, Prepared};
use crate::laps::{Elapsed, Laps, sum};
use crate::pair::{Ends, LARGEST_RECORD, Pair};
use crate::pipe::Wire;
use crate::pki::Pki;
use crate::threads::together;

/// Handshakes of one kind; the threads share both configurations, as the threads of a server do.
pub(crate) struct HandshakeJob {
    ends: Ends,
    threads: u16,
    /// The shortest time in which a proof was read.
    shortest_pause: Nanos,
}

/// Handshakes before the first that counts: of so many readings of proofs, one is not interrupted.
const TRIAL: u64 = 3;

impl HandshakeJob {
    /// Configures both ends, gets the sessions that will be resumed, and tries one handshake.
    pub(crate) fn prepare(
        adapter: &dyn Adapter,
        handshake: Handshake,
        threads: u16,
        pki: &Pki,
    ) -> Result<Prepared, JobError> {
        let Handshake { params, chain, resumption, mutual } = handshake;
        let endpoint = Endpoint { params, chain, resumption, mutual, record: LARGEST_RECORD, pki };
        let ends = Ends::new(adapter, &endpoint)?;
        ends.prime(threads)?;
        let mut job = Self::new(ends, threads);
        job.run(TRIAL, 0)?;
        let (_, proof) = job.run(1, 0)?;
        Ok(Prepared { job: Box::new(job), proof, port: None })
    }

    fn new(ends: Ends, threads: u16) -> Self {
        Self { ends, threads, shortest_pause: Nanos(u64::MAX) }
    }
}

impl Job for HandshakeJob {
    fn run(&mut self, iterations: u64, warmup: u64) -> Result<(Sample, Proof), JobError> {
        let (ends, threads) = (&self.ends, self.threads);
        // A new thread's first handshake sets up what the library keeps per thread.
        let warmup = warmup.max(u64::from(threads > 1));
        let batches = together(
            threads,
            |_| {
                let wire = Wire::default();
                Batch::run(ends, &wire, threads, warmup).map(|_| wire)
            },
            |wire| Batch::run(ends, &wire, threads, iterations),
        )?;
        let pauses = batches.iter().filter_map(|batch| batch.laps.shortest_pause());
        let shortest_pause = pauses.fold(self.shortest_pause, Nanos::min);
        self.shortest_pause = shortest_pause;
        let sample = Sample {
            iterations: iterations * batches.len() as u64,
            wall: Elapsed::of_all(batches.iter().map(|batch| batch.elapsed)),
            cpu: sum(batches.iter().map(|batch| batch.laps.cpu(batch.thread, shortest_pause))),
            client: Some(sum(batches.iter().map(|batch| batch.laps.sides().0))),
            server: Some(sum(batches.iter().map(|batch| batch.laps.sides().1))),
            ..Sample::default()
        };
        let proofs = batches.into_iter().filter_map(|batch| batch.proof);
        let proof = proofs
            .map(Ok)
            .reduce(|all, one| followed_by(all?, one?))
            .unwrap_or_else(|| Ok(Proof::default()))?;
        Ok((sample, proof))
    }
}

/// One thread's handshakes.
struct Batch {
    laps: Laps,
    elapsed: Elapsed,
    thread: Nanos,
    proof: Option<Proof>,
}

impl Batch {
    fn run(ends: &Ends, wire: &Wire, threads: u16, handshakes: u64) -> Result<Self, JobError> {
        let mut proof = None;
        let before = thread_cpu();
        let mut laps = Laps::start(threads);
        for _ in 0..handshakes {
            let one = shake(ends, wire, &mut laps)?;
            proof = Some(match proof.take() {
                Some(all) => followed_by(all, one)?,
                None => one,
            });
        }
        let thread = thread_cpu().since(before);
        Ok(Self { elapsed: laps.elapsed(), laps, thread, proof })
    }
}

/// One handshake, from making both ends to dropping them.
fn shake(ends: &Ends, wire: &Wire, laps: &mut Laps) -> Result<Proof, JobError> {
    wire.reset();
    let pair = Pair::connect(ends, wire, laps)?;
    let proof = pair.proof(wire);
    laps.pause();
    let Pair { client, server, .. } = pair;
    drop(client);
    laps.client();
    drop(server);
    laps.server();
    proof
}

/// The proof of some handshakes and one more of the same kind: counts add up, the rest is that of the last one.
fn followed_by(all: Proof, last: Proof) -> Result<Proof, JobError> {
    if (all.version, all.suite, all.group) != (last.version, last.suite, last.group) {
        let message =
            format!("one handshake negotiated something else than those before: {last:?} after {all:?}");
        return Err(JobError::failed("proof", message));
    }
    Ok(Proof {
        resumed: all.resumed + last.resumed,
        handshakes: all.handshakes + last.handshakes,
        early: all.early + last.early,
        ..last
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use tlstax_spec::{Group, Key, Params, Resumption, Suite, Version, Workload};

    use super::*;
    use crate::control::Control;

    fn handshake(version: Version, resumption: Resumption) -> Handshake {
        let suite = match version {
            Version::Tls13 => Suite::Aes128Gcm,
            Version::Tls12 => Suite::EcdheRsaAes128Gcm,
        };
        let params = Params { version, suite, group: Some(Group::X25519), key: Key::Rsa2048 };
        Handshake { params, chain: 1, resumption, mutual: false }
    }

    fn prepare(handshake: Handshake, threads: u16) -> Result<Prepared, JobError> {
        HandshakeJob::prepare(&Control, handshake, threads, &Pki::new("pki"))
    }

    #[test]
    fn every_kind_is_proven_and_both_sides_are_timed() {
        for &version in Version::ALL {
            for &resumption in Resumption::ALL.iter().filter(|kind| kind.fits(version)) {
                for threads in [1, 3] {
                    let handshake = handshake(version, resumption);
                    let mut prepared = prepare(handshake, threads).unwrap();
                    let (sample, proof) = prepared.job.run(20, 2).unwrap();
                    let all = 20 * u64::from(threads);
                    assert_eq!((sample.iterations, proof.handshakes), (all, all));
                    proof.check(&Workload::Handshake(handshake)).unwrap();
                    assert!(proof.client_bytes > 100 && proof.server_bytes > 100, "{proof:?}");
                    assert!(sample.client.unwrap().total.0 > 0 && sample.server.unwrap().total.0 > 0);
                }
            }
        }
    }

    #[test]
    fn a_resumption_without_a_session_is_seen() {
        let psk = handshake(Version::Tls13, Resumption::Psk);
        let pki = Pki::new("pki");
        let Handshake { params, chain, resumption, mutual } = psk;
        let endpoint = Endpoint { params, chain, resumption, mutual, record: LARGEST_RECORD, pki: &pki };
        let ends = Ends::new(&Control, &endpoint).unwrap();
        let (_, proof) = HandshakeJob::new(ends, 1).run(2, 0).unwrap();
        assert_eq!((proof.resumed, proof.handshakes), (1, 2));
        assert!(proof.check(&Workload::Handshake(psk)).is_err());
    }

    #[test]
    fn what_tls_does_not_have_is_unsupported() {
        let mut odd = handshake(Version::Tls12, Resumption::Psk);
        assert!(matches!(prepare(odd, 1), Err(JobError::Unsupported(_))));
        odd.resumption = Resumption::Full;
        odd.params.key = Key::EcdsaP256;
        assert!(matches!(prepare(odd, 1), Err(JobError::Unsupported(_))));
    }

    #[test]
    fn no_handshakes_prove_nothing() {
        let mut prepared = prepare(handshake(Version::Tls13, Resumption::Full), 1).unwrap();
        let (sample, proof) = prepared.job.run(0, 0).unwrap();
        assert_eq!((sample.iterations, proof), (0, Proof::default()));
    }
}
