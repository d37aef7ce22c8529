//! What is shown while a capture goes on: time and samples, or with `--watch` the shares so far.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tlstax_doc::Class;
use tlstax_observe::Collector;
use tlstax_report::{Printable, class_name};

/// So many classes are shown.
const SHOWN: usize = 15;

/// The length of a bar of the whole, in letters.
const BAR: f64 = 40.0;

pub struct Watch {
    bar: Option<ProgressBar>,
    shows_classes: bool,
    length: Option<Duration>,
}

impl Watch {
    pub fn new(is_quiet: bool, shows_classes: bool, length: Option<Duration>) -> Self {
        let is_shown = std::io::stderr().is_terminal() && !is_quiet;
        let bar = is_shown.then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(4));
            let style = ProgressStyle::with_template("{msg}").unwrap_or_else(|_| {
                unreachable!("the template is a constant that names only keys of indicatif")
            });
            bar.set_style(style);
            bar
        });
        Self { bar, shows_classes, length }
    }

    /// Shows how it stands.
    pub fn show(&mut self, elapsed: Duration, collector: &Collector<'_>) {
        let Some(bar) = &self.bar else { return };
        let seconds = elapsed.as_secs();
        let of = self.length.map_or(String::new(), |length| format!(" of {}", length.as_secs()));
        let mut text = format!(
            "{seconds}{of} s, {} samples; Ctrl-C ends it and keeps what there is",
            collector.samples()
        );
        if self.shows_classes {
            text += &classes(&collector.weights());
        }
        bar.set_message(Printable::block(&text).to_string());
        bar.tick();
    }

    pub fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// TLS as a whole, then the heaviest classes, each with a bar.
fn classes(weights: &[(Class, u64)]) -> String {
    let whole: u64 = weights.iter().map(|(_, weight)| weight).sum();
    let tls: u64 = weights.iter().filter(|(class, _)| class.cost.is_tls()).map(|(_, weight)| weight).sum();
    let mut heaviest = weights.to_vec();
    heaviest.sort_by_key(|(class, weight)| (std::cmp::Reverse(*weight), *class));
    let rows = heaviest.iter().take(SHOWN).map(|(class, weight)| (class_name(*class), *weight));
    std::iter::once(("TLS".to_owned(), tls))
        .chain(rows)
        .map(|(name, weight)| line(&name, weight, whole))
        .collect()
}

fn line(name: &str, weight: u64, whole: u64) -> String {
    let share = weight as f64 / whole.max(1) as f64;
    let bar = "#".repeat((share * BAR).round() as usize);
    format!("\n{:>5.1} %  {name:<44} {bar}", share * 100.0)
}
