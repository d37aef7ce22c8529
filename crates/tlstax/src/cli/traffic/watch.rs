//! What is shown while logs are read: how far it is, how fast, and how long it will take.

use std::io::IsTerminal;

use indicatif::{HumanBytes, ProgressBar, ProgressDrawTarget, ProgressStyle};
use tlstax_measure::clock;
use tlstax_spec::Nanos;
use tlstax_traffic::Progress;

use crate::output::{message, warn};

/// Where there is no terminal, progress is told this often.
const TELL_EVERY: Nanos = Nanos::from_millis(15_000);

const DRAWS_PER_SECOND: u8 = 5;

pub struct Watch {
    bar: Option<ProgressBar>,
    quiet: bool,
    begun: Nanos,
    told: Nanos,
}

impl Watch {
    pub fn new(quiet: bool) -> Self {
        let is_shown = std::io::stderr().is_terminal() && !quiet;
        let bar = is_shown.then(|| {
            let target = ProgressDrawTarget::stderr_with_hz(DRAWS_PER_SECOND);
            let bar = ProgressBar::with_draw_target(Some(1), target);
            let style = ProgressStyle::with_template("{bar:30} {wide_msg}").unwrap_or_else(|_| {
                unreachable!("the template is a constant that names only keys of indicatif")
            });
            bar.set_style(style.progress_chars("━╸ "));
            bar
        });
        let begun = clock::monotonic();
        Self { bar, quiet, begun, told: Nanos(0) }
    }

    /// Shows how far it is.
    pub fn show(&mut self, progress: Progress) {
        let elapsed = clock::monotonic().since(self.begun);
        let text = told(progress, elapsed.0 as f64 / 1e9);
        if let Some(bar) = &self.bar {
            bar.set_length(progress.of.unwrap_or(progress.done).max(1));
            bar.set_position(progress.done);
            bar.set_message(message(&text).to_string());
        } else if !self.quiet && elapsed.since(self.told) >= TELL_EVERY {
            self.told = elapsed;
            warn(&text);
        }
    }

    /// Shows how long it has been, of something that takes so many seconds.
    pub fn wait(&self, elapsed: f64, seconds: f64) {
        if let Some(bar) = &self.bar {
            bar.set_length((seconds * 1e3) as u64);
            bar.set_position((elapsed.min(seconds) * 1e3) as u64);
            let left = (seconds - elapsed).max(0.0);
            bar.set_message(format!("{left:.0} s left; Ctrl-C ends it and keeps what there is"));
        }
    }

    pub fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn told(Progress { done, of }: Progress, seconds: f64) -> String {
    let speed = done as f64 / seconds.max(1e-3);
    let fast = HumanBytes(speed as u64);
    match of {
        Some(of) => {
            let left = of.saturating_sub(done) as f64 / speed.max(1.0);
            format!("{} of {}, {fast}/s, {left:.0} s left", HumanBytes(done.min(of)), HumanBytes(of))
        }
        None => format!("{}, {fast}/s; Ctrl-C ends it and keeps what there is", HumanBytes(done)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_far_it_is_says_how_long_it_will_take() {
        let (done, of) = (1 << 30, Some(3 << 30));
        assert_eq!(told(Progress { done, of }, 2.0), "1.00 GiB of 3.00 GiB, 512.00 MiB/s, 4 s left");
        assert!(told(Progress { done, of: None }, 2.0).starts_with("1.00 GiB, 512.00 MiB/s; Ctrl-C"));
    }
}
