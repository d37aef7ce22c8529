//! `tlstax traffic`: what servers were really asked for, counted from their logs and from captures.

mod args;
mod bad;
mod drawn;
mod files;
mod merge;
mod replay;
mod show;
mod time;
mod watch;

use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;

use tlstax_measure::clock;
use tlstax_traffic::{Classes, Counted, Input, NoFormat, Settings, Window, count, listen, suggest};

pub use self::args::Args;
use self::args::Other;
use self::watch::Watch;
use super::common::catch_signals;
use super::documents::tool;
use super::new_files;
use crate::failure::{self, Usage};
use crate::output::{print, warn};

pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    match args.other {
        Some(Other::Merge(merge)) => return merge::run(merge),
        Some(Other::Replay(replay)) => return replay::run(replay),
        None => {}
    }
    if let Some(server) = &args.suggest {
        print(suggest(server).unwrap_or_default())?;
        return Ok(ExitCode::SUCCESS);
    }
    new_files::check(args.output.as_deref())?;
    spare(args.output.as_deref(), &args.files)?;
    let settings = settings(&args)?;
    let counted = match (&args.interface, args.duration) {
        (Some(interface), Some(seconds)) => of_interface(&args, interface, seconds, &settings)?,
        _ if args.files.is_empty() => {
            let what = "what is to be counted? Name logs or captures, or - for standard input: see tlstax traffic --help";
            return Err(Usage(what.to_owned()).into());
        }
        _ => of_files(&args, &settings)?,
    };
    tell(&args, &counted);
    let is_part = counted.was_interrupted;
    let shown = show::show(&args, counted)?;
    Ok(if is_part { ExitCode::from(failure::INTERRUPTED) } else { shown })
}

/// That no file which is read would be written over: a log is not to be had again.
fn spare(output: Option<&Path>, files: &[PathBuf]) -> anyhow::Result<()> {
    let Some(output) = output else { return Ok(()) };
    let written = [output.to_owned(), output.with_extension("html")].map(|path| path.canonicalize().ok());
    let is_written = |file: &&PathBuf| file.canonicalize().is_ok_and(|file| written.contains(&Some(file)));
    files.iter().find(is_written).map_or(Ok(()), |file| {
        let what =
            format!("{} is read, and would be written over: name another file with --output", file.display());
        Err(Usage(what).into())
    })
}

fn of_files(args: &Args, settings: &Settings) -> anyhow::Result<Counted> {
    catch_signals()?;
    let inputs: Vec<Input> = args.files.iter().cloned().map(Input::of).collect();
    let mut watch = Watch::new(args.quiet);
    let counted = count(&inputs, settings, &mut |progress| watch.show(progress));
    watch.clear();
    // What is wrong with an input is a matter of the user's words, as with every other file that is named.
    counted.map_err(|error| Usage(error.to_string()).into())
}

fn of_interface(args: &Args, interface: &str, seconds: f64, settings: &Settings) -> anyhow::Result<Counted> {
    catch_signals()?;
    let begun = clock::monotonic();
    let watch = Watch::new(args.quiet);
    let counted = listen(interface, settings, || {
        let elapsed = clock::monotonic().since(begun).0 as f64 / 1e9;
        watch.wait(elapsed, seconds);
        elapsed >= seconds
    });
    watch.clear();
    Ok(counted?)
}

fn settings(args: &Args) -> anyhow::Result<Settings> {
    let format = args.format.as_deref().map(str::parse).transpose();
    let classes = Classes::parse(args.class.iter().map(String::as_str));
    let cpus = || thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let threads = args.threads.map_or_else(cpus, usize::from);
    let now = clock::wall();
    let window = Window {
        since: args.since.map(|time| time.seconds(now)),
        until: args.until.map(|time| time.seconds(now)),
    };
    if let (Some(since), Some(until)) = (window.since, window.until)
        && since >= until
    {
        return Err(Usage("--since is not before --until: there is no time between them".to_owned()).into());
    }
    Ok(Settings {
        format: format.map_err(|error: NoFormat| Usage(error.to_string()))?,
        offset: args.utc_offset,
        window,
        classes: classes.map_err(|error| Usage(error.to_string()))?,
        threads,
        keeps_bad: args.show_bad,
        tool: tool(),
    })
}

/// What the reader of the answer has to know before it.
fn tell(args: &Args, counted: &Counted) {
    if !args.quiet {
        recognised(&counted.recognised).iter().for_each(|line| warn(line));
    }
    let notices = counted.notices.iter().filter(|notice| notice.is_loss() || !args.quiet);
    // Several threads may have found the same.
    let mut told = HashSet::new();
    notices
        .map(ToString::to_string)
        .filter(|notice| told.insert(notice.clone()))
        .for_each(|notice| warn(&notice));
    bad::tell(args, counted);
    if counted.was_interrupted {
        warn("interrupted: what follows is a part, of what was read up to then");
    }
}

/// The format of each input; of all at once where it is the same.
fn recognised(inputs: &[(String, String)]) -> Vec<String> {
    match inputs {
        [] => Vec::new(),
        [(_, first), rest @ ..] if !rest.is_empty() && rest.iter().all(|(_, format)| format == first) => {
            vec![format!("{} inputs: {first}", inputs.len())]
        }
        several => several.iter().map(|(name, format)| format!("{name}: {format}")).collect(),
    }
}
