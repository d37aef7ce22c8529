//! No proof, no number: what came back is held against the case and against independent readings.

use std::collections::HashMap;

use tlstax_doc::{Measurement, Note, Outcome, Severity};
use tlstax_measure::limits;
use tlstax_spec::wire::Usage;
use tlstax_spec::{Case, Direction, Id, Load, Nanos, Page, Parts, Proof, Sample, Stage, Workload, is_share};

/// Within this share the two sides of a handshake must add up to the CPU time of the thread that did both.
const SIDES_AGREE: f64 = 0.02;

/// Within this share the parts of a batch must add up to the whole; the clock is read once more for the whole.
const PARTS_AGREE: f64 = 0.02;

/// Within this share two accountings of a load must agree, not counting [`CONVERSATION`].
const ACCOUNTS_AGREE: f64 = 0.01;

/// What the scheduler sees of a window beside the load: both processes read a request and write an answer, the client
/// with a histogram in it. 0.1 to 0.3 ms were seen.
const CONVERSATION: Nanos = Nanos(300_000);

/// Files that a process has open beside its connections.
const FURTHER_FILES: u64 = 100;

/// Checks one sample of a case against what was asked for, and against its own proof.
///
/// # Errors
/// What contradicts the case or its proof, in one sentence.
pub fn sample(case: &Case, asked: u64, sample: &Sample, proof: &Proof) -> Result<(), String> {
    let wanted = match &case.workload {
        Workload::Idle(idle) => asked.saturating_mul(idle.connections.into()),
        _ => asked.saturating_mul(case.threads.into()),
    };
    let done = sample.iterations;
    if done != wanted || done == 0 {
        return Err(format!("asked for {wanted} iterations, the worker did {done}"));
    }
    if sample.wall.0 == 0 {
        return Err("the worker says that the batch took no time at all".to_owned());
    }
    match &case.workload {
        Workload::Primitive(primitive) if done.checked_mul(primitive.size.into()) != Some(sample.bytes.0) => {
            Err(format!("{done} messages of {} bytes cannot be {} bytes", primitive.size, sample.bytes.0))
        }
        Workload::Bulk(bulk) if done.checked_mul(bulk.buffer.into()) != Some(sample.bytes.0) => {
            Err(format!("{done} buffers of {} bytes cannot be {} bytes", bulk.buffer, sample.bytes.0))
        }
        Workload::Handshake(_) if proof.handshakes < done => {
            Err(format!("{done} handshakes were timed, the proof has {}", proof.handshakes))
        }
        _ => Ok(()),
    }
}

/// Looks at the parts of a batch that were asked for, each of so many iterations. Large transfers are
/// read from outside, in as many parts as can be told apart.
///
/// # Errors
/// What is wrong with them, in one sentence: the batch is then good as a whole only.
pub fn parts(case: &Case, asked: u64, part: u64, sample: &Sample) -> Result<(), String> {
    let Parts { whole, client, server } = &sample.parts;
    let is_load = matches!(case.workload, Workload::Load(_));
    let beside = if is_load { CONVERSATION } else { Nanos(0) };
    let sides = [(whole, None), (client, sample.client), (server, sample.server)];
    for (parts, side) in sides.iter().filter(|(parts, _)| !parts.is_empty()) {
        let (count, sum) = (parts.len() as u64, parts.iter().copied().sum::<Nanos>());
        let total = side.map_or(sample.wall, |side| side.total);
        // A transfer that is read from outside is longer than its parts.
        let wanted = asked.checked_div(part).unwrap_or(if is_load { count } else { 0 });
        if count != wanted {
            return Err(format!("asked for {wanted} parts of a batch, the worker told {count}"));
        }
        if sum.0.abs_diff(total.0) as f64 > PARTS_AGREE * total.0 as f64 + beside.0 as f64 {
            let (sum, total) = (sum.as_micros(), total.as_micros());
            return Err(format!("the parts of a batch add up to {sum:.1} us, the whole took {total:.1} us"));
        }
    }
    Ok(())
}

/// By how many requests a server's count of a window may differ from the client's.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Allowed {
    /// What it has not written down yet.
    pub fewer: u64,
    /// What it has written down since, and what a client cut off at the end of its time.
    pub more: u64,
}

/// Checks what the server counted in a window of load against what the client did, untimed warm-up included.
///
/// # Errors
/// Where the two accounts differ, in one sentence.
pub fn load(
    load: &Load,
    requests: u64,
    allowed: Allowed,
    before: &Usage,
    after: &Usage,
) -> Result<(), String> {
    let since = |after: u64, before: u64| {
        after.checked_sub(before).ok_or_else(|| format!("the server counted {before} and, later, {after}"))
    };
    let served = since(after.requests, before.requests)?;
    let fewest = requests.saturating_sub(allowed.fewer);
    if !(fewest..=requests.saturating_add(allowed.more)).contains(&served) {
        return Err(format!("the client counts {requests} requests, the server {served}"));
    }
    let (sent, expected) = (since(after.bytes, before.bytes)?, requests.saturating_mul(load.body.into()));
    if allowed == Allowed::default() && load.direction == Direction::Download && sent != expected {
        return Err(format!("the server sent {sent} bytes of bodies, {expected} were asked for"));
    }
    let handshakes = since(after.handshakes, before.handshakes)?;
    let resumed = since(after.resumed, before.resumed)?;
    if load.params.is_some() && load.requests_per_connection == 1 && handshakes != served {
        return Err(format!("each of {requests} requests needs a handshake, the server made {handshakes}"));
    }
    if let Some(percent) = load.resumed_share()
        && !is_share(resumed, handshakes, percent)
    {
        return Err(format!(
            "the server resumed {resumed} of {handshakes} handshakes, the case wants {percent} %"
        ));
    }
    Ok(())
}

/// Refuses a load for whose connections this machine has no room, before it begins.
///
/// # Errors
/// Which limit of the system is too low, and how to raise it.
pub fn resources(load: &Load) -> Result<(), String> {
    let connections = u64::from(load.connections);
    // A server has a connection to the program of a dynamic page for each request on its way.
    let each = if load.page == Page::FastCgi { 2 } else { 1 };
    let (needed, files) = (each * connections + FURTHER_FILES, limits::open_files());
    if needed > files {
        return Err(format!(
            "{connections} connections need {needed} open files in each process, {files} are allowed: raise the hard limit, \
             for example by `ulimit -Hn {needed}` in the shell before"
        ));
    }
    let ports = limits::local_ports();
    if connections > ports {
        return Err(format!(
            "{connections} connections need as many local ports, there are {ports}: widen the range, for example by `sysctl \
             -w net.ipv4.ip_local_port_range=\"1024 65535\"`"
        ));
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
                let own = batch.sample.cpu.total + batch.sample.client_waited.unwrap_or_default();
                let observed = batch.observed?;
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
    let mut known: HashMap<(u16, Workload), (Id, String)> = HashMap::new();
    for measurement in measurements {
        let Case { library, threads, workload } = measurement.case.clone();
        let Some(answer) = measurement.proof().and_then(|proof| proof.answer.clone()) else { continue };
        let (first, expected) =
            known.entry((threads, workload)).or_insert_with(|| (library.clone(), answer.clone())).clone();
        if answer != expected {
            measurement.outcome = Outcome::Failed {
                stage: Stage::Proof,
                message: format!(
                    "{library} computed {answer}, {first} computed {expected} from the same input"
                ),
                stderr: String::new(),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use tlstax_doc::Batch;
    use tlstax_spec::{Algorithm, Bytes, Cpu, Op, Pattern, Primitive, Side};
    use tlstax_spec::{Group, Handshake, Idle, Key, Params, Suite, Version};

    use super::*;

    const DIGEST: Primitive =
        Primitive { op: Op::Digest, algorithm: Algorithm::Sha256, size: 64, pattern: Pattern::Tls };

    const PARAMS: Params = Params {
        version: Version::Tls13,
        suite: Suite::Aes128Gcm,
        group: Some(Group::X25519),
        key: Key::EcdsaP256,
    };

    fn handshake() -> Workload {
        Workload::Handshake(Handshake::usual(PARAMS))
    }

    fn batch_of(iterations: u64, wall: u64, bytes: u64) -> Sample {
        Sample { iterations, wall: Nanos(wall), bytes: Bytes(bytes), ..Sample::default() }
    }

    fn cpu(total: u64) -> Cpu {
        Cpu { total: Nanos(total), ..Cpu::default() }
    }

    /// A batch in memory with so much CPU time and elapsed time in the thread, and so much on each side.
    fn sides(total: u64, wall: u64, client: u64, server: u64) -> Sample {
        let (client, server) = (Some(cpu(client)), Some(cpu(server)));
        Sample { cpu: cpu(total), client, server, ..batch_of(1, wall, 0) }
    }

    fn measured(library: &str, workload: Workload, proof: Proof, samples: Vec<Sample>) -> Measurement {
        let batch =
            |sample| Batch { slice: 0, sample, observed: Some(Nanos(100_000_000)), observed_server: None };
        let batches = samples.into_iter().map(batch).collect();
        let case = Case { library: library.parse().unwrap(), threads: 1, workload };
        Measurement::new(case, Outcome::Measured { proof, batches })
    }

    #[test]
    fn a_batch_that_cannot_be_is_refused() {
        let case = |workload, threads| Case { library: Id::literal("a"), threads, workload };
        let digest = case(Workload::Primitive(DIGEST), 1);
        let none = Proof::default();
        let check = |asked, batch: Sample| sample(&digest, asked, &batch, &none);
        assert_eq!(check(10, batch_of(10, 1, 640)), Ok(()));
        assert!(check(10, batch_of(20, 1, 1280)).unwrap_err().contains("asked for 10 iterations"));
        assert!(check(10, batch_of(9, 1, 576)).unwrap_err().contains("asked for 10 iterations"));
        assert!(check(0, batch_of(0, 1, 0)).is_err());
        assert!(check(10, batch_of(10, 0, 640)).unwrap_err().contains("no time"));
        assert!(check(10, batch_of(10, 1, 641)).unwrap_err().contains("641 bytes"));
        assert!(check(10, batch_of(u64::MAX, 1, 640)).is_err());
        let two = case(Workload::Primitive(DIGEST), 2);
        assert_eq!(sample(&two, 10, &batch_of(20, 1, 1280), &none), Ok(()));
        let sign = Primitive { op: Op::Sign, size: 0, algorithm: Algorithm::Ed25519, ..DIGEST };
        assert_eq!(sample(&case(Workload::Primitive(sign), 1), 10, &batch_of(10, 1, 0), &none), Ok(()));
        let handshake = case(handshake(), 1);
        let proof = |handshakes| Proof { handshakes, ..Proof::default() };
        assert_eq!(sample(&handshake, 10, &batch_of(10, 1, 0), &proof(10)), Ok(()));
        assert!(sample(&handshake, 10, &batch_of(10, 1, 0), &proof(0)).unwrap_err().contains("proof has 0"));
    }

    #[test]
    fn both_ends_of_a_load_must_have_counted_the_same() {
        let asked = Load { connections: 1, body: 100, ..Load::new(Id::literal("b"), None) };
        let counted = |requests, bytes| Usage { requests, bytes, ..Usage::default() };
        let before = counted(5, 500);
        let none = Allowed::default();
        let some = Allowed { fewer: 1, more: 2 };
        assert_eq!(load(&asked, 10, some, &before, &counted(14, 1400)), Ok(()));
        assert_eq!(load(&asked, 10, some, &before, &counted(17, 1700)), Ok(()));
        assert!(load(&asked, 10, some, &before, &counted(13, 1300)).is_err());
        assert!(load(&asked, 10, some, &before, &counted(18, 1800)).is_err());
        assert_eq!(load(&asked, 10, none, &before, &counted(15, 1500)), Ok(()));
        assert!(load(&asked, 10, none, &before, &counted(14, 1500)).unwrap_err().contains("the server 9"));
        assert!(load(&asked, 10, none, &before, &counted(15, 1499)).unwrap_err().contains("999 bytes"));
        // A server that counts backwards, or a client beyond all measure, is wrong and no crash.
        assert!(load(&asked, 10, none, &before, &counted(4, 500)).unwrap_err().contains("5 and, later, 4"));
        assert!(load(&asked, u64::MAX, none, &counted(0, 0), &counted(u64::MAX, 0)).is_err());
        let hidden = Usage { handshakes: 10, resumed: 1, ..counted(15, 1500) };
        assert!(load(&asked, 10, none, &before, &hidden).unwrap_err().contains("resumed 1 of 10"));
        let secure = Load { params: Some(PARAMS), requests_per_connection: 1, ..asked };
        assert!(
            load(&secure, 10, none, &before, &counted(15, 1500)).unwrap_err().contains("the server made 0")
        );
    }

    #[test]
    fn sides_are_judged_only_where_the_thread_was_left_alone() {
        assert_eq!(sides_agree(&sides(1000, 1000, 400, 600)), Some(true));
        assert_eq!(sides_agree(&sides(1000, 1000, 400, 615)), Some(true));
        assert_eq!(sides_agree(&sides(1000, 1000, 400, 630)), Some(false));
        assert_eq!(sides_agree(&sides(1000, 1000, 400, 570)), Some(false));
        assert_eq!(sides_agree(&sides(1000, 1030, 400, 630)), None);
        assert_eq!(sides_agree(&sides(0, 0, 0, 0)), None);
        assert_eq!(sides_agree(&Sample { server: None, ..sides(1000, 1000, 400, 600) }), None);
    }

    #[test]
    fn sides_that_disagree_too_often_are_noted() {
        let notes = |wrong: usize| {
            let mut samples = vec![sides(1000, 1000, 400, 600); 20 - wrong];
            samples.extend(vec![sides(1000, 1000, 400, 700); wrong]);
            measurement(&measured("a", handshake(), Proof::default(), samples))
        };
        assert_eq!(notes(2), []);
        let noted = notes(3);
        assert!(noted[0].what.starts_with("in 3 of 20 batches client and server"), "{noted:?}");
        assert_eq!(noted[0].severity, Severity::Warning);
    }

    #[test]
    fn what_has_one_account_only_is_not_judged() {
        let idle = Workload::Idle(Idle { params: PARAMS, side: Side::Server, connections: 10 });
        for workload in [Workload::Primitive(DIGEST), idle] {
            let odd = measured("a", workload, Proof::default(), vec![sides(1, 1, 9, 9); 20]);
            assert_eq!(measurement(&odd), []);
        }
    }

    #[test]
    fn a_load_is_held_against_the_schedulers_account() {
        let http = Workload::Load(Load { connections: 1, ..Load::new(Id::literal("a"), None) });
        let notes = |own: u64| {
            let sample = Sample { cpu: cpu(own), ..batch_of(1, 1, 0) };
            measurement(&measured("a", http.clone(), Proof::default(), vec![sample; 3])).len()
        };
        // The scheduler saw 100 ms: 1 % of it and the conversation may be missing.
        assert_eq!(
            [notes(100_000_000), notes(98_800_000), notes(98_600_000), notes(102_000_000)],
            [0, 0, 1, 1]
        );
    }

    #[test]
    fn the_library_with_another_answer_fails() {
        let of = |library: &str, size: u32, answer: Option<&str>| {
            let proof = Proof { answer: answer.map(str::to_owned), ..Proof::default() };
            measured(library, Workload::Primitive(Primitive { size, ..DIGEST }), proof, Vec::new())
        };
        let mut all = [
            of("a", 64, Some("00ff")),
            of("a", 128, Some("1234")),
            of("b", 64, Some("00fe")),
            of("b", 128, Some("1234")),
            of("c", 64, None),
        ];
        answers(&mut all);
        let failed: Vec<bool> = all.iter().map(|one| one.outcome.hole().is_some()).collect();
        assert_eq!(failed, [false, false, true, false, false]);
        let hole = all[2].outcome.hole().unwrap();
        assert!(hole.contains("b computed 00fe, a computed 00ff"), "{hole}");
    }
}
