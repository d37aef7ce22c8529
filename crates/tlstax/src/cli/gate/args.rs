//! The flags of `tlstax gate`.

use tlstax_stats::Percent;

use crate::cli::common::Measuring;
use crate::cli::{complete, values};

/// Say whether a build of a library is slower than another, for continuous integration.
///
/// Both are measured in one run, their batches interleaved, so that whatever the machine does it does to both. A case is slower
/// if the whole interval of its ratio lies above the allowed change. Where nothing changed, one sentence says so. docs/gate.md.
///
/// Exit codes: 0 nothing is slower, 1 something is slower or has no figure any more, 2 it could not be judged.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
                        tlstax gate --base /opt/openssl-main --head /opt/openssl-branch       # two installation prefixes\n  \
                        tlstax gate --base openssl-3.5 --head openssl-3.6 --study primitives  # two libraries of the registry\n  \
                        tlstax gate --base openssl --head ./install --fail-above 1 --budget 15m --format md\n  \
                        tlstax gate --base main.json --head ./install                         # against an earlier run\n  \
                        tlstax gate --base openssl --head openssl                             # what this machine can tell")]
pub struct Args {
    /// What to compare with: an installation prefix, the id of a library, or results of an earlier run.
    #[arg(long, value_name = "PREFIX|ID|RESULTS", add = complete::ids())]
    pub base: String,

    /// What is judged: an installation prefix, or the id of a library.
    #[arg(long, value_name = "PREFIX|ID", add = complete::ids())]
    pub head: String,

    /// The known library that prefixes are used like, as for tlstax libraries add.
    #[arg(long, value_name = "ID", default_value = "openssl", add = complete::ids())]
    pub like: String,

    /// What is measured: the name of a study or the path of a .toml file. Without it handshakes, or with RESULTS the cases of those.
    #[arg(long, value_name = "STUDY", add = complete::studies())]
    pub study: Option<String>,

    /// The change that is let pass, in percent. Below 0.3 (0.05 for counts) nothing is called a change.
    #[arg(long, value_name = "PERCENT", default_value = "3", value_parser = values::percent, allow_negative_numbers = true)]
    pub fail_above: Percent,

    #[command(flatten)]
    pub measuring: Measuring,
}
