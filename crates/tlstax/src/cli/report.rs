//! `tlstax report`: print results that were written earlier, of one machine or of several beside each other.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use tlstax_claims::Book;
use tlstax_doc::Results;
use tlstax_names::openssl;
use tlstax_report::{Published, View, side_by_side};

use super::answer::{self, Extent};
use super::common::Form;
use crate::failure::{self, Usage};
use crate::output::{print, warn};

/// Print results that were written earlier, in any format.
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
                        results/quick-….json --published our-old-servers.csv"
)]
pub struct Args {
    /// Files that `tlstax measure` wrote.
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

    /// Hold the claims of the write-ups against these results, as `tlstax claims --from` does.
    #[arg(long)]
    claims: bool,
}

pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let read = args.results.iter().map(|path| tlstax_doc::read_results(path));
    let runs = read.collect::<Result<Vec<Results>, _>>()?;
    let [results] = runs.as_slice() else { return several(&args, &runs) };
    let mut published = if args.with_published { answer::published() } else { Published::default() };
    for path in &args.published {
        published.read(&path.display().to_string(), &tlstax_doc::read(path)?, &openssl::suite_of);
    }
    let mut view = View::with_published(results, &published);
    if args.claims {
        let book = Book::built_in();
        view = view.with_claims(&tlstax_claims::answer(&book, &[], &[results])?);
    }
    print(match args.extent.is_brief(args.form.is_text()) {
        true => answer::of(results, &view, places(&args.results[0])),
        false => args.form.draw(&view),
    })?;
    // What could be read is shown before anything is complained of.
    published.problems().iter().for_each(|problem| warn(&format!("error: {problem}")));
    Ok(if published.problems().is_empty() { ExitCode::SUCCESS } else { ExitCode::from(failure::USAGE) })
}

/// How to see what the answer leaves out.
fn places(results: &Path) -> Vec<String> {
    let file = results.display();
    vec![
        format!("Every table: tlstax report {file} --full"),
        format!("With charts: tlstax report {file} --format html > report.html"),
    ]
}

/// A column for each run.
fn several(args: &Args, runs: &[Results]) -> anyhow::Result<ExitCode> {
    if args.with_published || !args.published.is_empty() {
        let what = "published figures stand beside one machine: give one file of results";
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
    let named: Vec<(String, &Results)> = names(&args.results).into_iter().zip(runs).collect();
    print(args.form.draw(&side_by_side(&named)))?;
    Ok(ExitCode::SUCCESS)
}

/// The places of two files with one run, which is known by its beginning and its seed.
fn same_run(runs: &[Results]) -> Option<[usize; 2]> {
    let run = |results: &Results| (results.started.clone(), results.study.seed);
    let mut seen = HashMap::new();
    runs.iter().enumerate().find_map(|(at, results)| Some([seen.insert(run(results), at)?, at]))
}

/// The names of files without folder and ending; where two have the same, all have their paths.
fn names(paths: &[PathBuf]) -> Vec<String> {
    let stem = |path: &PathBuf| path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let stems: Vec<String> = paths.iter().filter_map(stem).collect();
    let mut different = stems.clone();
    different.sort();
    different.dedup();
    if different.len() == paths.len() { stems } else { paths.iter().map(|path| shown(path)).collect() }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_have_the_names_of_files() {
        let names = |paths: &[&str]| names(&paths.iter().map(PathBuf::from).collect::<Vec<_>>());
        assert_eq!(names(&["a/laptop.json", "vm.json"]), ["laptop", "vm"]);
        assert_eq!(names(&["a/quick.json", "b/quick.json"]), ["a/quick.json", "b/quick.json"]);
    }
}
