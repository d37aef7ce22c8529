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
fn a_part_of_a_load_has_equally_many_requests_of_each_connection() {
    // 32 us a request: a turn of 16 connections is half a millisecond.
    let load_part = |connections, each| load_part(Nanos::from_millis(5), connections, each);
    assert_eq!(load_part(16, 32_000.0), 10 * 16);
    assert_eq!((load_part(16, 1e6), load_part(1, 6e6)), (16, 1), "a turn is as short as a part can be");
    assert_eq!((load_part(1000, 1e5), load_part(1, 5e8)), (0, 0), "what takes longer is read from outside");
}

#[test]
fn the_busier_end_of_a_load_decides_how_long_a_part_is() {
    let used = |nanos| Some(tlstax_spec::Cpu { total: Nanos(nanos), ..Default::default() });
    let waiting = Sample { iterations: 100, wall: Nanos(1_000_000_000), ..Sample::default() };
    let trial = Sample { client: used(2_000_000), server: used(5_000_000), ..waiting.clone() };
    // 50 us of 10 ms each: 100 requests of one connection are 5 ms of work.
    assert_eq!(
        (part(&http(1), &trial, 1e7, LOAD_WINDOW), part(&http(1), &waiting, 1e7, LOAD_WINDOW)),
        (100, 1)
    );
    let real = Nanos::from_millis(500);
    assert_eq!(part(&http(1), &trial, 1e7, real), 240, "12 ms in a window of any length");
    let mut open = http(1);
    if let Workload::Load(load) = &mut open.workload {
        load.rate = 1000;
    }
    assert_eq!(part(&open, &trial, 1e6, LOAD_WINDOW), 5, "an open loop is as slow as it is meant to be");
    let mut work = Work::new(0, 0);
    work.calibrate(&http(1), &trial, LOAD_WINDOW);
    assert_eq!((work.amount.iterations, work.amount.part), (300, 100), "a window has three parts at least");
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
    let whole = Amount { iterations: 100, warmup: 6, least: 1, part: 0, expected: Nanos(1000) };
    let half = Amount { iterations: 50, warmup: 3, least: 1, part: 0, expected: Nanos(500) };
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
