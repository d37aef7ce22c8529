//! Handshakes in memory: client and server take turns in one thread, and each turn is timed on its own.
//!
//! Making and dropping a connection is part of its side's cost, and so is its context where each has its own; reading the
//! proof is nobody's.

use tlstax_spec::{Handshake, Nanos, Proof, Sample, Side, Stage};

use crate::adapter::Adapter;
use crate::contexts::Source;
use crate::job::{Batch, Job, JobError, Prepared};
use crate::laps::{Laps, Times};
use crate::pair::Pair;
use crate::pipe::Wire;
use crate::pki::Pki;
use crate::threads::together;

pub(crate) struct HandshakeJob<'a> {
    contexts: Source<'a>,
    threads: u16,
    /// The shortest time in which a proof was read.
    shortest_pause: Nanos,
}

/// Handshakes before the first that counts: of so many readings of proofs, one is not interrupted.
const TRIAL: u64 = 3;

impl<'a> HandshakeJob<'a> {
    /// Configures both ends, gets the sessions that will be resumed, and tries one handshake.
    pub(crate) fn prepare(
        adapter: &'a dyn Adapter,
        handshake: Handshake,
        threads: u16,
        pki: &Pki,
    ) -> Result<Prepared<'a>, JobError> {
        let mut job = Self::new(Source::new(adapter, handshake, threads, pki)?, threads);
        job.run(Batch::whole(TRIAL, 0))?;
        let (_, proof) = job.run(Batch::whole(1, 0))?;
        Ok(Prepared { job: Box::new(job), proof, port: None })
    }

    fn new(contexts: Source<'a>, threads: u16) -> Self {
        Self { contexts, threads, shortest_pause: Nanos(u64::MAX) }
    }
}

impl Job for HandshakeJob<'_> {
    fn run(&mut self, batch: Batch) -> Result<(Sample, Proof), JobError> {
        let (contexts, threads) = (&self.contexts, self.threads);
        // A new thread's first handshake sets up what the library keeps per thread.
        let warmup = Batch::whole(batch.warmup.max(u64::from(threads > 1)), 0);
        let batches = together(
            threads,
            |index| {
                let thread = Thread { contexts, index, wire: Wire::default(), threads };
                thread.run(warmup).map(|_| thread)
            },
            |thread| thread.run(batch),
        )?;
        let (times, proofs): (Vec<_>, Vec<_>) = batches.into_iter().unzip();
        self.shortest_pause = Times::shortest_pause(&times, self.shortest_pause);
        let sample = Times::sample(&times, batch.iterations, self.shortest_pause);
        let proof = proofs.into_iter().flatten().try_fold(None, followed_by)?.unwrap_or_default();
        Ok((sample, proof))
    }
}

struct Thread<'a> {
    contexts: &'a Source<'a>,
    index: usize,
    wire: Wire,
    threads: u16,
}

impl Thread<'_> {
    fn run(&self, batch: Batch) -> Result<(Times, Option<Proof>), JobError> {
        Times::of(self.threads, batch, |laps| {
            (0..batch.iterations).try_fold(None, |all, _| followed_by(all, self.shake(laps)?))
        })
    }

    /// One handshake, from making both ends to dropping them.
    fn shake(&self, laps: &mut Laps) -> Result<Proof, JobError> {
        self.wire.reset();
        let (pair, own) = match self.contexts.of(self.index) {
            Some(kept) => (Pair::connect(kept, &self.wire, laps)?, None),
            None => {
                let own = self.contexts.make(laps)?;
                (Pair::connect(&own, &self.wire, laps)?, Some((own.client, own.server)))
            }
        };
        let proof = pair.proof(&self.wire);
        laps.pause();
        let Pair { client, server, .. } = pair;
        let (own_client, own_server) = own.unzip();
        drop((client, own_client));
        laps.of(Side::Client);
        drop((server, own_server));
        laps.of(Side::Server);
        laps.iterated();
        proof
    }
}

/// The proof of some handshakes and one more of the same kind: counts add up, the rest is that of the last one.
fn followed_by(all: Option<Proof>, last: Proof) -> Result<Option<Proof>, JobError> {
    let Some(all) = all else { return Ok(Some(last)) };
    if (all.version, all.suite, all.group) != (last.version, last.suite, last.group) {
        let message =
            format!("one handshake negotiated something else than those before: {last:?} after {all:?}");
        return Err(JobError::failed(Stage::Proof, message));
    }
    Ok(Some(Proof {
        resumed: all.resumed + last.resumed,
        handshakes: all.handshakes + last.handshakes,
        early: all.early + last.early,
        ..last
    }))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use tlstax_spec::{Contexts, Group, Key, Mismatch, Params, Resumption, Suite, Version, Workload};

    use super::*;
    use crate::control::Control;

    fn handshake(version: Version, resumption: Resumption) -> Handshake {
        let suite = match version {
            Version::Tls13 => Suite::Aes128Gcm,
            Version::Tls12 => Suite::EcdheRsaAes128Gcm,
            Version::Tls10 | Version::Tls11 => Suite::EcdheRsaAes128CbcSha,
        };
        let params = Params { version, suite, group: Some(Group::X25519), key: Key::Rsa2048 };
        Handshake { params, chain: 1, resumption, mutual: false, contexts: Contexts::Shared }
    }

    fn prepare(handshake: Handshake, threads: u16) -> Result<Prepared<'static>, JobError> {
        HandshakeJob::prepare(&Control, handshake, threads, &Pki::new("pki"))
    }

    #[test]
    fn every_kind_is_proven_and_both_sides_are_timed() {
        for &version in Version::ALL {
            for &resumption in Resumption::ALL.iter().filter(|kind| kind.fits(version)) {
                for threads in [1, 3] {
                    let handshake = handshake(version, resumption);
                    let mut prepared = prepare(handshake, threads).unwrap();
                    let (sample, proof) = prepared.job.run(Batch::whole(20, 2)).unwrap();
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
    fn the_sides_of_each_part_add_up_to_those_of_the_batch() {
        let mut prepared = prepare(handshake(Version::Tls13, Resumption::Psk), 1).unwrap();
        let (sample, _) = prepared.job.run(Batch { part: 4, ..Batch::whole(12, 1) }).unwrap();
        for (parts, side) in [(&sample.parts.client, sample.client), (&sample.parts.server, sample.server)] {
            assert_eq!((parts.len(), parts.iter().copied().sum()), (3, side.unwrap().total));
        }
    }

    #[test]
    fn a_resumption_without_a_session_is_seen() {
        let psk = handshake(Version::Tls13, Resumption::Psk);
        let contexts = Source::keeping(&Control, psk, &Pki::new("pki"), 1, 0).unwrap();
        let (_, proof) = HandshakeJob::new(contexts, 1).run(Batch::whole(2, 0)).unwrap();
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
    fn contexts_can_be_had_by_each_thread_and_each_connection() {
        for &contexts in Contexts::ALL {
            let full = Handshake { contexts, ..handshake(Version::Tls13, Resumption::Full) };
            let (sample, proof) = prepare(full, 2).unwrap().job.run(Batch::whole(5, 0)).unwrap();
            assert_eq!((sample.iterations, proof.handshakes, proof.round_trips), (10, 10, Some(1)));
            let psk = Handshake { contexts, ..handshake(Version::Tls13, Resumption::Psk) };
            assert_eq!(prepare(psk, 2).is_err(), contexts == Contexts::PerConnection);
        }
    }

    #[test]
    fn round_trips_are_counted() {
        for (version, resumption, wanted) in [
            (Version::Tls12, Resumption::Ticket, 1),
            (Version::Tls13, Resumption::Psk, 1),
            (Version::Tls13, Resumption::EarlyData, 0),
        ] {
            let prepared = prepare(handshake(version, resumption), 1).unwrap();
            assert_eq!(prepared.proof.round_trips, Some(wanted), "{version} {resumption}");
        }
    }

    #[test]
    fn flights_are_told_apart_and_are_all_that_was_sent() {
        for (version, resumption, count) in [
            (Version::Tls12, Resumption::Full, 3),
            (Version::Tls13, Resumption::Full, 3),
            (Version::Tls13, Resumption::Psk, 4),
        ] {
            let handshake = handshake(version, resumption);
            let (_, proof) = prepare(handshake, 2).unwrap().job.run(Batch::whole(3, 1)).unwrap();
            assert_eq!(proof.flights.len(), count, "{version} {resumption}: {proof:?}");
            assert!(proof.flights.iter().all(|bytes| *bytes > 0), "{proof:?}");
            proof.check(&Workload::Handshake(handshake)).unwrap();
            let lost = Proof { flights: proof.flights[1..].to_vec(), ..proof };
            assert!(matches!(lost.check(&Workload::Handshake(handshake)), Err(Mismatch::Flights { .. })));
        }
    }

    #[test]
    fn no_handshakes_prove_nothing() {
        let mut prepared = prepare(handshake(Version::Tls13, Resumption::Full), 1).unwrap();
        let (sample, proof) = prepared.job.run(Batch::whole(0, 0)).unwrap();
        assert_eq!((sample.iterations, proof), (0, Proof::default()));
    }
}
