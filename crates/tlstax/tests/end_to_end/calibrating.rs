//! Models fitted to loads whose costs are known, and what is refused.

use serde_json::{Value, json};

use crate::processes::{signal, within};
use crate::run::Run;
use crate::stage::{Stage, begin, plain, root};

/// What a term costs in the results that are made up here, in nanoseconds.
const CONNECTION: f64 = 40_000.0;
const HANDSHAKE: f64 = 300_000.0;
const RESUMPTION: f64 = 150_000.0;
const REQUEST: f64 = 12_000.0;
const TLS_REQUEST: f64 = 20_000.0;
const BYTE: f64 = 0.5;

/// A load as a flat row, with what it costs.
fn load(tls: bool, resumption: &str, requests: u32, body: u32) -> (Value, f64) {
    let mut case = json!({
        "library": "nginx", "kind": "load", "client": "lean", "connections": 16, "work_us": 0,
        "resumption": resumption, "requests_per_connection": requests, "body": body
    });
    let mut cost = if tls { TLS_REQUEST + BYTE * f64::from(body) } else { REQUEST };
    if tls {
        let params = [
            ("version", "TLSv1.3"),
            ("suite", "TLS_AES_128_GCM_SHA256"),
            ("group", "X25519"),
            ("key", "ecdsa-p256"),
        ];
        params.iter().for_each(|(field, value)| case[*field] = json!(value));
    }
    if requests > 0 {
        let handshake = match (tls, resumption) {
            (false, _) => 0.0,
            (true, "full") => HANDSHAKE,
            _ => RESUMPTION,
        };
        cost += (CONNECTION + handshake) / f64::from(requests);
    }
    (case, cost)
}

fn loads() -> Vec<(Value, f64)> {
    vec![
        load(false, "full", 0, 0),
        load(false, "full", 1, 0),
        load(true, "full", 0, 0),
        load(true, "full", 0, 16_384),
        load(true, "full", 0, 65_536),
        load(true, "full", 1, 0),
        load(true, "full", 10, 0),
        load(true, "psk", 1, 0),
    ]
}

/// A document as `measure` writes it, with these loads.
fn results(loads: &[(Value, f64)]) -> Value {
    let golden = root().join("crates/report/tests/golden/servers.results.json");
    let text = std::fs::read_to_string(golden).unwrap();
    let mut results: Value = serde_json::from_str(&text).unwrap();
    let example = results["measurements"][0].clone();
    let measurement = |(place, (case, cost)): (usize, &(Value, f64))| {
        let mut one = example.clone();
        one["id"] = json!(format!("load-{place}"));
        one["case"] = case.clone();
        for batch in one["outcome"]["batches"].as_array_mut().unwrap() {
            let spent = (cost * batch["iterations"].as_f64().unwrap()) as u64;
            let sides = [("server_ns", spent), ("observed_server_ns", spent), ("client_ns", spent / 10)];
            let sums = [("wall_ns", spent + spent / 50), ("cpu_ns", spent + spent / 10)];
            sides.into_iter().chain(sums).for_each(|(field, ns)| batch[field] = json!(ns));
        }
        one
    };
    results["measurements"] = loads.iter().enumerate().map(measurement).collect();
    // Reference readings that are all alike: nothing is brought to another state of the machine.
    for slice in results["slices"].as_array_mut().unwrap() {
        slice["latency_ns"] = json!(150_000);
        slice["throughput_ns"] = json!(160_000);
    }
    results
}

fn stage() -> Stage {
    let stage = Stage::calm();
    stage.write("loads.json", results(&loads()).to_string());
    stage
}

fn model(stage: &Stage, name: &str) -> Value {
    serde_json::from_str(&stage.read(name)).unwrap()
}

fn cost(model: &Value, of: &str) -> f64 {
    let terms = model["terms"].as_array().unwrap();
    let found = terms.iter().find(|term| term["term"]["of"] == of);
    found.unwrap_or_else(|| panic!("no {of} in {model}"))["ns"].as_f64().unwrap()
}

fn is_near(found: f64, planted: f64) {
    assert!((found / planted - 1.0).abs() < 0.01, "{found}, planted {planted}");
}

#[test]
fn planted_costs_are_found_and_told() {
    let stage = stage();
    let run = stage.run("calibrate --from loads.json -o model.json").ends(0);
    run.says(["tlstax report model.json --full", "model.html"]).shows([
        "nginx 1.2.3",
        "A full handshake of TLSv1.3 costs 300 µs",
        "with ecdsa-p256.",
        "A request by HTTP/1.1 without a body costs 20.0 µs",
        "TCP connection",
        "resumption, TLSv1.3, psk",
        "CPU time of the server for a request",
    ]);
    let model = model(&stage, "model.json");
    assert_eq!(
        (&model["document"], &model["server"], &model["regime"]["client"]),
        (&json!("model"), &json!("nginx"), &json!("lean"))
    );
    is_near(cost(&model, "connection"), CONNECTION);
    is_near(cost(&model, "handshake"), HANDSHAKE);
    is_near(cost(&model, "resumption"), RESUMPTION);
    is_near(cost(&model, "body"), 16_384.0 * BYTE);
    // Rows up to the diagonal.
    let covariance = model["covariance"].as_array().unwrap();
    let lengths: Vec<usize> = covariance.iter().map(|row| row.as_array().unwrap().len()).collect();
    assert_eq!(lengths, (1..=covariance.len()).collect::<Vec<_>>());
    assert_eq!(covariance.len(), model["terms"].as_array().unwrap().len());
    let printed = stage.run("calibrate --from loads.json -o again.json --json -q").ends(0);
    assert_eq!(printed.json()["terms"], model["terms"]);
    assert_eq!(printed.stderr, "");
}

#[test]
fn two_runs_are_one_model() {
    let stage = Stage::calm();
    let loads = loads();
    stage.write("first.json", results(&loads[..4]).to_string());
    stage.write("second.json", results(&loads[4..]).to_string());
    stage.run("calibrate --from first.json second.json -o model.json -q").ends(0);
    let model = model(&stage, "model.json");
    assert_eq!(model["fitted"].as_array().unwrap().len(), 8);
    is_near(cost(&model, "handshake"), HANDSHAKE);
}

/// A run that was stopped: what it has is fitted, and what is missing is said with what to do.
#[test]
fn half_a_calibration_is_fitted_and_says_what_is_missing() {
    let stage = Stage::calm();
    let mut results = results(&loads());
    results["study"]["interrupted"] = json!(true);
    let measurements = results["measurements"].as_array_mut().unwrap();
    // Without TLS no connection is left that tells its TCP from its handshake.
    measurements[1]["outcome"] = json!({ "is": "skipped", "why": "the time was over" });
    measurements[1]["id"] = json!("new-connections");
    stage.write("half.json", results.to_string());
    let run = stage.run("calibrate --from half.json -o model.json").ends(0);
    run.shows([
        "stopped before its end",
        "tlstax measure --resume",
        "no load tells this from other costs, in which it is: TCP connection",
        "Loads that were to be fitted and were not",
        "new-connections",
        "skipped: the time was over",
    ]);
    let model = model(&stage, "model.json");
    assert_eq!(model["holes"][0][0], "new-connections");
    // What both cost together is known all the same.
    is_near(cost(&model, "handshake"), CONNECTION + HANDSHAKE);
    is_near(cost(&model, "resumption"), CONNECTION + RESUMPTION);
}

#[test]
fn what_no_load_says_comes_from_memory_and_is_marked() {
    let stage = stage();
    let handshake = |key: &str, resumption: &str| {
        json!({
            "library": "openssl", "kind": "handshake", "version": "TLSv1.3", "suite": "TLS_AES_128_GCM_SHA256",
            "group": "X25519", "key": key, "chain": 2, "resumption": resumption, "mutual": false
        })
    };
    // In memory all costs half of what it costs the server.
    let known = [
        (handshake("ecdsa-p256", "full"), HANDSHAKE / 2.0),
        (handshake("ecdsa-p256", "psk"), RESUMPTION / 2.0),
        (handshake("rsa-2048", "full"), 400_000.0),
    ];
    stage.write("memory.json", results(&known).to_string());
    stage
        .run("calibrate --from loads.json --with memory.json -o model.json -q")
        .ends(0)
        .shows(["openssl in memory: ", "come from openssl in memory, times 2.00"]);
    let model = model(&stage, "model.json");
    let terms = model["terms"].as_array().unwrap();
    let rsa = terms.iter().position(|term| term["term"]["key"] == "rsa-2048").unwrap();
    is_near(terms[rsa]["ns"].as_f64().unwrap(), 800_000.0);
    assert_eq!(terms[rsa]["origin"]["from"], "in-memory");
    let deviation = model["covariance"][rsa][rsa].as_f64().unwrap().sqrt();
    assert!(deviation >= 0.1 * 800_000.0, "{deviation}");
}

#[test]
fn results_that_make_no_model_are_refused() {
    let stage = stage();
    stage.write("none.json", results(&[]).to_string());
    stage.refuses(
        "calibrate --from none.json -o m.json",
        ["no load with a figure", "tlstax calibrate -l nginx"],
    );
    let mut two = loads();
    two[0].0["library"] = json!("apache");
    stage.write("two.json", results(&two).to_string());
    stage.refuses("calibrate --from two.json -o m.json", ["several servers", "apache", "nginx", "--library"]);
    stage.run("calibrate --from two.json -l nginx -o m.json -q").ends(0);
    stage.refuses("calibrate --from loads.json -l caddy -o m.json", ["no load on caddy", "nginx"]);
    let mut elsewhere = results(&loads());
    elsewhere["host"]["cpu"]["name"] = json!("Another CPU");
    stage.write("elsewhere.json", elsewhere.to_string());
    stage
        .refuses("calibrate --from loads.json elsewhere.json -o m.json", ["several machines", "Another CPU"]);
    stage.run("calibrate --from loads.json -o model.json -q").ends(0);
    stage.refuses("calibrate --from model.json -o m.json", ["a model already", "results.json"]);
    stage.refuses("calibrate --from absent.json -o m.json", ["absent.json"]);
    stage.write("cut.json", &stage.read("loads.json")[..2000]);
    stage.refuses("calibrate --from cut.json -o m.json", ["cut.json", "line 1"]);
}

#[test]
fn words_without_sense_are_refused() {
    let stage = stage();
    stage.refuses("calibrate", ["--library", "nginx"]);
    stage.refuses("calibrate -l nginx,apache", ["one server"]);
    stage.refuses("calibrate -l nginx --count instructions", ["--count"]);
    stage.refuses("calibrate -l nginx --without aes", ["--without"]);
    stage.refuses("calibrate -l nginx --from loads.json --budget 1m", ["--budget"]);
    stage.refuses("calibrate -l nginx --key rsa-2049", ["rsa-2049"]);
    stage.refuses("calibrate -l nginx --tls TLSv1.2 --key ml-dsa-44", ["do not go together"]);
    stage.run("calibrate --from loads.json -o m.json --format csv").ends(0).shows(["term,TCP connection,"]);
    stage.refuses("calibrate --from loads.json -o .", ["folder"]);
}

#[test]
fn the_design_can_be_looked_at() {
    let listed = |more: &str| -> Vec<String> {
        let run = plain(&format!("calibrate -l nginx --list {more}")).ends(0);
        run.stdout.lines().map(str::to_owned).collect()
    };
    let usual = listed("");
    assert!((40..=55).contains(&usual.len()), "{}", usual.len());
    for part in
        ["rsa-2048", "secp256r1", "psk", "ticket", "/h2/", "no-sendfile", "CHACHA20", "TLSv1.2", "tls-buffer"]
    {
        assert!(usual.iter().any(|id| id.contains(part)), "nothing with {part}");
    }
    let few = listed("--budget 1m");
    assert!(few.len() < usual.len() && !few.is_empty());
    let own = listed(
        "--tls TLSv1.3 --key rsa-4096 --suite TLS_AES_256_GCM_SHA384 --group secp384r1 --http http1.1",
    );
    assert!(own.iter().any(|id| id.contains("secp384r1")) && own.iter().all(|id| !id.contains("TLSv1.2")));
    assert!(own.iter().all(|id| id.contains("/http/") || id.contains("rsa-4096")));
}

/// The whole way, by real processes over real sockets: measured, fitted, and the results beside the model.
#[test]
fn a_server_is_measured_and_fitted() {
    let stage = Stage::with(&[]).and_connections("sound");
    let few = "--tls TLSv1.3 --key ecdsa-p256 --suite TLS_AES_128_GCM_SHA256 --group X25519 --resumption psk";
    let run = stage.run(&format!("calibrate -l sound --client sound {few} --budget 15s -q -o model.json"));
    run.ends(0).shows(["control", "request, "]);
    let model = model(&stage, "model.json");
    assert_eq!((&model["server"], &model["regime"]["client"]), (&json!("sound"), &json!("sound")));
    assert!(!model["terms"].as_array().unwrap().is_empty());
    assert!(stage.has("model.results.json") && !stage.has("model.results.journal"));
    // The same results are the same model.
    stage.run("calibrate --from model.results.json -o again.json -q").ends(0);
    assert_eq!(self::model(&stage, "again.json")["terms"], model["terms"]);
}

#[test]
fn a_calibration_that_is_stopped_keeps_what_it_has_and_says_how_to_go_on() {
    let stage = Stage::with(&[]).and_connections("sound");
    let words =
        ["calibrate", "-l", "sound", "--client", "sound", "-q", "--budget", "60s", "-o", "model.json"];
    let child = begin(&mut stage.command(words));
    let journal = "model.results.journal";
    let is_begun = || stage.has(journal) && stage.read(journal).matches("\"batch\"").count() > 200;
    assert!(within(60, is_begun), "the run never began");
    signal("-INT", child.id());
    let again = "tlstax measure --resume model.results.journal, then tlstax calibrate -o model.json --from";
    Run::end_of(child).ends(130).says([again]).shows(["stopped before its end"]);
    assert!(stage.has("model.json"));
}
