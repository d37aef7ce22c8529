//! From traffic to loads: what is written by hand or counted becomes a study that the program takes.

use crate::stage::{Stage, root};

fn stage() -> Stage {
    let stage = Stage::with(&[]).and_connections("mock").and_connections("lean");
    for name in ["traffic-by-hand", "traffic-by-hand-short"] {
        let text = std::fs::read(root().join(format!("docs/{name}.toml"))).unwrap();
        stage.write(&format!("{name}.toml"), text);
    }
    stage
}

#[test]
fn traffic_by_hand_becomes_a_study_of_loads() {
    let stage = stage();
    for (name, loads) in [("traffic-by-hand-short", 1), ("traffic-by-hand", 12)] {
        stage.run(&format!("traffic {name}.toml -q -o workload.json")).ends(0);
        stage.run("traffic replay workload.json -o replay.toml").ends(0);
        let study = stage.read("replay.toml");
        let least = loads / 2;
        assert!((least.max(1)..=2 * loads).contains(&study.matches("[[load]]").count()), "{study}");
        let listed = stage.run("measure replay.toml --list --library mock").ends(0);
        listed.shows(["load"]);
    }
}

#[test]
fn what_is_not_known_is_said_in_the_study() {
    let stage = stage();
    stage.write("rate.toml", "requests_per_second = 50\n");
    stage.run("traffic rate.toml -q -o workload.json").ends(0);
    let printed = stage.run("traffic replay workload.json").ends(0);
    printed.shows(["# Assumed: the cipher suite is not known for all connections", "rates = [50]"]);
}

#[test]
fn shares_that_do_not_sum_to_100_are_refused_with_their_line() {
    let stage = stage();
    stage.write("wrong.toml", "requests_per_second = 50\nkeys = { rsa-2048 = 50, ecdsa-p256 = 49 }\n");
    stage.run("traffic wrong.toml -q -o workload.json").ends(2).says(["wrong.toml", "line 2", "sum to 99 %"]);
}
