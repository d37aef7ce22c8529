//! What a capture has found, for tests to ask.

use std::time::Duration;

use tlstax_doc::{Profile, Tool};
use tlstax_observe::live::{Capture, LiveError, Progress, Settings, Target};
use tlstax_observe::{Classifier, Collector, Surroundings};

/// What a capture has found.
pub struct Observed {
    pub profile: Profile,
    pub progress: Progress,
}

/// Whether this user may observe at all; a test that cannot run says so.
pub fn is_permitted() -> bool {
    match Capture::begin(&Target::Processes(vec![std::process::id()]), &Settings::default()) {
        Ok(_) => true,
        Err(error @ (LiveError::Forbidden { .. } | LiveError::Refused { .. } | LiveError::NoPerf { .. })) => {
            println!("left out: {error}");
            false
        }
        Err(error) => panic!("{error}"),
    }
}

/// Observes until there are so many samples, or all have ended, for a minute at most: the machine may be busy.
pub fn observe(target: Target, samples: u64) -> Observed {
    observe_from(target, samples, || ())
}

/// The same; `begun` is called when the capture has begun.
pub fn observe_from(target: Target, samples: u64, begun: impl FnOnce()) -> Observed {
    observe_with(&Settings::default(), target, samples, begun)
}

/// Both ways of the kernel: events of threads, as everybody has them, and of CPUs for whoever may.
pub fn both_ways() -> [Settings; 2] {
    [false, true].map(|may_be_of_cpus| Settings { may_be_of_cpus, ..Settings::default() })
}

/// As [`observe_from`], with other settings.
pub fn observe_with(settings: &Settings, target: Target, samples: u64, begun: impl FnOnce()) -> Observed {
    let classifier = Classifier::built_in();
    let mut collector = Collector::new(&classifier);
    let mut capture = Capture::begin(&target, settings).unwrap();
    begun();
    let mut progress = Progress::Going;
    for _ in 0..300 {
        progress = capture.poll(&mut collector, Duration::from_millis(200)).unwrap();
        if progress != Progress::Going || collector.samples() >= samples {
            break;
        }
    }
    let done = capture.finish(&mut collector);
    assert!(done.own.cpu_ns > 0, "{:?}", done.own);
    let surroundings = Surroundings { own: Some(done.own), ..Surroundings::default() };
    let tool = Tool { name: "test".to_owned(), version: "0".to_owned(), reference_kernels: 0 };
    Observed { profile: collector.finish(done.facts, surroundings, tool), progress }
}

impl Observed {
    /// The share of the weight whose stack, as `module`function` from the outermost on, is as wanted.
    pub fn share(&self, is_wanted: impl Fn(&[String]) -> bool) -> f64 {
        let name = |index: &u32| {
            let frame = &self.profile.frames[*index as usize];
            format!("{}`{}", frame.module.as_deref().unwrap_or("?"), frame.function)
        };
        let (mut all, mut wanted) = (0, 0);
        for stack in &self.profile.stacks {
            let names: Vec<String> = stack.frames.iter().map(name).collect();
            all += stack.weight;
            wanted += if is_wanted(&names) { stack.weight } else { 0 };
        }
        wanted as f64 / all as f64
    }

    /// The share of what has these frames, in this order, whatever is between them.
    pub fn share_with(&self, frames: &[&str]) -> f64 {
        self.share(|names| {
            let mut names = names.iter();
            frames.iter().all(|frame| names.any(|name| name == frame))
        })
    }

    pub fn samples(&self) -> u64 {
        self.profile.captures[0].processes.iter().map(|process| process.samples).sum()
    }
}
