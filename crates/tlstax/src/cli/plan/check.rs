//! `tlstax plan --check`: predicted beside measured.

use std::cell::RefCell;
use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::{Value, json};
use tlstax_doc::model::{Checked, Model, write_model};
use tlstax_doc::{Note, Results, read_results};
use tlstax_plan::{Check, Costs, Offered, ReplaySettings, check, replay};
use tlstax_report::checked_view;
use tlstax_run::{Extent, Study};

use super::given::Given;
use super::host;
use super::shown::Showing as Shown;
use crate::cli::common::{Form, Measuring, Showing};
use crate::cli::meeting::IfBusy;
use crate::cli::project::Project;
use crate::cli::{measuring, values};
use crate::failure::Usage;
use crate::output::{print, print_document, warn};

/// What makes no sense beside a check: it makes no plan, and its machine is this one.
const OF_PLANS: [&str; 12] = [
    "what_if",
    "output",
    "cpus",
    "nic",
    "memory",
    "connection_memory",
    "concurrent",
    "keep_alive",
    "baseline",
    "credits",
    "price",
    "watts_per_core",
];

/// Whether, and by what, a prediction is checked.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Checking")]
pub struct Checking {
    /// Offer the workload to the server of the model, on this machine and over loopback, and print predicted beside measured. What
    /// came of it is kept in the model, too.
    #[arg(long, conflicts_with = "check_results", conflicts_with_all = OF_PLANS)]
    pub check: bool,

    /// How long the check may take: 90s, 2m, 1h.
    #[arg(long, value_name = "TIME", value_parser = values::budget, requires = "check")]
    check_budget: Option<f64>,

    /// Measure nothing: hold the model against loads of its server that were measured before.
    #[arg(
        long,
        value_name = "RESULTS",
        num_args = 1..,
        conflicts_with_all = OF_PLANS,
        conflicts_with_all = ["workload", "rate"]
    )]
    check_results: Vec<PathBuf>,
}

impl Checking {
    /// Whether results that exist are to be held against the model, which needs no workload.
    pub const fn is_of_results(&self) -> bool {
        !self.check_results.is_empty()
    }

    /// Holds a model against results that exist.
    ///
    /// # Errors
    /// One of the files cannot be read.
    pub fn of_results(&self, model: &Model, form: &Form) -> anyhow::Result<ExitCode> {
        let mut found = Check::default();
        let mut notes = Vec::new();
        for path in &self.check_results {
            let results = read_results(path)?;
            let whose = format!("that of {}", path.display());
            notes.extend(host::other(model, &results.host, &whose));
            notes.extend(host::moved(model, &results));
            let one = of(&results, model);
            found.checked.extend(one.checked);
            found.holes.extend(one.holes);
        }
        if found.checked.is_empty() && found.holes.is_empty() {
            let what =
                "these results have no loads: a model is held against requests, as tlstax load measures them";
            return Err(Usage(what.to_owned()).into());
        }
        show(&found, model, &notes, form)?;
        Ok(ExitCode::SUCCESS)
    }

    /// Offers a workload to the server of a model, prints predicted beside measured and keeps that in the model.
    ///
    /// # Errors
    /// Nothing of the workload can be offered, or the files cannot be written.
    pub fn of_workload(&self, given: &Given, shown: &Shown, project: &Project) -> anyhow::Result<ExitCode> {
        let (path, model) = given.server()?;
        let model = &model;
        let rate = match given.rate {
            Offered::AsCounted(rate) => rate,
            Offered::PerSecond(_) => {
                let what = "a check offers what was counted: leave --rate away, or write busiest or mean";
                return Err(Usage(what.to_owned()).into());
            }
        };
        let settings = ReplaySettings { rate, ..ReplaySettings::default() };
        let offered = replay(&given.workload()?, settings).map_err(|error| Usage(error.to_string()))?;
        offered.left_out.iter().chain(&offered.assumed).for_each(|sentence| warn(sentence));
        let study = Study::parse(&offered.study, "the study of the workload", Extent::Full)?;
        let elsewhere: Vec<Note> = host::other_than_here(model).into_iter().collect();
        let found = RefCell::new(Check::default());
        let view = |results: &Results| {
            let one = of(results, model);
            let notes: Vec<Note> = elsewhere.iter().cloned().chain(host::moved(model, results)).collect();
            let view = checked_view(&one.checked, &one.holes, model, &notes);
            found.replace(one);
            view
        };
        let again = format!("tlstax plan --model {} --check-results", path.display());
        let printed = shown.extent.printed(shown.form.is_text());
        let showing = Showing { view: &view, again: &again, printed };
        let ended = measuring::measure_as(study, self.measuring(model, &shown.form), project, &showing)?;
        let Check { checked, .. } = found.into_inner();
        if !checked.is_empty() {
            let mut kept = model.clone();
            kept.checked.extend(checked.iter().cloned());
            write_model(path, &kept)?;
        }
        Ok(ended)
    }

    /// As `tlstax measure` would, on the server of the model.
    fn measuring(&self, model: &Model, form: &Form) -> Measuring {
        Measuring {
            library: vec![model.server.clone()],
            without: Vec::new(),
            budget: self.check_budget,
            precision: None,
            count: None,
            observe: false,
            seed: None,
            if_busy: IfBusy::Wait,
            list: false,
            verify: false,
            output: None,
            form: form.clone(),
            quiet: false,
        }
    }
}

fn of(results: &Results, model: &Model) -> Check {
    check(results, &Costs::of(model))
}

/// Predicted beside measured: a table, or for programs a row for each load.
fn show(found: &Check, model: &Model, notes: &[Note], form: &Form) -> anyhow::Result<()> {
    if !form.is_json() {
        let view = checked_view(&found.checked, &found.holes, model, notes);
        return Ok(print(form.draw(&view)?)?);
    }
    let row =
        |one: &Checked| json!({ "case": one.what, "predicted": one.predicted, "measured": one.measured });
    let hole = |(case, why): &(String, String)| json!({ "case": case, "why": why });
    let rows: Vec<Value> = found.checked.iter().map(row).chain(found.holes.iter().map(hole)).collect();
    print_document(
        true,
        || serde_json::to_string_pretty(&json!({ "notes": notes, "rows": rows })),
        String::new,
    )
}
