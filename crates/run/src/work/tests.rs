use super::*;
use tlstax_spec::{Algorithm, Id, Load, Op, Pattern, Primitive};

fn digest(threads: u16) -> Case {
    let primitive = Primitive { op: Op::Digest, algorithm: Algorithm::Md5, size: 64, pattern: Pattern::Tls };
    Case { library: Id::literal("a"), threads, workload: Workload::Primitive(primitive) }
}

fn http(connections: u32) -> Case {
    let load = Load { connections, ..Load::new(Id::literal("a"), None) };
    Case { library: Id::literal("a"), threads: 1, workload: Workload::Load(load) }
}

/// What becomes of the batch after a trial of so many iterations that took so long, and whether to try again.
fn calibrated(case: &Case, iterations: u64, wall: u64) -> (Amount, bool) {
    let mut work = Work::new(0, 0);
    let trial = Sample { iterations, wall: Nanos(wall), ..Sample::default() };
    let again = work.calibrate(case, &trial, target(case));
    (work.amount, again)
}

#[test]
fn a_batch_fills_its_time_with_a_warmup_before_it() {
    let (amount, again) = calibrated(&digest(1), 100, 100_000);
    // 13 parts of 150 us.
    assert_eq!((amount.iterations, amount.part, amount.warmup, amount.least), (1950, 150, 121, 1));
    assert_eq!(amount.expected, Nanos(1_950_000));
    assert!(again, "100 iterations tell too little of 2000");
    assert!(!calibrated(&digest(1), 200, 200_000).1);
}

#[test]
fn a_batch_of_dear_iterations_is_longer_so_that_less_of_it_is_untimed() {
    let shape = |milliseconds: u64| {
        let (amount, _) = calibrated(&digest(1), 10, 10 * 100_000 * milliseconds);
        (amount.iterations, amount.warmup)
    };
    // Of 0.1, 0.3, 0.5, 1 and 3 ms, where 2 ms are usual and 8 the most.
    assert_eq!([1, 3, 5, 10, 30].map(shape), [(20, 1), (8, 1), (8, 1), (8, 1), (2, 1)]);
    let (load, _) = calibrated(&http(1), 10, 200_000_000);
    assert_eq!((load.iterations, load.warmup), (3, 0), "a load has nothing untimed, and three parts");
}

#[test]
fn threads_share_the_iterations_of_a_trial() {
    assert_eq!(calibrated(&digest(4), 400, 100_000).0, calibrated(&digest(2), 200, 100_000).0);
}

#[test]
fn what_takes_longer_than_a_batch_is_done_once() {
    let (amount, again) = calibrated(&digest(1), 1, 1_000_000_000);
    assert_eq!((amount.iterations, amount.warmup, again), (1, 1, false));
    assert_eq!(amount.expected, Nanos(1_000_000_000));
}

#[test]
fn each_connection_takes_part_in_a_window_without_warmup() {
    let (amount, _) = calibrated(&http(16), 1, 10_000_000);
    assert_eq!((amount.iterations, amount.warmup, amount.part, amount.least), (32, 0, 0, 32));
    assert_eq!(amount.shortened(0.25).iterations, 32);
    let (amount, _) = calibrated(&http(1), 4, 1_000_000);
    assert_eq!((amount.iterations, amount.part, amount.shortened(0.1).iterations), (160, 20, 60));
}

#[test]
fn a_window_of_load_has_three_parts_at_least() {
    let mut work = Work::new(0, 0);
    let used = Some(tlstax_spec::Cpu { total: Nanos(5_000_000), ..Default::default() });
    let trial = Sample { iterations: 100, wall: Nanos(1_000_000_000), server: used, ..Sample::default() };
    work.calibrate(&http(1), &trial, LOAD_WINDOW);
    assert_eq!((work.amount.iterations, work.amount.part), (300, 100));
}

#[test]
fn a_window_has_whole_cycles_of_requests_that_are_not_alike() {
    let amount = |requests_per_connection, resumed_percent, each: u64| {
        let mut case = http(16);
        if let Workload::Load(load) = &mut case.workload {
            (load.requests_per_connection, load.resumed_percent) = (requests_per_connection, resumed_percent);
            load.resumption = tlstax_spec::Resumption::Psk;
        }
        let (amount, _) = calibrated(&case, 1000, 1000 * each);
        assert_eq!(amount.shortened(0.5).iterations % amount.cycle.max(1), 0);
        (amount.iterations, amount.part)
    };
    // Of 40 ms: four connections are 40 requests, of which 13 are a part of 5 ms and some.
    assert_eq!(amount(10, 75, 10_000), (3640, 520));
    // A cycle is 10,000 requests, 200 ms: longer than any window.
    assert_eq!(amount(100, 1, 20_000), (2000, 0));
    // 100 ms: the window grows to it, and has no parts.
    assert_eq!(amount(50, 1, 20_000), (5000, 0));
}

#[test]
fn a_trial_beyond_all_measure_is_no_crash() {
    for (iterations, wall) in [(0, 0), (u64::MAX, 0), (0, u64::MAX), (u64::MAX, u64::MAX)] {
        let (amount, _) = calibrated(&digest(1), iterations, wall);
        assert!(amount.iterations >= 1, "{amount:?}");
    }
}

#[test]
fn a_shorter_batch_has_less_of_everything_but_never_nothing() {
    let whole = Amount { iterations: 100, warmup: 6, least: 1, part: 0, cycle: 0, expected: Nanos(1000) };
    let half = Amount { iterations: 50, warmup: 3, least: 1, part: 0, cycle: 0, expected: Nanos(500) };
    assert_eq!(whole.shortened(0.5), half);
    assert_eq!(whole.shortened(0.001).iterations, 1);
}

#[test]
fn nothing_is_sharp_after_a_few_rounds_or_without_a_figure() {
    let (exact, precision) = (Some(HalfWidth(Ratio(0.0))), HalfWidth(Ratio(0.01)));
    assert!(!Work::has_enough(&digest(1), 17, exact, precision));
    assert!(Work::has_enough(&digest(1), 18, exact, precision));
    assert!(!Work::has_enough(&digest(1), 18, None, precision));
    assert!(!Work::has_enough(&digest(1), 18, Some(HalfWidth(Ratio(f64::NAN))), precision));
    assert!(!Work::has_enough(&digest(1), 10_000, None, precision));
    assert!(Work::has_enough(&digest(1), 20_000, None, precision), "they would help no more");
}

#[test]
fn the_widest_figure_decides_and_one_that_is_missing_says_nothing() {
    let sample = |wall| Sample { iterations: 1, wall: Nanos(wall), ..Sample::default() };
    let batch = |wall| Batch { slice: 0, sample: sample(wall), observed: None, observed_server: None };
    let slice = |round| Slice {
        round,
        sitting: round,
        at_ms: 0,
        latency_ns: Nanos(0),
        throughput_ns: Nanos(0),
        steal_ns: Nanos(0),
        throttled_ns: Nanos(0),
    };
    let slices: Vec<Slice> = (1..=8).map(slice).collect();
    let batches: Vec<Batch> = (0..8).map(|at| Batch { slice: at, ..batch(1000 + u64::from(at)) }).collect();
    let found = Work::half_width(&digest(2), &batches, &slices, &Cores::default()).unwrap();
    assert!(found > HalfWidth(Ratio(0.001)) && found < HalfWidth(Ratio(0.01)), "{found:?}");
    assert_eq!(Work::half_width(&digest(2), &batches[..3], &slices, &Cores::default()), None);
}
