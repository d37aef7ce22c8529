//! `tlstax plan`: a prediction, changes to it, and its check.

use std::path::PathBuf;
use std::process::ExitCode;

use tlstax_doc::model::read_model;
use tlstax_plan::Rate;

use super::{check, traffic};
use crate::cli::common::Form;
use crate::cli::project::Project;
use crate::failure::Usage;

#[derive(Debug, clap::Args)]
#[group(skip)]
pub struct Args {
    /// The traffic: a file that `tlstax traffic` wrote, or one that is written by hand (docs/traffic.md).
    #[arg(long, value_name = "FILE")]
    workload: Option<PathBuf>,

    /// What the server's work costs: a file that `tlstax calibrate` wrote.
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,

    #[command(flatten)]
    check: check::Checking,

    #[command(flatten)]
    form: Form,
}

pub fn run(args: Args, project: impl FnOnce() -> anyhow::Result<Project>) -> anyhow::Result<ExitCode> {
    let missing = |what: &str| Usage(format!("{what}: see tlstax plan --help"));
    let path = args.model.as_deref().ok_or_else(|| missing("which model? Name one by --model"))?;
    let model = read_model(path)?;
    if args.check.is_of_results() {
        return args.check.of_results(&model, &args.form);
    }
    let workload = args.workload.as_deref().ok_or_else(|| missing("what traffic? Name it by --workload"))?;
    let workload = traffic::read(workload)?;
    if args.check.check {
        let (project, of) = (project()?, (&model, path));
        let (ended, _) = args.check.of_workload(&workload, Rate::Busiest, of, &args.form, &project)?;
        return Ok(ended);
    }
    anyhow::bail!("not built yet")
}
