//! `tlstax plan`: what a workload will cost, what a change would do, and whether the prediction was right.

mod advise;
mod check;
mod explain;
mod figures;
mod given;
mod host;
mod line_rate;
mod predict;
mod scale;
mod shown;

use std::process::ExitCode;

use super::project::Project;

/// Predict what a workload will cost a server, what changes would do, and check the prediction.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
#[command(
    after_help = "Examples:\n  tlstax plan --workload docs/traffic-by-hand.toml --model results/model.json\n  tlstax plan \
                        --workload workload.json --model model.json --what-if cert=ecdsa-p256 --what-if resumed=80%\n  tlstax plan \
                        --workload workload.json --model model.json --rate 20000 --nic 10G --price 0.05 -o plan.json\n  tlstax plan \
                        advise --workload workload.json --model model.json --floor intermediate\n  tlstax plan \
                        --workload workload.json --model model.json --check                     # offer it, and compare\n  \
                        tlstax plan --model model.json --check-results results.json             # with what was measured"
)]
#[group(skip)]
pub struct Args {
    #[command(subcommand)]
    what: Option<What>,

    #[command(flatten)]
    predict: predict::Args,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    Advise(Box<advise::Args>),
    LineRate(line_rate::Args),
    Scale(scale::Args),
    Explain(explain::Args),
}

pub fn run(args: Args, project: impl FnOnce() -> anyhow::Result<Project>) -> anyhow::Result<ExitCode> {
    match args.what {
        None => predict::run(args.predict, project),
        Some(What::Advise(args)) => advise::run(*args),
        Some(What::LineRate(args)) => line_rate::run(args),
        Some(What::Scale(args)) => scale::run(args),
        Some(What::Explain(args)) => explain::run(args),
    }
}
