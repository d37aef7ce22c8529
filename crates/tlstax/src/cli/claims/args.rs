//! The flags of `tlstax claims`.

use std::path::PathBuf;

use crate::cli::answer::Extent;
use crate::cli::common::Measuring;
use crate::cli::complete;

/// Hold what others have claimed of the cost of TLS against this machine.
///
/// The claims are those of five write-ups on what TLS costs (S0 to S4; docs/write-ups.md), or your own. Each is answered with the
/// figure there and its machine, the figure here with its interval, and a verdict: holds, does not hold, cannot tell, or not
/// measurable here, with the reason. The interval decides, not the median, and a ratio is made within one run. A rate of another
/// machine has no verdict: it is told how many times as fast it is here.
///
/// Only what the claims need is measured: all of them take 15 minutes, 3 with --quick, one of them some seconds. The results are
/// a document as `tlstax measure` writes it, which --from and `tlstax report` read again.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  tlstax claims                                # all of them\n  \
                        tlstax claims --quick\n  \
                        tlstax claims S1 S3-ecdsa-rsa                # those of one write-up, and a single one\n  \
                        tlstax claims --from results/claims-….json   # on results that exist\n  \
                        tlstax claims S1 --from a.json b.json        # of two machines, side by side\n  \
                        tlstax claims S3 --from profile-….json       # what a profile says\n  \
                        tlstax claims S1 --from model.json           # what a model of tlstax calibrate says\n  \
                        tlstax claims --file mine.toml --format md   # claims of your own: docs/claims.md has the form\n  \
                        tlstax claims --list                         # the cases that would be measured")]
pub struct Args {
    /// Ids of claims, or sources: S0 to S4 for the write-ups. All claims if none are named.
    #[arg(value_name = "ID|SOURCE", add = complete::claims())]
    pub wanted: Vec<String>,

    /// The quick form: fewer cases in a fifth of the time, with wider intervals.
    #[arg(long, conflicts_with = "from")]
    pub quick: bool,

    /// Measure nothing: answer from results that exist, from profiles of tlstax observe and from models of tlstax calibrate. Ratios are made within each of them, never between two.
    #[arg(
        long,
        value_name = "RESULTS",
        num_args = 1..,
        conflicts_with_all = ["library", "budget", "precision", "seed", "list", "verify", "output"]
    )]
    pub from: Vec<PathBuf>,

    /// Claims of your own, in place of those of the write-ups: a file of the form that docs/claims.md describes.
    #[arg(long, value_name = "FILE")]
    pub file: Option<PathBuf>,

    #[command(flatten)]
    pub measuring: Measuring,

    #[command(flatten)]
    pub extent: Extent,
}
