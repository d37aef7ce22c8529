//! `tlstax report`: print results that were written earlier, of one machine or of several beside each other.

use std::collections::HashMap;
use std::path::PathBuf;
use std::process::ExitCode;

use tlstax_claims::Book;
use tlstax_doc::{Profile, Results, Workload};
use tlstax_names::openssl;
use tlstax_report::{IpVersion, Network, Published, View, side_by_side};
use tlstax_spec::Limit;

use super::answer::{self, Extent};
use super::common::Form;
use super::documents::{self, Documents};
use super::plans::{self, Shown};
use super::values::{self, Choice};
use super::{profiles, workloads};
use crate::failure::{self, Usage};
use crate::output::{print, style, warn};

/// Print results, profiles, workloads, models or plans that were written earlier, in any format.
///
/// Summaries are computed from the raw samples each time, so older results gain from a newer tlstax.
///
/// Several files are set beside each other, a column for each: the same work on several machines. Only what was measured in
/// one run is set in relation; two runs on one machine are for tlstax compare.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  tlstax report results/quick-….json\n  tlstax report results/quick-….json --format \
                        html > report.html\n  tlstax report laptop.json server.json vm.json   # a column for each\n  \
                        tlstax report results/quick-….json --with-published\n  tlstax report \
                        results/quick-….json --published our-old-servers.csv\n  tlstax report results/quick-….json --full --mtu 9000   \
                        # bytes with TCP and IP headers\n  tlstax report \
                        results/profile-….json                  # what of a server's CPU time was TLS\n  tlstax report \
                        workload.json                           # what servers were asked for\n  tlstax report plan.json --format html > plan.html      # with other \
                        resumed shares and rates to try"
)]
pub struct Args {
    /// Files that `tlstax measure`, `observe`, `traffic`, `calibrate` or `plan` wrote.
    #[arg(required = true)]
    results: Vec<PathBuf>,

    #[command(flatten)]
    form: Form,

    #[command(flatten)]
    extent: Extent,

    /// Set this machine beside the machines whose figures were published. They are a part of the program
    /// (reference/primitives.csv and reference/transfers.csv of its sources).
    #[arg(long)]
    with_published: bool,

    /// Set this machine beside figures of your own: a CSV file with the columns of one of those two, see reference/README.md.
    /// Rows that cannot be read are told with their line, the others are shown.
    #[arg(long, value_name = "FILE")]
    published: Vec<PathBuf>,

    /// The largest packet for which bytes with the headers of TCP and IP are computed, and round trips: 1500, as on Ethernet, if
    /// absent. From 68, or 1280 of IPv6, to 65535.
    #[arg(long, value_name = "BYTES", value_parser = values::number(Limit::NONE))]
    mtu: Option<u64>,

    /// Which IP these headers are of: 4 if absent, with 20 bytes, or 6, with 40.
    #[arg(long, value_name = "VERSION", value_parser = ip_version())]
    ip: Option<IpVersion>,

    /// Hold the claims of the write-ups against these results, as `tlstax claims --from` does.
    #[arg(long)]
    claims: bool,
}

pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let runs = match documents::read_all(&args.results)? {
        Documents::Profiles(profiles) => return of_profiles(&args, &profiles),
        Documents::Workloads(workloads) => return of_workloads(&args, &workloads),
        Documents::Model(model) => return of_plan(&args, &plans::of_model(&model)),
        Documents::Plan(plan) => return of_plan(&args, &plans::of_plan(&plan)),
        Documents::Results(runs) => runs,
    };
    let [results] = runs.as_slice() else { return several(&args, &runs) };
    let mut published = if args.with_published { answer::published() } else { Published::default() };
    for path in &args.published {
        published.read(&path.display().to_string(), &tlstax_doc::read(path)?, &openssl::suite_of);
    }
    let mut view = View::over(results, &published, network(&args)?);
    if args.claims {
        let book = Book::built_in();
        view = view.with_claims(&tlstax_claims::answer(&book, &[], &[results])?);
    }
    print(match args.extent.is_brief(args.form.is_text()) {
        true => answer::of(results, &view, places(&args.results)),
        false => args.form.draw(&view)?,
    })?;
    // What could be read is shown before anything is complained of.
    published.problems().iter().for_each(|problem| warn(&format!("error: {problem}")));
    Ok(if published.problems().is_empty() { ExitCode::SUCCESS } else { ExitCode::from(failure::USAGE) })
}

/// How to see what the answer leaves out.
fn places(results: &[PathBuf]) -> Vec<String> {
    let files = results.iter().map(|file| file.display().to_string()).collect::<Vec<_>>().join(" ");
    vec![
        format!("Every table: tlstax report {files} --full"),
        format!("With charts: tlstax report {files} --format html > report.html"),
    ]
}

/// One profile, or a column for each.
fn of_profiles(args: &Args, profiles: &[(String, Profile)]) -> anyhow::Result<ExitCode> {
    if args.with_published || !args.published.is_empty() || args.claims {
        let what = "a profile has shares of CPU time: published costs stand beside results, and tlstax claims --from takes profiles";
        return Err(Usage(what.to_owned()).into());
    }
    let view = profiles::view(profiles);
    print(match args.extent.is_brief(args.form.is_text()) {
        true => profiles::brief(profiles, &view, places(&args.results)).draw(&style()),
        false => args.form.draw(&view)?,
    })?;
    Ok(ExitCode::SUCCESS)
}

/// One workload, or a column for each.
fn of_workloads(args: &Args, read: &[(String, Workload)]) -> anyhow::Result<ExitCode> {
    if args.with_published || !args.published.is_empty() || args.claims {
        let what = "a workload says what was asked of servers, and not what it costs: published costs and claims stand beside results";
        return Err(Usage(what.to_owned()).into());
    }
    let view = workloads::view(read);
    print(match args.extent.is_brief(args.form.is_text()) {
        true => workloads::brief(read, &view, places(&args.results)).draw(&style()),
        false => args.form.draw(&view)?,
    })?;
    Ok(ExitCode::SUCCESS)
}

/// A model or a plan.
fn of_plan(args: &Args, shown: &Shown) -> anyhow::Result<ExitCode> {
    if args.with_published || !args.published.is_empty() || args.claims {
        let what = "models and plans are made of results: published costs and claims stand beside those";
        return Err(Usage(what.to_owned()).into());
    }
    print(match args.extent.is_brief(args.form.is_text()) {
        true => shown.brief(places(&args.results)).draw(&style()),
        false => args.form.draw(&shown.view)?,
    })?;
    Ok(ExitCode::SUCCESS)
}

/// The packets that headers are computed for.
fn network(args: &Args) -> Result<Network, Usage> {
    let mtu = args.mtu.unwrap_or(Network::ETHERNET);
    Network::new(mtu, args.ip.unwrap_or_default()).map_err(|error| Usage(error.to_string()))
}

/// A column for each run.
fn several(args: &Args, runs: &[Results]) -> anyhow::Result<ExitCode> {
    if args.with_published || !args.published.is_empty() {
        let what = "published figures stand beside one machine: give one file of results";
        return Err(Usage(what.to_owned()).into());
    }
    if args.mtu.is_some() || args.ip.is_some() {
        let what = "bytes with TCP and IP headers are computed for one run: give one file of results";
        return Err(Usage(what.to_owned()).into());
    }
    if args.claims {
        let what =
            "claims are held against several runs by tlstax claims --from, with all of the files behind it";
        return Err(Usage(what.to_owned()).into());
    }
    if let Some(at) = runs.iter().position(|results| results.counted.is_some()) {
        let path = args.results[at].display();
        let what = format!(
            "{path} holds counts, and no times: tlstax compare sets counts of several runs beside each other"
        );
        return Err(Usage(what).into());
    }
    if let Some([one, other]) = same_run(runs) {
        let [one, other] = [one, other].map(|at| args.results[at].display());
        return Err(Usage(format!("{one} and {other} hold the same run: name each run once")).into());
    }
    let named: Vec<(String, &Results)> = documents::names(&args.results).into_iter().zip(runs).collect();
    print(args.form.draw(&side_by_side(&named))?)?;
    Ok(ExitCode::SUCCESS)
}

pub fn ip_version() -> Choice<IpVersion> {
    let read = |text: &str| {
        let version = IpVersion::ALL.into_iter().find(|version| version.number() == text);
        version.ok_or_else(|| format!("there is no IP version '{text}': write 4 or 6"))
    };
    Choice::new(IpVersion::ALL.map(IpVersion::number).to_vec(), read)
}

/// The places of two files with one run, which is known by its beginning and its seed.
fn same_run(runs: &[Results]) -> Option<[usize; 2]> {
    let run = |results: &Results| (results.started.clone(), results.study.seed);
    let mut seen = HashMap::new();
    runs.iter().enumerate().find_map(|(at, results)| Some([seen.insert(run(results), at)?, at]))
}
