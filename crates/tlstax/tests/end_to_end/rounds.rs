//! Where the time of a run goes: to the cases that need it, in sittings as long as the data say.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::run::{Run, measurement};
use crate::stage::Stage;

const THREE_HASHES: &str = "[[primitive]]\nalgorithms = [\"sha256\"]\nsizes = [64, 1024, 16384]\n";

fn batches(results: &Value, end: &str) -> usize {
    measurement(results, end)["outcome"]["batches"].as_array().unwrap().len()
}

/// The readings before the batches of a case.
fn slices<'r>(results: &'r Value, end: &str) -> impl Iterator<Item = &'r Value> {
    let batches = measurement(results, end)["outcome"]["batches"].as_array().unwrap();
    batches.iter().map(|batch| &results["slices"][batch["slice"].as_u64().unwrap() as usize])
}

fn numbers(results: &Value, end: &str, key: &str) -> BTreeSet<u64> {
    slices(results, end).map(|slice| slice[key].as_u64().unwrap()).collect()
}

/// So many rounds that are never sharp enough.
#[track_caller]
fn rounds(stage: &Stage, name: &str, rounds: u32, matrices: &str) -> (Run, Value) {
    let file = stage.study(name, matrices);
    stage.change(&file, "max_rounds = 24", &format!("max_rounds = {rounds}\nprecision = 0.0000001"));
    stage.change(&file, "budget_s = 20", "budget_s = 60");
    let run = stage.run(&format!("measure {file} -q --seed 1 -o {name}")).ends(0);
    stage.with_results(run, name)
}

#[test]
fn a_sharp_case_gets_no_more_batches_and_the_rounds_go_to_what_is_far_from_it() {
    let jitters = json!([{ "case": "*/1024", "jitter": 0.01 }, { "case": "*/16384", "jitter": 0.2 }]);
    let stage = Stage::with(&[("mock", json!({ "slowdowns": jitters }))]);
    let (_, results) = rounds(&stage, "far", 120, THREE_HASHES);
    let [sharp, near, far] = ["/64", "/1024", "/16384"].map(|end| batches(&results, end));
    // Six sittings of three rounds are the least that any case gets.
    assert_eq!((sharp, far), (18, 120));
    assert!((18..90).contains(&near), "{near}");
    let [near, far] = ["/1024", "/16384"].map(|end| numbers(&results, end, "round"));
    assert!(near.is_subset(&far), "a ratio of the two would lack rounds");
}

#[test]
fn a_dear_case_gets_fewer_rounds_than_a_cheap_one_that_is_as_far_from_sharp() {
    let cost = json!({ "case": "*/16384", "ns": 80_000_000 });
    let jitter = json!({ "case": "*", "jitter": 0.05 });
    let stage = Stage::with(&[("mock", json!({ "costs": [cost], "slowdowns": [jitter] }))]);
    let (_, results) = rounds(&stage, "dear", 120, THREE_HASHES);
    let [cheap, other, dear] = ["/64", "/1024", "/16384"].map(|end| batches(&results, end));
    assert!(dear >= 18 && 2 * dear < cheap.min(other), "{cheap} {other} {dear}");
}

#[test]
fn a_run_that_needs_its_budget_is_not_ended_by_a_number_of_rounds() {
    let restless = || Stage::with(&[("mock", json!({ "slowdowns": [{ "case": "*", "jitter": 0.2 }] }))]);
    let stage = restless();
    let run = stage.run("speed sha256 --size 64 --budget 6s --quiet -o long").ends(0);
    let results = stage.results(&run, "long");
    assert!(batches(&results, "/64") > 200, "{}", batches(&results, "/64"));
    assert_eq!(results["study"]["max_rounds"], u32::MAX);
    // A limit that a study sets is one.
    let (_, results) = rounds(&stage, "few", 40, "[[primitive]]\nalgorithms = [\"sha256\"]\nsizes = [64]\n");
    assert_eq!(batches(&results, "/64"), 40);
}

/// The sittings of 120 rounds in each of five runs: from few sittings it is chance what luck a run sees.
fn sittings(noise: &Value) -> [usize; 5] {
    let of_run = |seed: u64| {
        let stage = Stage::with(&[("mock", json!({ "seed": seed, "noise": noise }))]);
        let (_, results) = rounds(&stage, "sittings", 120, THREE_HASHES);
        numbers(&results, "/64", "sitting").len()
    };
    [1, 2, 3, 4, 5].map(of_run)
}

#[test]
fn processes_are_replaced_as_often_as_their_luck_demands() {
    let lucky = sittings(&json!({ "jitter": 0.0001, "luck": 0.05 }));
    let alike = sittings(&json!({ "jitter": 0.05 }));
    // The first six have three rounds each; the others two, or up to eight. How many there are where all are alike is chance, and what
    // it takes the machine to start processes beside other tests decides with it: a single run proves nothing, all five together do.
    assert!(
        lucky.iter().all(|count| *count > 40) && alike.iter().all(|count| *count >= 6),
        "{lucky:?} {alike:?}"
    );
    let sum = |counts: [usize; 5]| counts.iter().sum::<usize>();
    assert!(10 * sum(alike) < 9 * sum(lucky), "{lucky:?} {alike:?}");
}

#[test]
fn processes_are_got_ready_at_a_busy_time_and_batches_run_at_a_quiet_one() {
    let noise =
        json!({ "jitter": 0.001, "luck": 0.05, "busy": 0.5, "busy_slowdown": 0.5, "busy_length": 12 });
    let stage = Stage::with(&[("mock", json!({ "noise": noise }))]);
    let study =
        "[[primitive]]\nalgorithms = [\"sha256\", \"md5\", \"sha1\"]\nsizes = [64, 256, 1024, 4096]\n";
    let (_, results) = rounds(&stage, "busy", 200, study);
    let is_quiet = |slice: &&Value| slice["throughput_ns"].as_u64().unwrap() < 160_000;
    let (mut quiet, mut all) = (0, 0);
    for found in results["measurements"].as_array().unwrap() {
        let id = found["id"].as_str().unwrap();
        quiet += slices(&results, id).filter(is_quiet).count();
        all += slices(&results, id).count();
    }
    // Each new process is one machine, and every second one is busy at first. Where that is not used to get the other cases
    // ready, 40 of 100 batches see a quiet one.
    assert!(quiet * 2 > all, "{quiet} of {all}");
}

#[test]
fn a_machine_that_is_never_steady_is_measured_and_said_to_be() {
    // Each new process finds it in another state.
    let noise = json!({ "drift": 0.3, "luck": 0.1 });
    let stage = Stage::with(&[("mock", json!({ "noise": noise }))]);
    let (run, results) = rounds(&stage, "never", 150, THREE_HASHES);
    assert!(["/64", "/1024", "/16384"].iter().all(|end| batches(&results, end) >= 18), "{results}");
    run.shows(["from one part of the run to another", "that uncertain"]);
}

#[test]
fn a_machine_that_changes_for_good_in_the_middle_is_said_to_have() {
    let noise = json!({ "jitter": 0.002, "luck": 0.02, "slower_from": 11, "slower": 0.2 });
    let stage = Stage::with(&[("mock", json!({ "noise": noise }))]);
    let (run, results) =
        rounds(&stage, "changed", 60, "[[primitive]]\nalgorithms = [\"sha256\"]\nsizes = [64]\n");
    run.shows(["the machine changed in the middle of the run", "in the last"]);
    assert!(numbers(&results, "/64", "sitting").len() > 11, "{results}");
}
