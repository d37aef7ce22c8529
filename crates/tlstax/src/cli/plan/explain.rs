//! `tlstax plan explain`: what changes of the traffic explain of a rise of CPU time.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use tlstax_doc::Note;
use tlstax_doc::model::read_model;
use tlstax_plan::{Costs, Demand, Offered, Rate, Rise, Setup, explain, traffic};
use tlstax_report::explanation_view;

use super::given::read_workload;
use super::host;
use crate::cli::common::Form;
use crate::failure::Usage;
use crate::output::print;

/// Explain a rise of CPU time by what changed in the traffic, and say what is left.
///
/// The traffic before becomes that after one change at a time: suite, key, group, version, resumption, HTTP, connections, requests,
/// bytes. What a change explains is the mean over all orders of changes, so that the parts add up; what they leave of a rise that was
/// measured is no matter of the traffic that was given.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  tlstax plan explain before.toml after.toml --model model.json --rise 5.5x\n  \
                        tlstax plan explain workload-may.json workload-june.json --model model.json --before 0.5% --after 2.75%\n\n\
                        docs/plan-explain-before.toml and docs/plan-explain-after.toml are an example of what is written by hand."
)]
pub struct Args {
    /// The traffic before: a file that `tlstax traffic` wrote, or one that is written by hand (docs/traffic.md).
    #[arg(value_name = "BEFORE")]
    from: PathBuf,

    /// The traffic after.
    #[arg(value_name = "AFTER")]
    to: PathBuf,

    /// What the server's work costs: a file that `tlstax calibrate` wrote.
    #[arg(long, short, value_name = "FILE")]
    model: PathBuf,

    /// How many times the CPU time is what it was: 5.5x, or +450%.
    #[arg(long, value_name = "FACTOR", value_parser = factor, conflicts_with_all = ["before", "after"])]
    rise: Option<f64>,

    /// The CPU time that was measured before, of one core: 0.5%.
    #[arg(long, value_name = "PERCENT", value_parser = percent, requires = "after")]
    before: Option<f64>,

    /// The same after.
    #[arg(long, value_name = "PERCENT", value_parser = percent, requires = "before")]
    after: Option<f64>,

    #[command(flatten)]
    form: Form,
}

pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let model = read_model(&args.model)?;
    let (before, mut assumed) = traffic_of(&args.from)?;
    let (after, more) = traffic_of(&args.to)?;
    assumed.extend(more);
    assumed.sort();
    assumed.dedup();
    let costs = Costs::of(&model);
    let found = explain(&before, &after, &costs, Setup::of(&model), args.rise())
        .map_err(|error| Usage(error.to_string()))?;
    let elsewhere: Vec<Note> = host::other_than_here(&model).into_iter().collect();
    print(args.form.draw(&explanation_view(&found, &model, &assumed, &elsewhere))?)?;
    Ok(ExitCode::SUCCESS)
}

impl Args {
    fn rise(&self) -> Option<Rise> {
        let cores = self.before.zip(self.after);
        cores.map(|(before, after)| Rise::Cores { before, after }).or(self.rise.map(Rise::Times))
    }
}

/// The rise is one of means: the busiest moment of two files is not of the same length.
fn traffic_of(path: &Path) -> anyhow::Result<(Vec<Demand>, Vec<String>)> {
    let named = |sentence: String| format!("{}: {sentence}", path.display());
    let found = traffic(&read_workload(path)?, Offered::AsCounted(Rate::Mean));
    let found = found.map_err(|error| Usage(named(error.to_string())))?;
    let said = found.assumed.into_iter().chain(found.left_out).map(named).collect();
    Ok((found.kinds.into_iter().map(|kind| kind.demand).collect(), said))
}

fn factor(text: &str) -> Result<f64, String> {
    let refused =
        || format!("'{text}' is no rise: write a factor above 0, as 5.5x, or what was added, as +450%");
    let number = |text: &str| text.trim().parse::<f64>().ok();
    let factor = match text.strip_suffix('%') {
        Some(added) => number(added).map(|percent| 1.0 + percent / 100.0),
        None => number(text.strip_suffix('x').unwrap_or(text)),
    };
    factor.filter(|factor| factor.is_finite() && *factor > 0.0).ok_or_else(refused)
}

/// Cores.
fn percent(text: &str) -> Result<f64, String> {
    let refused = || format!("'{text}' is no share of a core: write percent, as 0.5%; four cores are 400%");
    let number = text.strip_suffix('%').unwrap_or(text).trim().parse::<f64>().ok();
    number.filter(|percent| (0.0..=1e7).contains(percent)).map(|percent| percent / 100.0).ok_or_else(refused)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rise_is_a_factor_or_what_was_added() {
        for (text, times) in [("5.5x", 5.5), ("5.5", 5.5), ("+450%", 5.5), ("-50%", 0.5)] {
            assert_eq!(factor(text), Ok(times), "{text}");
        }
        for text in ["0x", "-2x", "-100%", "", "much", "inf", "nan"] {
            assert!(factor(text).is_err(), "{text}");
        }
        assert_eq!(percent("0.5%"), Ok(0.005));
        assert!(percent("-1%").is_err() && percent("nan").is_err());
    }
}
