//! Runs one cryptographic operation, on one or several threads.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tlstax_measure::clock::{monotonic, thread_usage, usage_between};
use tlstax_measure::counter::Counter;
use tlstax_spec::known_answers::{self, hex, name, sizes};
use tlstax_spec::{Bytes, Cpu, Instructions, Nanos, Parts, Pattern, Primitive, Proof, Sample, Stage};

use crate::adapter::{Adapter, Operation};
use crate::counting::{check_countable, finish, start_if};
use crate::cpu::sum;
use crate::inputs::Inputs;
use crate::job::{Batch, Job, JobError, Prepared};
use crate::laps::Elapsed;
use crate::pki::Pki;
use crate::setup;
use crate::threads::together;

/// How often an operation runs between its first answer and the one that must be the same.
const TRIAL: u64 = 3;

pub(crate) struct PrimitiveJob<'a> {
    primitive: Primitive,
    operations: Vec<Mutex<Box<dyn Operation + 'a>>>,
    proof: Proof,
}

impl<'a> PrimitiveJob<'a> {
    /// Checks the known answers, then sets the operation up for each thread and tries it.
    pub(crate) fn prepare(
        adapter: &'a dyn Adapter,
        primitive: Primitive,
        threads: u16,
        pki: &Pki,
    ) -> Result<Prepared<'a>, JobError> {
        check_known_answers(adapter, primitive, pki)?;
        let inputs = Inputs::new(&primitive, pki).map_err(JobError::preparing)?;
        let mut answers = Vec::new();
        let mut operations = Vec::new();
        for _ in 0..threads {
            let mut operation =
                setup::operation(adapter, &primitive, &inputs).map_err(JobError::preparing)?;
            answers.push(try_out(&mut *operation)?);
            operations.push(Mutex::new(operation));
        }
        let first = answers[0].clone();
        if answers.iter().any(|answer| *answer != first) {
            return Err(JobError::failed(Stage::Proof, "the threads' answers to the same input differ"));
        }
        let proof = Proof { answer: Some(known_answers::proof(&first)), ..Proof::default() };
        Ok(Prepared {
            job: Box::new(Self { primitive, operations, proof: proof.clone() }),
            proof,
            port: None,
        })
    }

    fn operation(&self, index: usize) -> MutexGuard<'_, Box<dyn Operation + 'a>> {
        // An operation that panicked in an earlier batch may still be tried again: its answers were proven.
        self.operations[index].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Job for PrimitiveJob<'_> {
    fn run(&mut self, batch: Batch) -> Result<(Sample, Proof), JobError> {
        let job = &*self;
        check_countable(batch, job.operations.len())?;
        let mut timed = together(
            job.operations.len() as u16,
            |index| {
                let mut operation = job.operation(index);
                operation.run(batch.warmup).map_err(JobError::running)?;
                Ok(operation)
            },
            |mut operation| Timed::of(&mut **operation, batch),
        )?;
        let done = batch.iterations * timed.len() as u64;
        let (parts, alone_counted) = match &mut timed[..] {
            [alone] => (std::mem::take(&mut alone.parts), alone.instructions.take()),
            _ => Default::default(),
        };
        let sample = Sample {
            iterations: done,
            wall: Elapsed::of_all(timed.iter().map(|timed| timed.elapsed)),
            cpu: sum(timed.iter().map(|timed| timed.cpu)),
            bytes: Bytes(done * u64::from(self.primitive.size)),
            parts: Parts { whole: parts, ..Parts::default() },
            instructions: alone_counted,
            ..Sample::default()
        };
        Ok((sample, self.proof.clone()))
    }
}

/// What one thread took for its part of a batch.
struct Timed {
    elapsed: Elapsed,
    cpu: Cpu,
    parts: Vec<Nanos>,
    instructions: Option<Box<Instructions>>,
}

impl Timed {
    fn of(operation: &mut dyn Operation, batch: Batch) -> Result<Self, JobError> {
        let Batch { iterations, part, .. } = batch;
        let count = iterations.checked_div(part).unwrap_or_default();
        let mut parts = Vec::with_capacity(count as usize);
        let mut counter = start_if(batch)?;
        let before = thread_usage();
        let start = monotonic();
        let in_parts = (0..count).try_fold(start, |last, _| {
            operation.run(part)?;
            let now = monotonic();
            parts.push(now.since(last));
            Ok(now)
        });
        // Without parts that is all of it; whoever asks for parts asks for whole ones.
        let rest = iterations - count * part;
        let result = in_parts.and_then(|_| if rest > 0 { operation.run(rest) } else { Ok(()) });
        let whole = counter.as_mut().map(Counter::lap);
        let end = monotonic();
        let after = thread_usage();
        result.map_err(JobError::running)?;
        finish(counter)?;
        let instructions = whole.map(|whole| Box::new(Instructions { whole, ..Instructions::default() }));
        Ok(Self { instructions, elapsed: Elapsed { start, end }, cpu: usage_between(before, after), parts })
    }
}

/// Holds the operation, in the call pattern of TLS, against what independent implementations compute.
///
/// # Errors
/// The library cannot do it, or computes something else.
pub(crate) fn check_known_answers(
    adapter: &dyn Adapter,
    primitive: Primitive,
    pki: &Pki,
) -> Result<(), JobError> {
    let (algorithm, op) = (primitive.algorithm, primitive.op);
    if !algorithm.ops().contains(&op) {
        return Err(JobError::Unsupported(format!("there is no operation {op} of {algorithm}")));
    }
    for &size in sizes(algorithm) {
        let small = Primitive { size, pattern: Pattern::Tls, ..primitive };
        let inputs = Inputs::new(&small, pki).map_err(JobError::preparing)?;
        let mut operation = setup::operation(adapter, &small, &inputs).map_err(JobError::preparing)?;
        let answer = try_out(&mut *operation)?;
        let expected = known_answers::output(&small).unwrap_or_default();
        if answer != expected {
            let (name, answer, expected) = (name(algorithm, op), shown(&answer), shown(&expected));
            let message = format!("{name} of {size} bytes gives {answer}, the known answer is {expected}");
            return Err(JobError::failed(Stage::Proof, message));
        }
    }
    Ok(())
}

/// The operation's answer, which must be the same before and after it has run.
fn try_out(operation: &mut dyn Operation) -> Result<Vec<u8>, JobError> {
    let before = operation.answer().map_err(JobError::preparing)?;
    operation.run(TRIAL).map_err(JobError::running)?;
    let after = operation.answer().map_err(JobError::preparing)?;
    if before != after {
        let message = format!("the answer was {} and, after {TRIAL} runs, {}", shown(&before), shown(&after));
        return Err(JobError::failed(Stage::Proof, message));
    }
    Ok(before)
}

fn shown(answer: &[u8]) -> String {
    if answer == <dyn Operation>::CHECKED { "'checked by inverse'".to_owned() } else { hex(answer) }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::sync::Arc;

    use tlstax_spec::wire::Hello;
    use tlstax_spec::{Algorithm, Op, Side};

    use super::*;
    use crate::adapter::{Config, Endpoint};
    use crate::job::Refusal;

    /// A library whose one primitive answers what it is told to, and counts how often it ran.
    struct Parrot {
        answer: fn(&Inputs) -> Vec<u8>,
    }

    struct ParrotOperation(Vec<u8>, u64);

    impl Operation for ParrotOperation {
        fn run(&mut self, n: u64) -> Result<(), Refusal> {
            self.1 += n;
            if self.1 > 1000 { Err(Refusal::Failed("worn out".to_owned())) } else { Ok(()) }
        }

        fn answer(&mut self) -> Result<Vec<u8>, Refusal> {
            Ok(self.0.clone())
        }
    }

    impl Adapter for Parrot {
        fn hello(&self) -> Hello {
            Hello::default()
        }

        fn primitive(&self, _: &Primitive, inputs: &Inputs) -> Result<Box<dyn Operation>, Refusal> {
            Ok(Box::new(ParrotOperation((self.answer)(inputs), 0)))
        }

        fn config(&self, _: Side, _: &Endpoint<'_>) -> Result<Arc<dyn Config>, Refusal> {
            Err(Refusal::Unsupported("no connections".to_owned()))
        }
    }

    fn sealing(op: Op) -> Primitive {
        Primitive { op, algorithm: Algorithm::Aes128Gcm, size: 1350, pattern: Pattern::Tls }
    }

    fn prepare(answer: fn(&Inputs) -> Vec<u8>, op: Op, threads: u16) -> Result<Prepared<'static>, JobError> {
        PrimitiveJob::prepare(Box::leak(Box::new(Parrot { answer })), sealing(op), threads, &Pki::new("pki"))
    }

    #[test]
    fn a_batch_counts_iterations_and_bytes_of_all_threads() {
        for threads in [1, 3] {
            let mut prepared = prepare(|inputs| inputs.message.clone(), Op::Decrypt, threads).unwrap();
            let (sample, proof) = prepared.job.run(Batch::whole(10, 2)).unwrap();
            assert_eq!(sample.iterations, 10 * u64::from(threads));
            assert_eq!(sample.bytes, Bytes(13_500 * u64::from(threads)));
            assert_eq!(proof, prepared.proof);
            let last = Inputs::new(&sealing(Op::Decrypt), &Pki::new("pki")).unwrap();
            assert_eq!(proof.answer.unwrap(), hex(&last.message[1334..]));
        }
    }

    #[test]
    fn every_part_of_a_batch_is_timed_in_one_thread() {
        let run = |threads| {
            let mut prepared = prepare(|inputs| inputs.message.clone(), Op::Decrypt, threads).unwrap();
            prepared.job.run(Batch { part: 3, ..Batch::whole(12, 0) }).unwrap().0
        };
        let sample = run(1);
        assert_eq!((sample.iterations, sample.parts.whole.len()), (12, 4));
        assert!(sample.parts.whole.iter().copied().sum::<Nanos>() <= sample.wall);
        assert!(run(2).parts.is_empty(), "parts of several threads overlap");
    }

    #[test]
    fn a_wrong_answer_is_no_figure() {
        let Err(JobError::Failed { stage, message }) = prepare(|_| vec![0; 80], Op::Encrypt, 1) else {
            panic!("a wrong answer was accepted")
        };
        assert_eq!(stage, Stage::Proof);
        assert!(message.contains("aes-128-gcm:encrypt of 64 bytes gives 000000"), "{message}");
    }

    #[test]
    fn an_error_in_a_batch_is_told() {
        let mut prepared = prepare(|inputs| inputs.message.clone(), Op::Decrypt, 2).unwrap();
        assert_eq!(
            prepared.job.run(Batch::whole(2000, 0)).err(),
            Some(JobError::failed(Stage::Run, "worn out"))
        );
    }

    #[test]
    fn an_operation_that_does_not_exist_is_unsupported() {
        assert!(matches!(prepare(|_| Vec::new(), Op::Sign, 1), Err(JobError::Unsupported(_))));
    }
}
