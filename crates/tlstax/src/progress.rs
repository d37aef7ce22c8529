//! Progress of a run on standard error: a bar on a terminal, a line now and then elsewhere.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tlstax_run::{Event, Observer, Outlook, Progress, Trial};
use tlstax_spec::{Case, Nanos};

use tlstax_report::Printable;

use crate::output::{message, warn};

/// Where there is no terminal, progress is told this often.
const TELL_EVERY: Nanos = Nanos::from_millis(15_000);

/// So many lines stay on a terminal above what is printed at the end, which says the rest of it.
const LINES: usize = 7;

/// Screens are drawn no more often than this, so that drawing takes nothing from the measurement.
const DRAWS_PER_SECOND: u8 = 5;

pub struct Screen {
    bar: ProgressBar,
    is_terminal: bool,
    quiet: bool,
    told: Nanos,
    /// Lines that stay on the terminal.
    lines: usize,
    /// Reasons of failures, and how many cases have had each.
    failures: BTreeMap<String, usize>,
}

impl Screen {
    /// A screen for a run; a quiet one tells of holes only.
    pub fn new(quiet: bool) -> Self {
        let is_terminal = std::io::stderr().is_terminal() && !quiet;
        let target = match is_terminal {
            true => ProgressDrawTarget::stderr_with_hz(DRAWS_PER_SECOND),
            false => ProgressDrawTarget::hidden(),
        };
        let bar = ProgressBar::with_draw_target(Some(1), target);
        let style = ProgressStyle::with_template("{bar:30} {prefix} {wide_msg}")
            .unwrap_or_else(|_| unreachable!("the template is a constant that names only keys of indicatif"));
        bar.set_style(style.progress_chars("━╸ "));
        Self { bar, is_terminal, quiet, told: Nanos(0), lines: 0, failures: BTreeMap::new() }
    }

    /// Takes the bar away, and tells how often what was told once has happened.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
        let several = self.failures.iter().filter(|(_, count)| **count > 1);
        let room = if self.is_terminal { LINES.saturating_sub(self.lines) } else { usize::MAX };
        several.take(room).for_each(|(reason, count)| warn(&format!("{count} cases {reason}")));
    }

    /// One reason may strike many cases: it is told with the first.
    fn failure(&mut self, case: &Case, reason: String) {
        let count = self.failures.entry(reason.clone()).or_default();
        *count += 1;
        if *count == 1 {
            self.line(&format!("{}: {reason}", case.id()));
        }
    }

    /// What the bar says: how far it is, and the case in hand.
    fn show(&self, how_far: String, case: &Case) {
        self.bar.set_prefix(message(&how_far).to_string());
        self.bar.set_message(Printable::line(&case.id()).to_string());
    }

    fn fill(&self, done: u64, of: u64) {
        self.bar.set_length(of);
        self.bar.set_position(done);
    }

    /// Whether it is time to tell how far it is, which is told then.
    fn is_due(&mut self, elapsed: Nanos) -> bool {
        let is_due = !self.quiet && elapsed.since(self.told) >= TELL_EVERY;
        if is_due {
            self.told = elapsed;
        }
        is_due
    }

    fn line(&mut self, text: &str) {
        if !self.is_terminal {
            return warn(text);
        }
        self.lines += 1;
        if self.lines <= LINES {
            self.bar.println(message(text).to_string());
        }
    }

    fn trial(&mut self, trial: Trial<'_>) {
        let Trial { case, done, of, failed, elapsed } = trial;
        let left = elapsed.0 as f64 / 1e9 / done.max(1) as f64 * (of - done) as f64;
        let left = if done == 0 { String::new() } else { format!(", about {left:.0} s left") };
        let failures = if failed == 0 { String::new() } else { format!(", {failed} failed") };
        if self.is_terminal {
            self.fill(done as u64, of as u64);
            self.bar.set_prefix(format!("tried {done}/{of}{failures}{left}"));
            self.bar.set_message(case.id());
        } else if self.is_due(elapsed) {
            warn(&format!("tried {done} of {of} combinations{failures}{left}"));
        }
    }

    fn batch(&mut self, progress: Progress<'_>) {
        let Progress { case, processes: _, round, done, of, elapsed, left } = progress;
        let left = Duration::from_secs(left.0 / 1_000_000_000);
        if self.is_terminal {
            let elapsed = elapsed.0 / 1_000_000;
            self.fill(elapsed, elapsed + left.as_millis() as u64);
            self.show(format!("{}s left · round {round} · {done}/{of} sharp", left.as_secs()), case);
        } else if self.is_due(elapsed) {
            warn(&format!("round {round}: {done} of {of} cases sharp, at most {} s left", left.as_secs()));
        }
    }
}

/// How long it will take, and what to do where the budget does not hold it.
fn expected(outlook: Outlook) -> String {
    let Outlook { cases, libraries, about_s, budget_s } = outlook;
    let count =
        |number: usize, one: &str, many: &str| format!("{number} {}", if number == 1 { one } else { many });
    let whole = format!("{} of {}", count(cases, "case", "cases"), count(libraries, "library", "libraries"));
    match about_s > budget_s {
        true => {
            format!("{whole}: this needs about {about_s} s, the budget is {budget_s} s: --budget {about_s}s")
        }
        false => format!("{whole}: about {about_s} s on a quiet machine, at most {budget_s} s"),
    }
}

impl Observer for Screen {
    fn observe(&mut self, event: Event<'_>) {
        match event {
            Event::Library(library) => {
                let what = match (&library.unavailable, &library.hello) {
                    (Some(why), _) => format!("not available: {why}"),
                    (None, hello) => {
                        Printable::line(hello.as_ref().map_or("", |hello| &hello.version)).to_string()
                    }
                };
                let line = format!("library {}: {what}", library.id);
                match library.unavailable.is_none() && (self.quiet || self.is_terminal) {
                    true => self.bar.set_message(Printable::line(&line).to_string()),
                    false => self.line(&line),
                }
            }
            Event::Begins(outlook) if !self.quiet => self.line(&expected(outlook)),
            Event::Begins(_) => {}
            Event::Preparing { case, done, of } => {
                self.fill(done as u64, of as u64);
                self.show(format!("preparing {done}/{of}"), case);
            }
            Event::Hole { case, outcome } => {
                if let tlstax_doc::Outcome::Failed { .. } = outcome {
                    self.failure(case, outcome.hole().unwrap_or_default());
                }
            }
            Event::Trying(trial) => self.trial(trial),
            Event::Lost { case, note } => self.failure(case, note.what.clone()),
            Event::Batch(progress) => self.batch(progress),
        }
    }
}
