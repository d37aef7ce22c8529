//! The flags of `tlstax observe`.

use std::path::PathBuf;

use clap::Subcommand;
use tlstax_doc::Work;
use tlstax_observe::Format;

use super::merge;
use super::target::TargetArgs;
use crate::cli::answer::Extent;
use crate::cli::common::Form;
use crate::cli::values;

/// Tell how much of a running server's CPU time is TLS, and which part of TLS.
///
/// Samples the stacks of running processes, or reads a profile that others have taken, and gives each sample a class: signature,
/// key exchange, key schedule, record protection and so on, by algorithm. Works on stripped libraries, too: the functions at the
/// border of libssl and libcrypto have names in every build. Nothing is traced and nothing stops: the target pays for its
/// samples only.
#[derive(Debug, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:\n  tlstax observe --name nginx --for 30s        # every process of that name\n  \
                  tlstax observe --pid 1234 --requests 60000   # and what a request costs, by a count of your own\n  \
                  tlstax observe --system                      # the whole machine\n  \
                  tlstax observe --watch --name nginx          # live, until Ctrl-C\n  \
                  tlstax observe perf.data                     # what perf record --call-graph dwarf wrote\n  \
                  tlstax observe profile.pb.gz                 # of Parca, Pyroscope or Go\n  \
                  perf script | tlstax observe -\n  \
                  tlstax observe merge web-*.json -o fleet.json\n  \
                  tlstax report web-1.json web-2.json          # hosts side by side\n  \
                  tlstax compare before.json after.json"
)]
pub struct Args {
    #[command(subcommand)]
    pub other: Option<Other>,

    /// A profile to read in place of running processes: perf.data, the text of perf script, a pprof, folded stacks, a profile of
    /// the Firefox profiler. - is standard input.
    #[arg(value_name = "FILE", conflicts_with_all = ["target", "duration", "hertz", "watch"])]
    pub file: Option<PathBuf>,

    /// Read the file as this, whatever it looks like: perf.data, perf-script, pprof, folded or firefox.
    #[arg(long = "as", value_name = "FORMAT", requires = "file")]
    pub format_of_file: Option<Format>,

    #[command(flatten)]
    pub target: TargetArgs,

    /// How long to observe: 30s if absent, and until Ctrl-C with --watch.
    #[arg(long = "for", value_name = "TIME", value_parser = values::budget, help_heading = "Sampling")]
    pub duration: Option<f64>,

    /// Samples in a second of CPU time of a thread.
    #[arg(
        long,
        value_name = "NUMBER",
        default_value = "499",
        value_parser = clap::value_parser!(u32).range(1..=10_000),
        help_heading = "Sampling"
    )]
    pub hertz: u32,

    /// Sample whole CPUs, and keep what is of the target: cheaper for it where its threads go to sleep tens of thousands of times a
    /// second, dearer where they work on. Needs the right to observe everybody, and a timer for samples.
    #[arg(long, help_heading = "Sampling")]
    pub whole_cpus: bool,

    /// Show what is found while it goes on.
    #[arg(long, help_heading = "Sampling")]
    pub watch: bool,

    /// Rules of your own for code of your own, which go before ours: docs/observe.md has the form.
    #[arg(long, value_name = "FILE")]
    pub rules: Option<PathBuf>,

    #[command(flatten)]
    pub work: WorkArgs,

    /// The file of the profile; results/profile-TIME.json of running processes if absent. A page and a flame graph are written
    /// beside it.
    #[arg(long, short, value_name = "FILE", help_heading = "Results")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub form: Form,

    #[command(flatten)]
    pub extent: Extent,

    /// No progress, only the profile and failures.
    #[arg(long, short, help_heading = "Results")]
    pub quiet: bool,
}

#[derive(Debug, Subcommand)]
pub enum Other {
    Merge(merge::Args),
}

/// What the server did in the same minutes, by its log or status page.
#[derive(Debug, Clone, Copy, clap::Args)]
#[command(next_help_heading = "What the server did meanwhile")]
pub struct WorkArgs {
    /// Requests that it answered: the report has the CPU time of one.
    #[arg(long, value_name = "NUMBER")]
    requests: Option<u64>,

    /// Handshakes that it finished.
    #[arg(long, value_name = "NUMBER")]
    handshakes: Option<u64>,

    /// Bytes of application data, both directions.
    #[arg(long, value_name = "NUMBER")]
    bytes: Option<u64>,
}

impl WorkArgs {
    /// None where nothing was said.
    pub fn work(self) -> Option<Work> {
        let Self { requests, handshakes, bytes } = self;
        let is_any = requests.or(handshakes).or(bytes).is_some();
        is_any.then_some(Work { requests, handshakes, bytes })
    }
}
