//! `tlstax observe`: how much of a running server's CPU time is TLS, and which part of TLS.

mod beside;
mod files;
mod import;
mod live;
mod merge;
mod watch;

pub use beside::Beside;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Subcommand;
use tlstax_doc::{Profile, Tool, Work};
use tlstax_observe::{Classifier, Format};

use super::answer::Extent;
use super::common::Form;
use super::{profiles, values};
use crate::failure::Usage;
use crate::output::{print, style, warn};

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
    other: Option<Other>,

    /// A profile to read in place of running processes: perf.data, the text of perf script, a pprof, folded stacks, a profile of
    /// the Firefox profiler. - is standard input.
    #[arg(value_name = "FILE", conflicts_with_all = ["target", "duration", "hertz", "watch"])]
    file: Option<PathBuf>,

    /// Read the file as this, whatever it looks like: perf.data, perf-script, pprof, folded or firefox.
    #[arg(long = "as", value_name = "FORMAT", requires = "file")]
    format_of_file: Option<Format>,

    #[command(flatten)]
    target: live::TargetArgs,

    /// How long to observe: 30s if absent, and until Ctrl-C with --watch.
    #[arg(long = "for", value_name = "TIME", value_parser = values::budget, help_heading = "Sampling")]
    duration: Option<f64>,

    /// Samples in a second of CPU time of a thread.
    #[arg(
        long,
        value_name = "NUMBER",
        default_value = "499",
        value_parser = clap::value_parser!(u32).range(1..=10_000),
        help_heading = "Sampling"
    )]
    hertz: u32,

    /// Show what is found while it goes on.
    #[arg(long, help_heading = "Sampling")]
    watch: bool,

    /// Rules of your own for code of your own, which go before ours: docs/observe.md has the form.
    #[arg(long, value_name = "FILE")]
    rules: Option<PathBuf>,

    #[command(flatten)]
    work: WorkArgs,

    /// The file of the profile; results/profile-TIME.json of running processes if absent. A page and a flame graph are written
    /// beside it.
    #[arg(long, short, value_name = "FILE", help_heading = "Results")]
    output: Option<PathBuf>,

    #[command(flatten)]
    form: Form,

    #[command(flatten)]
    extent: Extent,

    /// No progress, only the profile and failures.
    #[arg(long, short, help_heading = "Results")]
    quiet: bool,
}

#[derive(Debug, Subcommand)]
enum Other {
    Merge(merge::Args),
}

/// What the server did in the same minutes, by its log or status page.
#[derive(Debug, Clone, Copy, clap::Args)]
#[command(next_help_heading = "What the server did meanwhile")]
struct WorkArgs {
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
    fn work(self) -> Option<Work> {
        let Self { requests, handshakes, bytes } = self;
        let is_any = requests.or(handshakes).or(bytes).is_some();
        is_any.then_some(Work { requests, handshakes, bytes })
    }
}

pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    if let Some(Other::Merge(merge)) = args.other {
        return merge::run(merge);
    }
    files::check(args.output.as_deref())?;
    let classifier = classifier(args.rules.as_deref())?;
    match (&args.file, args.target.is_named()) {
        (Some(file), _) => import::run(&args, file, &classifier),
        (None, true) => live::run(&args, &classifier),
        (None, false) => Err(Usage(
            "what is to be observed? --pid NUMBER, --name PROGRAM, --cgroup PATH or --system for what runs, or a file with a \
             profile: see tlstax observe --help"
                .to_owned(),
        )
        .into()),
    }
}

fn classifier(rules: Option<&Path>) -> anyhow::Result<Classifier> {
    let Some(path) = rules else { return Ok(Classifier::built_in()) };
    let text = tlstax_doc::read(path)?;
    Classifier::built_in()
        .with_rules(&text, &path.display().to_string())
        .map_err(|error| Usage(error.to_string()).into())
}

/// Prints a profile, and writes it where it is to be kept.
fn show(args: &Args, profile: Profile, is_kept: bool) -> anyhow::Result<ExitCode> {
    let name = args
        .output
        .as_deref()
        .and_then(Path::file_stem)
        .map_or("profile".into(), |stem| stem.to_string_lossy());
    let named = [(name.into_owned(), profile)];
    let view = profiles::view(&named);
    let written = is_kept.then(|| files::write_all(args.output.as_deref(), &named[0].1, &view));
    let places = match &written {
        Some(Ok(written)) => written.places(),
        _ => Vec::new(),
    };
    // Whatever becomes of the files, what was found is shown.
    let is_brief = args.extent.is_brief(args.form.is_text());
    print(match is_brief {
        true => profiles::brief(&named, &view, places.clone()).draw(&style()),
        false => args.form.draw(&view),
    })?;
    written.transpose()?;
    if !args.quiet && !is_brief {
        places.iter().for_each(|place| warn(place));
    }
    Ok(ExitCode::SUCCESS)
}

/// The program that writes profiles.
fn tool() -> Tool {
    Tool {
        name: "tlstax".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        reference_kernels: tlstax_measure::reference::VERSION,
    }
}
