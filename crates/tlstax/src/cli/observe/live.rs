//! Running processes.

use std::process::ExitCode;
use std::time::Duration;

use tlstax_doc::Profile;
use tlstax_observe::live::{Capture, Finished, LiveError, Progress, Settings};
use tlstax_observe::{Classifier, Collector, Surroundings};

use super::args::Args;
use super::show::show;
use super::watch::Watch;
use crate::cli::common::catch_signals;
use crate::cli::documents::tool;
use crate::failure::{self, Usage};
use crate::output::warn;

/// How long a capture takes if nothing else is said.
const USUAL: Duration = Duration::from_secs(30);

/// How often progress is shown.
const STEP: Duration = Duration::from_millis(500);

pub fn run(args: &Args, classifier: &Classifier) -> anyhow::Result<ExitCode> {
    let length = match (args.duration, args.watch) {
        (Some(seconds), _) => Some(Duration::from_secs_f64(seconds)),
        (None, true) => None,
        (None, false) => Some(USUAL),
    };
    catch_signals()?;
    let host = tlstax_measure::host::read();
    let settings = Settings { hertz: args.hertz, may_be_of_cpus: args.whole_cpus, ..Settings::default() };
    let mut capture = Capture::begin(&args.target.target(), &settings)?;
    let mut collector = Collector::new(classifier);
    let mut watch = Watch::new(args.quiet, args.watch, length);
    let ended = follow(&mut capture, &mut collector, &mut watch, length);
    let Finished { facts, own } = capture.finish(&mut collector);
    watch.clear();
    let samples = collector.samples();
    let surroundings = Surroundings { host: Some(host), own: Some(own), work: args.work.work() };
    let profile: Profile = collector.finish(facts, surroundings, tool());
    if let Err(error) = &ended {
        warn(&format!("the capture ended early: {error}; what was sampled up to then is kept"));
    }
    if samples == 0 {
        return Err(Usage(
            "there is no sample: whom you named did nothing in that time; observe it under load, or for longer".to_owned(),
        )
        .into());
    }
    let shown = show(args, profile, true)?;
    let is_cut = matches!(ended, Ok(Progress::Interrupted)) && length.is_some();
    Ok(if is_cut { ExitCode::from(failure::INTERRUPTED) } else { shown })
}

/// Polls until the time is over, nobody is left, or somebody interrupts.
fn follow(
    capture: &mut Capture,
    collector: &mut Collector<'_>,
    watch: &mut Watch,
    length: Option<Duration>,
) -> Result<Progress, LiveError> {
    let begun = tlstax_measure::clock::monotonic();
    loop {
        let elapsed = Duration::from_nanos(tlstax_measure::clock::monotonic().since(begun).0);
        watch.show(elapsed, collector);
        let left = length.map_or(STEP, |length| length.saturating_sub(elapsed));
        if left.is_zero() {
            return Ok(Progress::Going);
        }
        match capture.poll(collector, left.min(STEP))? {
            Progress::Going => {}
            ended => return Ok(ended),
        }
    }
}
