//! `tlstax plan scale`: how work grows with threads, and how far that is known.

mod said;
mod tables;

use std::path::PathBuf;
use std::process::ExitCode;

use tlstax_doc::Results;
use tlstax_plan::Figures;
use tlstax_plan::scale::curves;
use tlstax_report::{Section, View};
use tlstax_spec::Limit;

use crate::cli::common::Form;
use crate::cli::values;
use crate::failure::Usage;
use crate::output::print;

/// Say how work grows with threads, from curves that were measured.
///
/// Cases that differ in their threads alone, or loads that differ in the workers of their server, are a curve. It is linear (each
/// thread does within 5 % what it does alone), contended (each does less, all do more) or lock-bound (twice as many threads bring
/// less than a tenth). With four points and more the universal scalability law is fitted (contention and coherency), and where it
/// misses, the law of one lock that saturates; a law that misses a point by more than a tenth is none.
///
/// --at asks for a number of threads. Between points that were measured it is answered; beyond them it is not: no law says when the
/// next lock saturates. Points where threads take turns on too few CPUs, or where the client of a load was the limit, are left out.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  tlstax handshake --threads 1,2,4,8 -l openssl,rustls-aws-lc   # measures curves\n  \
                        tlstax plan scale results/handshake-….json\n  tlstax plan scale results/handshake-….json --at 6 -l \
                        openssl\n  tlstax plan scale results/load-….json --format csv             # servers with several workers"
)]
pub struct Args {
    /// A file that tlstax measure, handshake, speed or load wrote.
    results: PathBuf,

    /// Numbers of threads or workers to predict, from 1 to 1024.
    #[arg(long, value_name = "N", value_delimiter = ',', value_parser = values::number(THREADS))]
    at: Vec<u64>,

    /// Only these libraries and servers.
    #[arg(long, short, value_name = "ID", value_delimiter = ',')]
    library: Vec<String>,

    #[command(flatten)]
    form: Form,
}

const THREADS: Limit = Limit::new(1, 1024, "a number of threads");

pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let results = tlstax_doc::read_results(&args.results)?;
    print(args.form.draw(&view(&args, &results)?)?)?;
    Ok(ExitCode::SUCCESS)
}

fn view(args: &Args, results: &Results) -> Result<View, Usage> {
    let mut found = curves(&Figures::of(results));
    found.retain(|one| args.library.is_empty() || args.library.contains(&one.library));
    if found.is_empty() {
        return Err(nothing(args, results));
    }
    let at: Vec<u16> = args.at.iter().filter_map(|threads| u16::try_from(*threads).ok()).collect();
    let sections = vec![
        Section::new("answer", "Answer", "").saying(said::sentences(&found, &at)),
        Section::new("curves", "Curves", tables::INTRO)
            .with([tables::curves(&found, &at), tables::points(&found)]),
    ];
    let cpu = results.host.cpu.name.as_deref().unwrap_or("an unnamed CPU");
    let about = format!("study {}, {cpu}, {}", results.study.name, results.started);
    Ok(View::of_sections("How work grows with threads", about, sections))
}

fn nothing(args: &Args, results: &Results) -> Usage {
    let file = args.results.display();
    if results.counted.is_some() {
        return Usage(format!("{file} holds counts, and no times: threads that wait are seen in time alone"));
    }
    let of = match args.library.is_empty() {
        true => String::new(),
        false => format!(" of {}", args.library.join(", ")),
    };
    Usage(format!(
        "{file} has no case{of} with several numbers of threads or workers: measure a curve with tlstax handshake --threads 1,2,4, \
         tlstax speed --threads 1,2,4 or tlstax load --workers 1,2,4"
    ))
}
