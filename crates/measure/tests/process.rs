//! Workers that behave, and workers that do not.

#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::time::Duration;

use tlstax_measure::pin;
use tlstax_measure::process::{Launch, SpawnError, Worker, WorkerError};

const PATIENCE: Duration = Duration::from_secs(20);
const IMPATIENCE: Duration = Duration::from_millis(100);

fn shell(script: &str) -> Worker {
    Launch { arguments: vec!["-c".into(), script.into()], ..Launch::new("sh") }.spawn().unwrap()
}

/// What comes of waiting for the first line of a worker that writes none.
fn failure(script: &str) -> WorkerError {
    shell(script).receive_line(PATIENCE).unwrap_err()
}

fn is_gone(pid: u32) -> bool {
    !Path::new(&format!("/proc/{pid}")).exists()
}

#[test]
fn lines_are_answered_with_lines() {
    let mut worker = shell("while read line; do echo \"<$line>\"; echo two; done");
    for line in ["one", "", "grüß"] {
        worker.send_line(line).unwrap();
        assert_eq!(worker.receive_line(PATIENCE).unwrap(), format!("<{line}>"));
        assert_eq!(worker.receive_line(PATIENCE).unwrap(), "two");
    }
    let ended = worker.finish(PATIENCE).unwrap();
    assert_eq!(ended.status.code(), Some(0));
    assert!(ended.usage.total.0 > 0);
    assert!(is_gone(worker.pid()));
    assert!(matches!(worker.send_line("late"), Err(WorkerError::Closed { .. })));
}

#[test]
fn a_long_line_comes_whole() {
    let mut worker = shell("read line; echo \"$line\"; read line; echo done");
    let line = "x".repeat(100_000);
    worker.send_line(&line).unwrap();
    assert_eq!(worker.receive_line(PATIENCE).unwrap(), line);
    worker.send_line("").unwrap();
    assert_eq!(worker.receive_line(PATIENCE).unwrap(), "done");
}

#[test]
fn a_hanging_worker_times_out_and_goes_with_its_children() {
    let mut worker = shell("sleep 1000 & echo $!; sleep 1000");
    let child: u32 = worker.receive_line(PATIENCE).unwrap().parse().unwrap();
    assert!(matches!(worker.receive_line(IMPATIENCE), Err(WorkerError::Timeout { .. })));
    assert!(!is_gone(child));
    let pid = worker.pid();
    drop(worker);
    assert!(is_gone(pid));
    // The grandchild was killed with the group; whoever inherited it may take a moment to reap it.
    let ended = |stat: String| stat.rsplit(") ").next().unwrap_or("").starts_with(['Z', 'X']);
    while !is_gone(child) && !std::fs::read_to_string(format!("/proc/{child}/stat")).is_ok_and(ended) {
        std::thread::yield_now();
    }
}

#[test]
fn a_dying_worker_leaves_its_last_words() {
    let mut worker = shell("echo half; echo no such thing >&2; exit 7");
    assert_eq!(worker.receive_line(PATIENCE).unwrap(), "half");
    let error = worker.receive_line(PATIENCE).unwrap_err();
    assert_eq!(error.to_string(), "the worker ended (exit status: 7); it said: no such thing");
}

#[test]
fn a_killed_worker_is_told_by_its_signal() {
    let error = failure("kill -SEGV $$").to_string();
    assert!(error.contains("signal: 11") && error.contains("nothing on stderr"), "{error}");
}

#[test]
fn a_worker_that_closes_its_output_and_lives_on_is_killed() {
    let mut worker = shell("exec >&-; sleep 1000");
    assert!(matches!(worker.receive_line(PATIENCE), Err(WorkerError::Closed { .. })));
    assert!(is_gone(worker.pid()));
}

#[test]
fn a_line_without_an_end_is_no_line() {
    let mut worker = shell("printf unfinished; sleep 1000");
    assert!(matches!(worker.receive_line(IMPATIENCE), Err(WorkerError::Timeout { .. })));
    assert!(matches!(failure("printf unfinished"), WorkerError::Closed { .. }));
}

#[test]
fn rubbish_is_told_from_text() {
    let mut worker = shell("printf '\\377\\376\\n'; echo fine; read line");
    assert!(matches!(worker.receive_line(PATIENCE), Err(WorkerError::NotUtf8)));
    assert_eq!(worker.receive_line(PATIENCE).unwrap(), "fine");
}

#[test]
fn an_endless_line_is_cut_off() {
    assert!(matches!(failure("while :; do cat /dev/zero; done"), WorkerError::TooLong));
}

#[test]
fn a_flood_on_stderr_neither_blocks_nor_fills_memory() {
    let mut worker = shell("yes complaint | head -c 3000000 >&2; echo last >&2; echo done; read line");
    assert_eq!(worker.receive_line(PATIENCE).unwrap(), "done");
    worker.finish(PATIENCE).unwrap();
    let tail = worker.stderr();
    assert!(tail.len() <= 8 * 1024 && tail.ends_with("complaint\nlast"), "{}", tail.len());
}

#[test]
fn a_stranger_on_stderr_does_not_hold_us_up() {
    // setsid takes the sleeper out of our group, and stderr stays open in its hands.
    let mut worker = shell("setsid sh -c 'echo $$; exec sleep 5' & sleep 0.2; exit 0");
    assert!(worker.receive_line(PATIENCE).is_ok());
    assert_eq!(worker.finish(PATIENCE).unwrap().status.code(), Some(0));
}

#[test]
fn arguments_variables_and_cpus_arrive() {
    let cpu = *pin::available().last().unwrap();
    let script = "echo \"$0 $1 $FLAVOUR\"; grep Cpus_allowed_list /proc/self/status; read line";
    let arguments = ["-c", script, "a", "b c"].map(Into::into).to_vec();
    let environment = vec![("FLAVOUR".into(), "sweet".into())];
    let launch = Launch { arguments, environment, cpus: vec![cpu], ..Launch::new("sh") };
    let mut worker = launch.spawn().unwrap();
    assert_eq!(worker.receive_line(PATIENCE).unwrap(), "a b c sweet");
    assert_eq!(worker.receive_line(PATIENCE).unwrap(), format!("Cpus_allowed_list:\t{cpu}"));
    assert_eq!(
        std::fs::read_to_string(format!("/proc/{}/stat", worker.pid())).unwrap().split(' ').nth(4).unwrap(),
        worker.pid().to_string(),
        "a process group of its own"
    );
}

#[test]
fn a_missing_program_is_named() {
    let error = Launch::new("/no/such/worker").spawn().unwrap_err();
    assert!(matches!(error, SpawnError::Start { .. }));
    assert!(error.to_string().contains("/no/such/worker"), "{error}");
    let launch = Launch { cpus: vec![1 << 20], ..Launch::new("sh") };
    assert!(matches!(launch.spawn(), Err(SpawnError::Cpus { .. })));
}

#[test]
fn a_request_that_is_not_read_is_given_up_when_the_worker_dies() {
    let mut worker = shell("exec <&-; sleep 0.1; echo bye >&2; exit 3");
    let error = loop {
        if let Err(error) = worker.send_line(&"x".repeat(50_000)) {
            break error;
        }
    };
    assert!(matches!(error, WorkerError::Closed { status, .. } if status.code() == Some(3)), "{error}");
}
