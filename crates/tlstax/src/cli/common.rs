//! Flags that all measuring verbs share, and who takes part by them.

use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;
use clap::builder::PossibleValue;
use tlstax_doc::Results;
use tlstax_libraries::{Entry, Home, LibraryPattern, Registry, RegistryError};
use tlstax_report::{EXPORTS, FORMATS, Format, Printable, View};
use tlstax_run::{CountBy, RunError, Study};
use tlstax_spec::{Id, Limit, Switch};
use tlstax_stats::Percent;

use super::complete;
use super::meeting::IfBusy;
use super::project::Project;
use super::values::{self, Switches};
use crate::failure::Usage;
use crate::output::{style, warn};

/// Every number of 64 bits is a seed.
const SEED: Limit = Limit::new(0, u64::MAX, "a seed");

/// How to measure, and what to do with the results.
#[derive(Debug, Clone, Args)]
pub struct Measuring {
    /// Libraries to measure, by their ids; the registry's default ones if none are named.
    #[arg(long, short, value_name = "ID", value_delimiter = ',', add = complete::ids(), help_heading = "Measuring")]
    pub library: Vec<Id>,

    /// Measure each library also without these features of the CPU: aes, clmul, vaes, avx2, avx512, sha, or asm, which is a build
    /// of its own. Together with commas; given again for another row.
    #[arg(long, value_name = "FEATURES", value_parser = values::switches, add = complete::switches(), help_heading = "Measuring")]
    pub without: Vec<Switches>,

    /// How long it may take, preparation included: 90s, 2m, 1m30s, 1h; from 1s to 24h.
    #[arg(long, value_name = "TIME", value_parser = values::budget, help_heading = "Measuring")]
    pub budget: Option<f64>,

    /// Stop measuring a case when half its 95 % interval is within this many percent of its value: above 0, at most 100.
    #[arg(long, value_name = "PERCENT", value_parser = values::precision, help_heading = "Measuring")]
    pub precision: Option<Percent>,

    /// Count in place of taking times: instructions, by the CPU's counter where there is one, else under callgrind (valgrind); or
    /// callgrind, whatever the CPU has, so that counts of different machines compare. For gates on noisy machines: compare
    /// tells 0.1 %. Of primitives, handshakes and bulk data in one thread.
    #[arg(long, value_enum, value_name = "WHAT", help_heading = "Measuring")]
    pub count: Option<CountWhat>,

    /// Sample the processes that do the work while they are measured, of loads those of the server, and say what of it is what: see
    /// tlstax observe.
    #[arg(long, conflicts_with_all = ["count", "list", "verify"], help_heading = "Measuring")]
    pub observe: bool,

    /// The seed of the order of batches; chosen anew each time if absent, and kept in the results.
    #[arg(long, value_name = "NUMBER", value_parser = values::number(SEED), help_heading = "Measuring")]
    pub seed: Option<u64>,

    /// What to do while another run measures on the same CPUs: wait for its end, refuse, or go on beside it, which makes both
    /// results worse.
    #[arg(
        long,
        value_enum,
        value_name = "WHAT",
        default_value = "wait",
        env = "TLSTAX_IF_BUSY",
        hide_env_values = true,
        help_heading = "Measuring"
    )]
    pub if_busy: IfBusy,

    /// List the cases and stop.
    #[arg(long, conflicts_with = "verify", help_heading = "Measuring")]
    pub list: bool,

    /// Prepare every case and run it once, to see what works; measure nothing.
    #[arg(long, help_heading = "Measuring")]
    pub verify: bool,

    /// The file of the results; results/STUDY-TIME.json if absent. An HTML report is written beside it.
    #[arg(long, short, value_name = "FILE", help_heading = "Results")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub form: Form,

    /// No progress, only results and failures.
    #[arg(long, short, help_heading = "Results")]
    pub quiet: bool,
}

/// What is counted, as the flag says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum CountWhat {
    Instructions,
    Callgrind,
}

impl From<CountWhat> for CountBy {
    fn from(what: CountWhat) -> Self {
        match what {
            CountWhat::Instructions => Self::Any,
            CountWhat::Callgrind => Self::Callgrind,
        }
    }
}

/// The form of what is printed.
#[derive(Debug, Clone, Args)]
pub struct Form {
    /// What to print.
    #[arg(long, short, value_name = "FORMAT", default_value = "text", value_parser = format_names(), help_heading = "Results")]
    pub format: String,

    /// The same as --format json.
    #[arg(long, conflicts_with = "format", help_heading = "Results")]
    pub json: bool,
}

fn format_names() -> clap::builder::PossibleValuesParser {
    let named = |format: &Format| PossibleValue::new(format.name).alias(format.extension).help(format.about);
    FORMATS.iter().chain(EXPORTS).map(named).collect::<Vec<_>>().into()
}

impl Form {
    /// Draws a view in the format that was asked for, as wide as the screen.
    ///
    /// # Errors
    /// A format for the tools of others holds the costs of one run, and the view has none, or those of several.
    pub fn draw(&self, view: &View) -> Result<Printable, Usage> {
        let name = if self.json { "json" } else { self.format.as_str() };
        let format = tlstax_report::format(name)
            .unwrap_or_else(|| unreachable!("clap lets only names of formats pass"));
        match format.refusal(view) {
            Some(why) => Err(Usage(format!("--format {name}: {why}; csv and json hold whatever there is"))),
            None => Ok(format.draw(view, &style())),
        }
    }

    /// Whether it is text for a person.
    pub fn is_text(&self) -> bool {
        !self.json && self.format == "text"
    }

    /// Whether JSON was asked for.
    pub fn is_json(&self) -> bool {
        self.json || self.format == "json"
    }
}

/// The libraries that are measured: each that was chosen, and after it the same without what is to be switched off. A
/// library that is known without it by a block of its own is that one.
fn libraries(
    named: &[Id],
    flags: &Measuring,
    study: &Study,
    registry: &Registry,
    home: &Home,
) -> anyhow::Result<Vec<Id>> {
    let chosen = match named {
        [] => there(registry.about(&study.libraries)?, flags, home)?,
        named => registry.choose(named)?,
    };
    let mut off: Vec<&[Switch]> = study.without.iter().map(Vec::as_slice).collect();
    off.extend(flags.without.iter().map(|Switches(off)| off.as_slice()));
    let mut ids = Vec::new();
    for entry in chosen {
        ids.push(entry.id.clone());
        for off in &off {
            ids.push(entry.id_without(off).map_err(RegistryError::from)?);
        }
    }
    Ok(ids)
}

/// Of the libraries that a study is about those that were built; which are not, is said. A server is in the table whether it is
/// there or not: its row says how to get it.
fn there<'a>(about: Vec<&'a Entry>, flags: &Measuring, home: &Home) -> anyhow::Result<Vec<&'a Entry>> {
    let is_there = |entry: &&Entry| entry.program_path(home).is_none_or(|program| program.exists());
    let (there, absent): (Vec<&Entry>, Vec<&Entry>) = about.into_iter().partition(is_there);
    if there.is_empty() {
        bail!(RunError::NoLibrary { libraries: absent.into_iter().map(Entry::not_built).collect() });
    }
    if !absent.is_empty() && !flags.quiet {
        let ids: Vec<&str> = absent.iter().map(|entry| entry.id.as_str()).collect();
        let (list, words) = (ids.join(", "), ids.join(" "));
        warn(&format!("not built, so left out: {list}; to get them: tlstax libraries build {words}"));
    }
    Ok(there)
}

/// What shows results again, but for their file.
pub const REPORT: &str = "tlstax report";

/// What is made of results, and how much of it is printed.
pub struct Showing<'s> {
    pub view: &'s dyn Fn(&Results) -> View,
    /// What shows it again, but for the file of the results behind it.
    pub again: &'s str,
    pub printed: Printed,
}

/// How much of what is made of results is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Printed {
    /// The verb itself prints what it makes of them.
    Nothing,
    /// The answer alone, and not every table.
    Answer,
    Everything,
}

/// Who takes part: the ids of the libraries, and a registry that has them all.
pub fn cast(flags: &Measuring, study: &Study, project: &Project) -> anyhow::Result<(Registry, Vec<Id>)> {
    let mut registry = project.registry.clone();
    let named: Vec<Id> = flags.library.iter().map(|name| registry.canonical(name)).collect();
    let patterns = study.libraries.iter().filter_map(LibraryPattern::id);
    let ends = study.servers().chain(study.clients());
    registry.derive(named.iter().chain(patterns).chain(ends), &project.home)?;
    let libraries = libraries(&named, flags, study, &registry, &project.home)?;
    registry.derive(&libraries, &project.home)?;
    Ok((registry, libraries))
}

/// From here on, SIGINT and SIGTERM ask for the end instead of being it: what was measured is kept, what was started is
/// ended. For what measures or builds; everything else ends at once.
pub fn catch_signals() -> anyhow::Result<()> {
    tlstax_measure::signal::install().context("cannot catch SIGINT and SIGTERM")
}
