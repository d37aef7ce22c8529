use tlstax_spec::{Id, Load};

use super::*;

/// A window of workers on both ends.
const WINDOW: Nanos = Nanos::from_millis(40);

fn http(connections: u32) -> Case {
    let load = Load { connections, ..Load::new(Id::literal("a"), None) };
    Case { library: Id::literal("a"), threads: 1, workload: Workload::Load(load) }
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
    assert_eq!((part(&http(1), &trial, 1e7, WINDOW), part(&http(1), &waiting, 1e7, WINDOW)), (100, 1));
    let real = Nanos::from_millis(500);
    assert_eq!(part(&http(1), &trial, 1e7, real), 240, "12 ms in a window of any length");
    let mut open = http(1);
    if let Workload::Load(load) = &mut open.workload {
        load.rate = 1000;
    }
    assert_eq!(part(&open, &trial, 1e6, WINDOW), 5, "an open loop is as slow as it is meant to be");
}

#[test]
fn parts_of_an_open_loop_hold_whole_cycles_too() {
    let mut case = http(16);
    if let Workload::Load(load) = &mut case.workload {
        (load.rate, load.requests_per_connection) = (2000, 7);
    }
    // 0.5 ms each: a part of 5 ms is one cycle, and one of 35 requests is longer than a quarter of the window.
    assert_eq!(part(&case, &Sample::default(), 5e5, WINDOW), 7);
    if let Workload::Load(load) = &mut case.workload {
        load.requests_per_connection = 35;
    }
    assert_eq!(part(&case, &Sample::default(), 5e5, WINDOW), 0);
}
