use std::path::Path;

use tlstax_doc::{RESULTS_VERSION, StudyFacts, Tool};
use tlstax_libraries::Home;
use tlstax_measure::pin::Cores;
use tlstax_spec::{Algorithm, Case, Host, Id, Op, Pattern, Primitive, Proof, Sample, Workload};

use super::*;

struct Deaf;

impl Observer for Deaf {
    fn observe(&mut self, _: Event<'_>) {}
}

pub(crate) fn results(batches: Vec<Batch>, slices: Vec<Slice>) -> Results {
    let primitive = Primitive { op: Op::Digest, algorithm: Algorithm::Md5, size: 64, pattern: Pattern::Tls };
    let case = Case { library: Id::literal("a"), threads: 1, workload: Workload::Primitive(primitive) };
    Results {
        schema: RESULTS_VERSION,
        tool: Tool { name: "tlstax".into(), version: "0.0.0".into(), reference_kernels: 1 },
        started: String::new(),
        ended: String::new(),
        host: Host::default(),
        study: StudyFacts {
            name: Id::literal("test"),
            question: "?".into(),
            seed: 1,
            budget_s: 1.0,
            precision: tlstax_stats::HalfWidth(tlstax_stats::Ratio(0.01)),
            max_rounds: 200,
            rounds: 0,
            interrupted: false,
        },
        libraries: Vec::new(),
        slices,
        measurements: vec![Measurement::new(case, Outcome::Measured { proof: Proof::default(), batches })],
        notes: Vec::new(),
        counted: None,
    }
}

pub(crate) fn slice(round: u32) -> Slice {
    let (latency_ns, throughput_ns) = (Nanos(100), Nanos(200));
    Slice {
        round,
        sitting: 1,
        at_ms: 0,
        latency_ns,
        throughput_ns,
        steal_ns: Nanos(0),
        throttled_ns: Nanos(0),
    }
}

/// Rounds without processes, that began now and have so much time.
fn with_rounds<T>(results: &mut Results, budget: Nanos, use_it: impl FnOnce(Rounds<'_, '_>) -> T) -> T {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = Journal::claim(&folder.path().join("run.journal")).unwrap();
    journal.begin(results).unwrap();
    let home = Home::find(Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))).unwrap();
    let mut pool = Pool::new(&home, Cores { measure: 0, client: 0, shared: Some(true) }, &[]);
    let begun = clock::monotonic();
    use_it(Rounds {
        results,
        works: Vec::new(),
        pool: &mut pool,
        source: Source::Kernels,
        journal: &mut journal,
        begun,
        deadline: begun + budget,
        observer: &mut Deaf,
    })
}

fn expected(iterations: u64, expected: Nanos) -> Work {
    let mut work = Work::new(0, 0);
    work.amount = crate::batch::Amount { iterations, warmup: 0, least: 1, part: 0, cycle: 0, expected };
    work
}

#[test]
fn batches_are_shortened_only_where_the_budget_is_short() {
    let hour = Nanos::from_millis(3_600_000);
    // Two batches of an hour: hours enough for all rounds, for half of them or less, and for none.
    for (budget, low, high) in [(30, 1000, 1000), (12, 495, 500), (1, 250, 250), (0, 250, 250)] {
        with_rounds(&mut results(Vec::new(), Vec::new()), Nanos(budget * hour.0), |mut rounds| {
            rounds.works = vec![expected(1000, hour), expected(1000, hour)];
            rounds.fit_budget();
            let iterations = rounds.works[0].amount.iterations;
            assert!((low..=high).contains(&iterations), "{budget} h: {iterations}");
        });
    }
    // What a trial says may be beyond all measure.
    with_rounds(&mut results(Vec::new(), Vec::new()), hour, |mut rounds| {
        rounds.works = vec![expected(1000, Nanos(u64::MAX)), expected(1000, Nanos(u64::MAX))];
        rounds.fit_budget();
        assert_eq!(rounds.works[0].amount.iterations, 250);
    });
}

#[test]
fn batches_without_a_reading_after_them_are_forgotten() {
    let batch = |slice| Batch { slice, sample: Sample::default(), observed: None, observed_server: None };
    let mut found = results([0, 1, 2, u32::MAX].map(batch).to_vec(), [1, 1, 2].map(slice).to_vec());
    with_rounds(&mut found, Nanos(0), |mut rounds| rounds.forget_unfinished_brackets());
    assert_eq!(found.measurements[0].batches(), [0, 1].map(batch));
}

#[test]
fn a_run_with_nothing_left_to_do_ends_with_a_reading() {
    for (last, next) in [(7, 7), (u32::MAX, u32::MAX)] {
        let mut found = results(Vec::new(), vec![slice(last)]);
        with_rounds(&mut found, Nanos::from_millis(60_000), |rounds| {
            rounds.run(100_000).unwrap();
        });
        let rounds: Vec<u32> = found.slices.iter().map(|slice| slice.round).collect();
        assert_eq!(rounds, [last, next]);
    }
}
