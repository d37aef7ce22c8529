//! Live captures of real programs: what is found of their stacks, whatever they do meanwhile.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "tests say what they leave out")]

mod build;
mod observed;
mod openssl;

use std::sync::LazyLock;
use std::time::Duration;

use tlstax_doc::Unit;
use tlstax_measure::process::Launch;
use tlstax_observe::live::{Capture, LiveError, Progress, Settings, Target};

use build::Built;
use observed::{both_ways, is_permitted, observe, observe_from, observe_with};

static BUILT: LazyLock<Built> = LazyLock::new(Built::new);

#[test]
fn whole_stacks_go_through_stripped_libraries() {
    if !is_permitted() {
        return;
    }
    let work = BUILT.start(&["alone"]);
    // Events of the threads alone: whole CPUs have whatever other tests do, and that may be more than is read in time.
    let settings = Settings { may_be_of_cpus: false, ..Settings::default() };
    let found = observe_with(&settings, Target::Processes(vec![work.pid()]), 200, || ());
    let through = ["work`main", "work`work_alone", "libouter.so`outer_handshake"];
    assert!(found.share_with(&through) > 0.9, "{:?}", found.profile.stacks);
    // What has no name goes by where it begins: one function of each library.
    let unnamed = |library: &str| {
        let frames = found.profile.frames.iter();
        let of = frames.filter(|frame| frame.module.as_deref() == Some(library));
        of.filter(|frame| frame.function.starts_with("+0x")).count()
    };
    assert_eq!((unnamed("libinner.so"), unnamed("libouter.so")), (1, 1), "{:?}", found.profile.frames);
    let capture = &found.profile.captures[0];
    assert_eq!(capture.lost, 0);
    if found.profile.unit == Unit::Nanoseconds {
        // Both accounts are of the same time, as far as the kernel's timer goes: at each change between threads it is some µs off.
        let process = capture.processes.iter().find(|process| process.name == "work").unwrap();
        let ratio = process.weight as f64 / process.cpu_ns.unwrap() as f64;
        assert!((0.5..2.0).contains(&ratio), "{process:?}");
    }
}

#[test]
fn threads_are_followed() {
    if !is_permitted() {
        return;
    }
    for settings in both_ways() {
        let mut work = BUILT.start(&["threads"]);
        let target = Target::Processes(vec![work.pid()]);
        let found = observe_with(&settings, target, 200, || work.send_line("").unwrap());
        assert!(found.share_with(&["work`in_thread", "libouter.so`outer_handshake"]) > 0.9);
        assert_eq!(found.profile.captures[0].processes.len(), 1);
    }
}

#[test]
fn a_thousand_children_are_followed_to_the_end() {
    if !is_permitted() {
        return;
    }
    for settings in both_ways() {
        let mut work = BUILT.start(&["forks"]);
        let target = Target::Processes(vec![work.pid()]);
        let found = observe_with(&settings, target, u64::MAX, || work.send_line("").unwrap());
        assert_eq!(found.progress, Progress::Ended);
        let process = &found.profile.captures[0].processes[0];
        assert!(process.name == "work" && process.count > 100, "{process:?}");
        assert!(found.share_with(&["work`main", "work`work_in_child"]) > 0.5);
    }
}

#[test]
fn a_process_that_becomes_another_program_is_followed() {
    if !is_permitted() {
        return;
    }
    for settings in both_ways() {
        let mut work = BUILT.start(&["exec", &BUILT.path("work")]);
        let target = Target::Processes(vec![work.pid()]);
        let found = observe_with(&settings, target, 100, || work.send_line("").unwrap());
        assert!(found.share_with(&["work`main", "work`work_alone"]) > 0.8);
    }
}

#[test]
fn what_was_found_of_a_process_that_ends_is_kept() {
    if !is_permitted() {
        return;
    }
    let mut work = BUILT.start(&["short"]);
    let target = Target::Processes(vec![work.pid()]);
    let found = observe_from(target, u64::MAX, || work.send_line("").unwrap());
    assert_eq!(found.progress, Progress::Ended);
    assert!(found.samples() > 0 && found.share_with(&["work`main"]) > 0.8);
}

#[cfg(target_arch = "x86_64")]
#[test]
fn generated_code_has_the_names_of_its_map() {
    if !is_permitted() {
        return;
    }
    let work = BUILT.start(&["generate"]);
    let map = format!("/tmp/perf-{}.map", work.pid());
    while !std::fs::exists(&map).unwrap() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let found = observe(Target::Processes(vec![work.pid()]), 100);
    std::fs::remove_file(map).unwrap();
    assert!(found.share_with(&["work`main", "[jit]`generated_loop"]) > 0.9);
}

#[test]
fn processes_of_a_name_are_found_when_they_come() {
    if !is_permitted() {
        return;
    }
    // A name that no other test has.
    let program = BUILT.path("named-by-test");
    std::fs::hard_link(BUILT.path("work"), &program).unwrap();
    let start = || Launch::new(&program).spawn().unwrap();
    let _first = start();
    let mut second = None;
    let target = Target::Name("named-by-test".to_owned());
    let found = observe_from(target, 600, || second = Some(start()));
    let process = &found.profile.captures[0].processes;
    assert!(process.len() == 1 && process[0].count == 2, "{process:?}");
}

#[test]
fn a_control_group_is_what_is_in_it() {
    if !is_permitted() {
        return;
    }
    let Ok(group) = tlstax_measure::cgroup::Group::create() else {
        println!("left out: no control group can be made here");
        return;
    };
    let path = group.path().to_owned();
    let start = || {
        let launch = Launch { group: Some(path.clone()), ..Launch::new(BUILT.path("work")) };
        launch.spawn().unwrap()
    };
    let _first = start();
    let _other = BUILT.start(&["alone"]);
    let mut second = None;
    let found = observe_from(Target::Group(path.clone()), 600, || second = Some(start()));
    let process = &found.profile.captures[0].processes;
    assert!(process.len() == 1 && process[0].name == "work" && process[0].count == 2, "{process:?}");
}

#[test]
fn the_whole_machine_has_what_works_on_it() {
    if !is_permitted() {
        return;
    }
    let _work = BUILT.start(&["alone"]);
    let settings = Settings::default();
    if let Err(error) = Capture::begin(&Target::System, &settings) {
        println!("left out: {error}");
        return;
    }
    let found = observe(Target::System, 1000);
    assert!(found.share_with(&["work`main", "libouter.so`outer_handshake"]) > 0.0);
    assert!(found.profile.captures[0].cpus.is_some_and(|cpus| cpus > 0));
}

#[test]
fn whom_nobody_finds_is_said() {
    let begin = |target| Capture::begin(&target, &Settings::default()).map(drop).unwrap_err();
    if !is_permitted() {
        return;
    }
    assert!(matches!(begin(Target::Processes(vec![u32::MAX])), LiveError::NoProcess { .. }));
    if tlstax_measure::accounting::is_kernel_thread(2) {
        assert!(matches!(begin(Target::Processes(vec![2])), LiveError::KernelThread { .. }));
    }
    let error = begin(Target::Name("no-such-name".to_owned()));
    assert!(error.to_string().contains("no process is called no-such-name"), "{error}");
    let error = begin(Target::Group("/no/such/group".into()));
    assert!(matches!(error, LiveError::NoGroup { .. }), "{error}");
}
