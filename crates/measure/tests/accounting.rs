//! Accounts of real children: they grow with work, agree with each other, and leave nothing behind.

#![allow(clippy::unwrap_used)]

use std::time::Duration;

use tlstax_measure::process::{Launch, Worker};
use tlstax_measure::{accounting, cgroup};

const PATIENCE: Duration = Duration::from_secs(20);

/// A shell that counts to a hundred thousand for each line it gets, perhaps in a control group.
fn counter(group: Option<&cgroup::Group>) -> Worker {
    let mut launch = Launch::new("sh");
    let script = "while read line; do i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; echo $i; done";
    launch.arguments = vec!["-c".into(), script.into()];
    launch.group = group.map(|group| group.path().to_owned());
    launch.spawn().unwrap()
}

fn work(worker: &mut Worker) {
    worker.send_line("go").unwrap();
    assert_eq!(worker.receive_line(PATIENCE).unwrap(), "100000");
}

#[test]
fn every_account_grows_with_work_and_they_agree() {
    let group = cgroup::Group::create();
    let mut worker = counter(group.as_ref().ok());
    let pid = worker.pid();
    let mut last = accounting::scheduled(pid).unwrap();
    for _ in 0..3 {
        work(&mut worker);
        let now = accounting::scheduled(pid).unwrap();
        assert!(now > last);
        last = now;
    }
    match group {
        Ok(group) => {
            let inside = group.usage().unwrap().total;
            assert!(inside.0 > 0 && inside <= accounting::scheduled(pid).unwrap());
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    let total = accounting::usage(pid).unwrap().total;
    let ended = worker.finish(PATIENCE).unwrap();
    // wait4 counts whole microseconds, each part rounded down.
    assert!(ended.usage.total.0 + 2_000 >= total.0, "{:?} {total:?}", ended.usage);
}

#[test]
fn a_group_is_removed_even_with_somebody_in_it() {
    let Ok(group) = cgroup::Group::create() else { return };
    let worker = counter(Some(&group));
    let name = format!("tlstax-{}-", std::process::id());
    let groups = || std::fs::read_to_string(format!("/proc/{}/cgroup", worker.pid())).unwrap();
    assert!(groups().contains(&name));
    drop(group);
    assert!(!groups().contains(&name));
}
