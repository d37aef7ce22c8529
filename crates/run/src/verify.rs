//! No proof, no number: what came back is held against the case and against independent readings.

use tlstax_doc::{Measurement, Note, Outcome, Severity};
use tlstax_spec::wire::Usage;
use tlstax_spec::{Load, Nanos, Sample, Workload};

/// Within this share the two sides of a handshake must add up to the CPU time of the thread that did both.
const SIDES_AGREE: f64 = 0.02;

/// Within this share two accountings of a load must agree, not counting [`CONVERSATION`].
const ACCOUNTS_AGREE: f64 = 0.01;

/// What the scheduler sees of a window beside the load: both processes read a request and write an answer, the client
/// with a histogram in it. 0.1 to 0.3 ms were seen.
const CONVERSATION: Nanos = Nanos(300_000);

/// Checks one sample of a case against itself and, for a load, against what the server counted.
///
pub fn sample(workload: &Workload, asked: u64, sample: &Sample) -> Result<(), String> {
    if sample.iterations == 0 || sample.iterations < asked {
        return Err(format!("asked for {asked} iterations, the worker did {}", sample.iterations));
    }
    if sample.wall.0 == 0 {
        return Err("the worker says that the batch took no time at all".to_owned());
    }
    if let Workload::Primitive(primitive) = workload
        && primitive.size > 0
        && sample.bytes.0 != sample.iterations * u64::from(primitive.size)
    {
        let (bytes, iterations, size) = (sample.bytes.0, sample.iterations, primitive.size);
        return Err(format!("{iterations} messages of {size} bytes cannot be {bytes} bytes"));
    }
    Ok(())
}

/// Checks what the server counted in a window of load against what the client did, untimed warm-up included.
pub fn load(load: &Load, requests: u64, before: &Usage, after: &Usage) -> Result<(), String> {
    let served = after.requests - before.requests;
    if served != requests {
        return Err(format!("the client counts {requests} requests, the server {served}"));
    }
    let (sent, expected) = (after.bytes - before.bytes, requests * u64::from(load.body));
    if sent != expected {
        return Err(format!("the server sent {sent} bytes of bodies, {expected} were asked for"));
    }
    Ok(())
}

/// Whether the parts of a batch in memory add up; batches in which the thread was preempted are not judged.
pub fn sides_agree(sample: &Sample) -> Option<bool> {
    let sum = sample.client?.total + sample.server?.total;
    let (sum, cpu, wall) = (sum.0 as f64, sample.cpu.total.0 as f64, sample.wall.0 as f64);
    // The summary passes such batches over, see `tlstax_doc::Metric::cost`.
    let preempted = wall > cpu * (1.0 + SIDES_AGREE);
    (!preempted && cpu > 0.0).then(|| (sum / cpu - 1.0).abs() <= SIDES_AGREE)
}

/// What the whole of a measurement says about its own accounting.
pub fn measurement(measurement: &Measurement) -> Vec<Note> {
    match &measurement.case.workload {
        // Several threads read the CPU clock at each step, and the estimate of what that costs does not add up.
        _ if measurement.case.threads > 1 => Vec::new(),
        Workload::Handshake(_) | Workload::Bulk(_) => disagreement(
            measurement.batches().iter().filter_map(|batch| sides_agree(&batch.sample)),
            "client and server do not add up to the thread's CPU time within 2 %",
        ),
        Workload::Load(_) => disagreement(
            measurement.batches().iter().filter_map(|batch| {
                let (own, observed) = (batch.sample.cpu.total, batch.observed?);
                let allowed = ACCOUNTS_AGREE * observed.0 as f64 + CONVERSATION.0 as f64;
                Some((own.0 as f64 - observed.0 as f64).abs() <= allowed)
            }),
            "the workers' own CPU time and the scheduler's differ by more than 1 %",
        ),
        Workload::Primitive(_) | Workload::Idle(_) => Vec::new(),
    }
}

fn disagreement(agreements: impl Iterator<Item = bool>, what: &str) -> Vec<Note> {
    let (mut agreed, mut judged) = (0, 0);
    for agreement in agreements {
        judged += 1;
        agreed += u32::from(agreement);
    }
    // A tenth may be off by chance: a timer interrupt inside a batch of 2 ms is not the harness's fault.
    if judged == 0 || judged - agreed <= judged / 10 {
        return Vec::new();
    }
    vec![Note {
        severity: Severity::Warning,
        what: format!("in {} of {judged} batches {what}", judged - agreed),
        remedy:
            "measure again on a quieter machine; if it stays, the figure of each side is not to be trusted"
                .to_owned(),
    }]
}

/// Every library must compute the same from the same input: the odd one out is a failure, not a figure.
pub fn answers(measurements: &mut [Measurement]) {
    let mut known: std::collections::HashMap<String, (String, String)> = std::collections::HashMap::new();
    for measurement in measurements {
        let (library, id) = (measurement.case.library.clone(), measurement.id.clone());
        let operation = id.strip_prefix(&library).unwrap_or(&id).to_owned();
        let Some(answer) = measurement.proof().and_then(|proof| proof.answer.clone()) else { continue };
        let (first, expected) =
            known.entry(operation).or_insert_with(|| (library.clone(), answer.clone())).clone();
        if answer != expected {
            measurement.outcome = Outcome::Failed {
                stage: "proof".to_owned(),
                message: format!(
                    "{library} computed {answer}, {first} computed {expected} from the same input"
                ),
                stderr: String::new(),
            };
        }
    }
}
