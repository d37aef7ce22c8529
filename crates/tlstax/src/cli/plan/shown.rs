//! A plan as it is printed and written.

use std::path::PathBuf;
use std::process::ExitCode;

use tlstax_doc::model::Bounds;
use tlstax_doc::plan::{Part, Plan, Prediction, Resource, Row, Scenario, write_plan};

use crate::cli::common::Form;
use crate::cli::new_files;
use crate::failure::Usage;
use crate::output::{print_document, warn};

/// What becomes of a plan.
#[derive(Debug, Clone, clap::Args)]
pub struct Showing {
    /// The file of the plan, JSON; none is written if absent.
    #[arg(long, short, value_name = "FILE", help_heading = "Results")]
    output: Option<PathBuf>,

    #[command(flatten)]
    pub form: Form,
}

impl Showing {
    /// Refuses a name that cannot be that of a document, before anything is computed.
    ///
    /// # Errors
    /// It is none.
    pub fn check(&self) -> Result<(), Usage> {
        new_files::check(self.output.as_deref())
    }

    /// Writes and prints a plan.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn show(&self, plan: &Plan) -> anyhow::Result<ExitCode> {
        if let Some(path) = &self.output {
            write_plan(path, plan)?;
            warn(&format!("the plan: {}", path.display()));
        }
        if !self.form.is_json() && !self.form.is_text() {
            return Err(Usage("a plan is printed as text or json".to_owned()).into());
        }
        print_document(self.form.is_json(), || serde_json::to_string_pretty(plan), || said(plan))?;
        Ok(ExitCode::SUCCESS)
    }
}

/// How many kinds of connections are told.
const ROWS: usize = 8;

/// A plan as text.
fn said(plan: &Plan) -> String {
    let mut lines: Vec<String> = Vec::new();
    let warnings = plan.notes.iter().filter(|note| note.severity != tlstax_doc::Severity::Info);
    lines.extend(warnings.map(|note| format!("Note: {}; {}", note.what, note.remedy)));
    lines.push(answer(plan));
    lines.extend(plan.scenarios.iter().map(scenario));
    lines.push(String::new());
    lines.extend(plan.now.rows.iter().take(ROWS).map(row));
    let more = plan.now.rows.len().saturating_sub(ROWS);
    lines.extend((more > 0).then(|| format!("and {more} kinds more, which take less")));
    lines.extend(plan.resources.iter().map(resource));
    let notes = plan.notes.iter().filter(|note| note.severity == tlstax_doc::Severity::Info);
    lines.extend(notes.map(|note| format!("Note: {}", note.what)));
    lines.extend(plan.assumed.iter().map(|sentence| format!("Assumed: {sentence}")));
    lines.extend(plan.left_out.iter().map(|sentence| format!("Left out: {sentence}")));
    lines.join("\n") + "\n"
}

fn answer(plan: &Plan) -> String {
    let basis = &plan.basis;
    format!(
        "This traffic ({:.0} requests a second, {}) needs {} cores of {} on {}: {}.",
        basis.requests,
        basis.rate,
        cores(plan.now.cores),
        basis.server,
        basis.machine,
        parts(&plan.now)
    )
}

fn cores(Bounds { value, low, high }: Bounds) -> String {
    format!("{value:.3} [{low:.3} - {high:.3}]")
}

fn parts(prediction: &Prediction) -> String {
    let all: f64 = prediction.parts.iter().map(|piece| piece.cores).sum();
    let mut parts: Vec<_> = prediction.parts.iter().collect();
    parts.sort_by(|one, other| other.cores.total_cmp(&one.cores));
    let words = parts.iter().map(|piece| format!("{:.0} % {}", piece.cores / all * 100.0, word(piece.of)));
    words.collect::<Vec<_>>().join(", ")
}

const fn word(part: Part) -> &'static str {
    match part {
        Part::Connections => "connections",
        Part::FullHandshakes => "full handshakes",
        Part::Resumptions => "resumptions",
        Part::Requests => "requests",
        Part::RequestsOverTls => "TLS of requests",
        Part::Sending => "sending",
        Part::Encryption => "encryption",
    }
}

fn scenario(scenario: &Scenario) -> String {
    let elsewhere = &scenario.elsewhere;
    let mut lines = vec![format!(
        "  {}: {} cores more, {} then; {:+.0} bytes a connection, {:+.2} round trips",
        scenario.changes.join(" "),
        cores(scenario.more),
        cores(scenario.prediction.cores),
        elsewhere.bytes_per_connection,
        elsewhere.round_trips
    )];
    lines.extend(elsewhere.said.iter().map(|sentence| format!("    {sentence}")));
    lines.extend(scenario.configuration.iter().map(|line| format!("    > {line}")));
    lines.join("\n")
}

fn row(row: &Row) -> String {
    let Row { kind, connections, requests, resumed, .. } = row;
    let resumed = resumed * 100.0;
    let cores = cores(row.cores);
    format!(
        "{kind}: {cores} cores, {requests:.0} requests/s, {connections:.0} connections/s, {resumed:.0} % resumed"
    )
}

fn resource(resource: &Resource) -> String {
    let Resource { what, used, available, unit, times, said } = resource;
    let (used, available, unit) = match unit.as_str() {
        "cores" => (*used, *available, "cores"),
        "bit/s" => (used.scaled(1e-9), available / 1e9, "Gbit/s"),
        _ => (used.scaled(1e-9), available / 1e9, "GB"),
    };
    format!("{what}: {} of {available:.2} {unit}, {times:.2} times as much would fit: {said}", cores(used))
}
