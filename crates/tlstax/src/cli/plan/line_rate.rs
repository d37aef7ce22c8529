//! `tlstax plan line-rate`: whether cores fill a line, TLS beside tunnels, and how long the first byte takes.

mod answer;
mod args;
mod asked;
mod latency;
mod streams;
mod telling;
mod times;
mod tunnels;

use std::process::ExitCode;

use tlstax_doc::Results;
use tlstax_plan::line::{Stream, streams};
use tlstax_plan::tunnel::{Tunnel, tunnels};
use tlstax_plan::{Figures, latency as waiting};
use tlstax_report::{Section, View};

pub use self::args::Args;
use self::asked::Asked;
use crate::failure::Usage;
use crate::output::print;

pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let asked = Asked::of(&args)?;
    let results = args.results.as_deref().map(tlstax_doc::read_results).transpose()?;
    print(args.form.draw(&view(&args, &asked, results.as_ref())?)?)?;
    Ok(ExitCode::SUCCESS)
}

fn view(args: &Args, asked: &Asked, results: Option<&Results>) -> Result<View, Usage> {
    let figures = results.map(Figures::of);
    let is_wanted = |library: &str| args.library.is_empty() || args.library.iter().any(|id| id == library);
    let mut found = figures.as_ref().map(|figures| streams(figures, asked.record)).unwrap_or_default();
    let mut tunnelled =
        figures.as_ref().map(|figures| tunnels(figures, &asked.packet, asked.record)).unwrap_or_default();
    found.retain(|stream| is_wanted(&stream.library));
    tunnelled.retain(|tunnel| is_wanted(&tunnel.library));
    found.extend(asked.rate.map(Stream::given));
    found.sort_by_key(|stream| stream.basis);
    let window = |bytes| asked.network.waits(bytes);
    let waits = waiting::waits(figures.as_ref(), &is_wanted, asked.path, asked.chain, window);
    let has_crypto = waits.iter().any(|wait| wait.crypto.is_some());
    if found.is_empty() && tunnelled.is_empty() && !has_crypto {
        return Err(nothing(args, results));
    }
    let latency = (has_crypto || args.rtt.is_some()).then(|| latency::section(asked, &waits));
    let sections = sections(asked, &found, &tunnelled).into_iter().chain(latency).collect();
    let about = results.map_or_else(|| "arithmetic on the rate that was given".to_owned(), about);
    Ok(View::of_sections("Can cores fill the line?", format!("{about}; {}", asked.network), sections))
}

fn sections(asked: &Asked, streams: &[Stream], tunnels: &[Tunnel]) -> Vec<Section> {
    let mut sections = vec![answer::section(asked, streams)];
    if let Some(bytes) = asked.bytes {
        sections.push(times::section(asked, streams, bytes));
    }
    if !streams.is_empty() {
        sections.push(streams::section(asked, streams));
    }
    if !tunnels.is_empty() {
        sections.push(tunnels::section(asked, tunnels));
    }
    sections.retain(|section| !section.sentences.is_empty() || !section.blocks.is_empty());
    sections
}

fn nothing(args: &Args, results: Option<&Results>) -> Usage {
    let file = args.results.as_ref().map(|path| path.display().to_string()).unwrap_or_default();
    if results.is_some_and(|results| results.counted.is_some()) {
        return Usage(format!("{file} holds counts, and no times: a line is filled in time"));
    }
    let of = match args.library.is_empty() {
        true => String::new(),
        false => format!(" of {}", args.library.join(", ")),
    };
    Usage(format!(
        "{file} has no bulk data{of}, no ciphers, no large transfers and no handshakes: measure them with tlstax bulk, tlstax measure \
         primitives, tlstax measure large-transfer or tlstax handshake; without results, give a rate: --rate 99.02MB/s"
    ))
}

/// The machine and the study, in a line.
fn about(results: &Results) -> String {
    let cpu = results.host.cpu.name.as_deref().unwrap_or("an unnamed CPU");
    format!("study {}, {cpu}, {}", results.study.name, results.started)
}
