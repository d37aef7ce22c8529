//! A project of its own for one test: what a build reads, and libraries whose recipe and worker are scripts of the test.

use crate::stage::Stage;

/// A worker that hashes, and passes the conformance suite: the known answers are those of SHA-256.
pub const WORKER: &str = r#"#!/bin/sh
ready=
while read -r line; do case $line in
*'"do":"bye"'*) exit 0 ;;
*'"do":"hello"'*)
    echo '{"is":"hello","protocol":1,"family":"fake","version":"Fake 1.0","primitives":["sha256:digest"],"patterns":["tls"]}' ;;
*'"slot":4'*) echo '{"is":"failed","slot":4,"stage":"prepare","message":"the first request must be hello"}' ;;
*'"threads":2'*) echo '{"is":"unsupported","slot":1,"reason":"it has no threads"}' ;;
*'"do":"prepare"'*'"op":"digest","algorithm":"sha256"'*'"pattern":"tls"'*)
    ready=1 size=${line#*\"size\":} size=${size%%[,\}]*}
    case $size in
    64) answer=cd3a3cb491563c3b1cba112d378f4bdb ;;
    61) answer=720254a01a165c914595fb1cd2bec12a ;;
    *) answer=00$size ;;
    esac
    echo "{\"is\":\"ready\",\"slot\":1,\"answer\":\"$answer\"}" ;;
*'"do":"prepare"'*) echo '{"is":"unsupported","slot":1,"reason":"it hashes and does nothing else"}' ;;
*'"do":"run"'*)
    n=${line#*\"iterations\":} n=${n%%[,\}]*}
    if [ "$ready" ]; then
        echo "{\"is\":\"sampled\",\"slot\":1,\"iterations\":$n,\"wall_ns\":9,\"cpu_ns\":9,\"bytes\":$((n * size)),\"answer\":\"$answer\"}"
    else
        echo '{"is":"failed","slot":1,"stage":"run","message":"no case is prepared in this slot"}'
    fi ;;
*'"do":"release"'*) ready= && echo '{"is":"released","slot":1}' ;;
*) echo '{"is":"failed","slot":0,"stage":"prepare","message":"no request"}' ;;
esac; done
"#;

/// What makes a worker: `build.sh OUT`.
fn copying(worker: &str) -> String {
    format!("cat >\"$1\" <<'END'\n{worker}END\nchmod 755 \"$1\"\n")
}

/// A project with this registry, and a worker in Node's place.
pub fn project(registry: &str, worker: &str) -> Stage {
    let project = Stage::project();
    for folder in ["crates/spec", "crates/stats", "crates/measure", "crates/worker", "pki"] {
        std::fs::create_dir_all(project.path(folder)).unwrap();
    }
    project.write("workers/workers.toml", registry);
    project.write("workers/node/build.sh", copying(worker));
    project
}
