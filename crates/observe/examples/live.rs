//! Observes a process for some seconds and prints its stacks as folded lines: `live PID SECONDS [STACK_BYTES] [threads]`, where
//! the last word wants events of threads, as they are for users without privileges.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for trying things")]

use std::collections::BTreeMap;
use std::time::Duration;

use tlstax_doc::{Profile, Tool};
use tlstax_observe::live::{Capture, Progress, Settings, Target};
use tlstax_observe::{Classifier, Collector, Surroundings};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(who), Some(seconds)) = (arguments.next(), arguments.next()) else {
        return Err("live PID|NAME|/GROUP|system SECONDS [STACK_BYTES] [threads]".into());
    };
    let target = match who.parse() {
        Ok(pid) => Target::Processes(vec![pid]),
        Err(_) if who == "system" => Target::System,
        Err(_) if who.starts_with('/') => Target::Group(who.into()),
        Err(_) => Target::Name(who),
    };
    let mut settings = Settings::default();
    if let Some(bytes) = arguments.next() {
        settings.stack_bytes = bytes.parse()?;
    }
    settings.may_be_of_cpus = arguments.next().as_deref() != Some("threads");
    let classifier = Classifier::built_in();
    let mut collector = Collector::new(&classifier);
    let mut capture = Capture::begin(&target, &settings)?;
    for _ in 0..seconds.parse::<u32>()? {
        if capture.poll(&mut collector, Duration::from_secs(1))? != Progress::Going {
            break;
        }
    }
    let done = capture.finish(&mut collector);
    let samples = collector.samples();
    let surroundings = Surroundings { own: Some(done.own), ..Surroundings::default() };
    let tool = Tool { name: "live".to_owned(), version: "0".to_owned(), reference_kernels: 0 };
    let profile = collector.finish(done.facts, surroundings, tool);
    print(&profile);
    classes(&profile);
    eprintln!("{samples} samples, {} stacks", profile.stacks.len());
    for capture in &profile.captures {
        eprintln!(
            "{:?} {:?} lost {} own {:?}",
            capture.origin, capture.duration_ns, capture.lost, capture.own
        );
        capture.processes.iter().for_each(|process| eprintln!("{process:?}"));
        capture.notes.iter().for_each(|note| eprintln!("{}; {}", note.what, note.remedy));
    }
    Ok(())
}

fn classes(profile: &Profile) {
    let mut sums: BTreeMap<String, u64> = BTreeMap::new();
    for stack in &profile.stacks {
        let class = serde_json::to_string(&stack.class).unwrap_or_default();
        *sums.entry(format!("{class} by {}", stack.evidence.word())).or_default() += stack.weight;
    }
    let all: u64 = sums.values().sum();
    sums.iter().for_each(|(class, sum)| eprintln!("{:5.1} % {class}", *sum as f64 / all as f64 * 100.0));
}

fn print(profile: &Profile) {
    for stack in &profile.stacks {
        let names: Vec<String> = stack
            .frames
            .iter()
            .map(|index| &profile.frames[*index as usize])
            .map(|frame| format!("{}`{}", frame.module.as_deref().unwrap_or("?"), frame.function))
            .collect();
        println!("{} {}", names.join(";"), stack.weight);
    }
}
