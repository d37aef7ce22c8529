//! Application data in memory: one side writes a buffer, then the other reads it, and each is timed on its own.
//!
//! What the wire takes to carry large records is nobody's, in one thread. In several the clock is too dear to tell it apart.

use std::io;

use tlstax_spec::{Bulk, Bytes, Direction, Nanos, Proof, Sample, Side, Stage};

use crate::adapter::{Adapter, Connection, Endpoint};
use crate::content::Payload;
use crate::job::{Batch, Job, JobError, Prepared};
use crate::laps::{Laps, Times};
use crate::pair::{Ends, LARGEST_RECORD, Pair, endpoint};
use crate::pipe::{Wire, opposite};
use crate::pki::Pki;
use crate::threads::together;

/// The smallest record size that the max_fragment_length extension has (RFC 6066 4).
const SMALLEST_RECORD: u32 = 512;

/// The reader's buffer: the plaintext of one record, as the usual servers and clients have it.
const READ: usize = LARGEST_RECORD as usize;

/// An established connection through which buffers are sent.
pub(crate) struct BulkJob {
    bulk: Bulk,
    ends: Ends,
    threads: u16,
    /// With one thread, the connection of all batches; several threads make their own in each batch.
    line: Option<Line>,
}

impl BulkJob {
    /// Establishes the connection and sends one buffer, whose contents are compared.
    pub(crate) fn prepare(
        adapter: &dyn Adapter,
        bulk: Bulk,
        threads: u16,
        pki: &Pki,
    ) -> Result<Prepared<'static>, JobError> {
        let Bulk { params, record, write, buffer, compression, .. } = bulk;
        if write == 0 || buffer == 0 || !(SMALLEST_RECORD..=LARGEST_RECORD).contains(&record) {
            let message = format!(
                "records must be {SMALLEST_RECORD} to {LARGEST_RECORD} bytes, write and buffer at least 1; \
                 the case has {record}, {write} and {buffer}"
            );
            return Err(JobError::failed(Stage::Prepare, message));
        }
        let ends = Ends::new(adapter, &Endpoint { record, compression, ..endpoint(params, pki) })?;
        let mut line = Line::connect(&ends, &bulk, threads)?;
        line.compare_contents()?;
        let (_, proof) = line.run(Batch::whole(1, 0))?;
        let line = (threads == 1).then_some(line);
        Ok(Prepared { job: Box::new(Self { bulk, ends, threads, line }), proof, port: None })
    }
}

impl Job for BulkJob {
    fn run(&mut self, batch: Batch) -> Result<(Sample, Proof), JobError> {
        let batches = match &mut self.line {
            Some(line) => {
                line.run(Batch::whole(batch.warmup, 0))?;
                vec![line.run(batch)?]
            }
            None => {
                let (ends, bulk, threads) = (&self.ends, &self.bulk, self.threads);
                together(
                    threads,
                    |_| {
                        let mut line = Line::connect(ends, bulk, threads)?;
                        line.run(Batch::whole(batch.warmup.max(1), 0))?;
                        Ok(line)
                    },
                    |mut line| line.run(batch),
                )?
            }
        };
        let (times, proofs): (Vec<_>, Vec<_>) = batches.into_iter().unzip();
        // Nothing pauses here.
        let sample = Times::sample(&times, batch.iterations, Nanos(0));
        let bytes = Bytes(sample.iterations * u64::from(self.bulk.buffer));
        // The handshake was before the batch, and the trial has counted it.
        let proof = proofs.into_iter().next().unwrap_or_default();
        Ok((Sample { bytes, ..sample }, Proof { handshakes: 0, resumed: 0, early: 0, ..proof }))
    }
}

struct Line {
    pair: Pair,
    wire: Wire,
    proof: Proof,
    threads: u16,
    /// Who sends.
    from: Side,
    write: usize,
    payload: Payload,
    received: Vec<u8>,
}

impl Line {
    fn connect(ends: &Ends, bulk: &Bulk, threads: u16) -> Result<Self, JobError> {
        let wire = Wire::default();
        let pair = Pair::connect(ends, &wire, &mut Laps::start(1))?;
        // Its bytes will be those of a buffer, which comes in no flights.
        let proof = Proof { flights: Vec::new(), ..pair.proof(&wire)? };
        if threads == 1 {
            wire.time_carrying();
        }
        let from = match bulk.direction {
            Direction::Download => Side::Server,
            Direction::Upload => Side::Client,
        };
        Ok(Self {
            pair,
            wire,
            proof,
            threads,
            from,
            write: bulk.write as usize,
            payload: Payload::of(bulk),
            received: vec![0; READ],
        })
    }

    fn run(&mut self, batch: Batch) -> Result<(Times, Proof), JobError> {
        let sent = (self.wire.sent(Side::Client), self.wire.sent(Side::Server));
        let (sender, receiver) = self.pair.from(self.from);
        let (times, ()) = Times::of(self.threads, batch, |laps| {
            for _ in 0..batch.iterations {
                let payload = self.payload.next();
                send(sender, payload, self.write)?;
                laps.carried(self.wire.carried());
                laps.of(self.from);
                receive(receiver, &mut self.received, payload.len())?;
                laps.carried(self.wire.carried());
                laps.of(opposite(self.from));
                laps.iterated();
            }
            Ok(())
        })?;
        let each = |now: u64, before: u64| (now - before) / batch.iterations.max(1);
        let proof = Proof {
            client_bytes: each(self.wire.sent(Side::Client), sent.0),
            server_bytes: each(self.wire.sent(Side::Server), sent.1),
            ..self.proof.clone()
        };
        Ok((times, proof))
    }

    /// Sends one buffer and looks at every byte that arrives.
    fn compare_contents(&mut self) -> Result<(), JobError> {
        let (sender, receiver) = self.pair.from(self.from);
        let payload = self.payload.next();
        send(sender, payload, self.write)?;
        let mut at = 0;
        while at < payload.len() {
            let read = read(receiver, &mut self.received)?;
            if payload.get(at..at + read) != Some(&self.received[..read]) {
                let message = format!("other bytes arrived than were sent, after byte {at}");
                return Err(JobError::failed(Stage::Proof, message));
            }
            at += read;
        }
        self.wire.carried();
        Ok(())
    }
}

/// Writes all of it in pieces of so many bytes.
fn send(sender: &mut dyn Connection, payload: &[u8], write: usize) -> Result<(), JobError> {
    for mut piece in payload.chunks(write) {
        while !piece.is_empty() {
            match sender.write(piece) {
                Ok(0) => {
                    let message = "the sender accepts no bytes though the pipe takes all";
                    return Err(JobError::failed(Stage::Run, message));
                }
                Ok(written) => piece = &piece[written..],
                Err(error) => return Err(JobError::io(Stage::Run, "writing application data", &error)),
            }
        }
    }
    sender
        .write(&[])
        .map(drop)
        .map_err(|error| JobError::io(Stage::Run, "sending the last application data", &error))
}

/// Reads as many bytes as were sent, and not one more.
fn receive(receiver: &mut dyn Connection, buffer: &mut [u8], length: usize) -> Result<(), JobError> {
    let mut received = 0;
    while received < length {
        received += read(receiver, buffer)?;
    }
    if received > length {
        let message = format!("{received} bytes arrived of {length} that were sent");
        return Err(JobError::failed(Stage::Proof, message));
    }
    Ok(())
}

fn read(receiver: &mut dyn Connection, buffer: &mut [u8]) -> Result<usize, JobError> {
    match receiver.read(buffer) {
        Ok(0) => {
            Err(JobError::failed(Stage::Run, "the connection was closed in the middle of application data"))
        }
        Ok(read) => Ok(read),
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
            Err(JobError::failed(Stage::Proof, "fewer bytes arrived than were sent"))
        }
        Err(error) => Err(JobError::io(Stage::Run, "reading application data", &error)),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use tlstax_spec::Workload;

    use super::*;
    use crate::control::Control;
    use crate::setup::USUAL;

    fn bulk(direction: Direction, record: u32, write: u32, buffer: u32) -> Bulk {
        Bulk { direction, record, write, buffer, ..Bulk::usual(USUAL) }
    }

    #[test]
    fn payload_and_wire_bytes_are_counted_on_the_sender() {
        for threads in [1, 2] {
            let case = bulk(Direction::Download, 1024, 10_000, 25_000);
            let mut prepared = BulkJob::prepare(&Control, case, threads, &Pki::new("pki")).unwrap();
            let (sample, proof) = prepared.job.run(Batch::whole(4, 1)).unwrap();
            proof.check(&Workload::Bulk(case)).unwrap();
            let buffers = 4 * u64::from(threads);
            assert_eq!((sample.iterations, sample.bytes), (buffers, Bytes(25_000 * buffers)));
            // Writes of 10 000, 10 000 and 5 000 bytes make 10, 10 and 5 records of 22 more bytes.
            assert_eq!((proof.server_bytes, proof.client_bytes), (25_000 + 25 * 22, 0));
            assert_eq!((prepared.proof.handshakes, proof.handshakes), (1, 0));
        }
        let case = bulk(Direction::Upload, 16_384, 16_384, 16_384);
        let proof = BulkJob::prepare(&Control, case, 1, &Pki::new("pki")).unwrap().proof;
        assert_eq!((proof.server_bytes, proof.client_bytes), (0, 16_384 + 22));
    }

    #[test]
    fn sizes_that_cannot_be_are_refused() {
        for case in [(511, 1, 1), (16_385, 1, 1), (1024, 0, 1), (1024, 1, 0)] {
            let case = bulk(Direction::Upload, case.0, case.1, case.2);
            let refused = BulkJob::prepare(&Control, case, 1, &Pki::new("pki"));
            assert!(matches!(refused, Err(JobError::Failed { stage: Stage::Prepare, .. })));
        }
    }

    #[test]
    fn missing_and_surplus_bytes_are_seen() {
        let case = bulk(Direction::Download, 16_384, 1000, 1000);
        let ends = Ends::new(&Control, &endpoint(case.params, &Pki::new("pki"))).unwrap();
        let mut line = Line::connect(&ends, &case, 1).unwrap();
        send(&mut *line.pair.server, b"12345", 2).unwrap();
        let error = receive(&mut *line.pair.client, &mut line.received, 6).unwrap_err();
        assert_eq!(error, JobError::failed(Stage::Proof, "fewer bytes arrived than were sent"));
        send(&mut *line.pair.server, b"1234567", 7).unwrap();
        let error = receive(&mut *line.pair.client, &mut line.received, 6).unwrap_err();
        assert_eq!(error, JobError::failed(Stage::Proof, "7 bytes arrived of 6 that were sent"));
    }
}
