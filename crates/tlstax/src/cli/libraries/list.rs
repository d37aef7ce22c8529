//! The list of libraries, servers and clients: what each says of itself, how it came to be, and how to get it.

use std::process::ExitCode;

use tlstax_doc::{Library, Made};
use tlstax_libraries::Entry;
use tlstax_report::Printable;
use tlstax_run::survey;

use crate::cli::project::Project;
use crate::output::{message, print};

/// How to list.
#[derive(Debug, clap::Args)]
#[group(id = "listing")]
pub struct Args {
    /// Print everything the libraries say of themselves, as JSON.
    #[arg(long)]
    json: bool,

    /// Also list capabilities, how they were built, and loaded files.
    #[arg(long, short)]
    verbose: bool,
}

/// Prints the list.
pub fn run(args: &Args, project: &Project) -> anyhow::Result<ExitCode> {
    let libraries = survey(&project.home, &project.registry)?;
    let text = match args.json {
        true => serde_json::to_string_pretty(&libraries)? + "\n",
        false => libraries
            .iter()
            .zip(project.registry.all())
            .map(|(library, entry)| describe(library, entry, args.verbose))
            .collect(),
    };
    print(text)?;
    Ok(ExitCode::SUCCESS)
}

fn describe(library: &Library, entry: &Entry, verbose: bool) -> String {
    let default = if entry.default { " (default)" } else { "" };
    let mut text = format!("{}{default}: {}\n", entry.id, entry.about);
    match (&library.unavailable, &library.hello) {
        (Some(why), _) => text += &format!("  not available: {}\n", message(why)),
        (None, None) => {}
        (None, Some(hello)) => {
            text += &format!("  {}\n", Printable::line(&hello.version));
            if verbose {
                let lists = [
                    ("versions", &hello.versions),
                    ("suites", &hello.suites),
                    ("groups", &hello.groups),
                    ("keys", &hello.keys),
                    ("resumption", &hello.resumptions),
                    ("primitives", &hello.primitives),
                    ("does without", &hello.without),
                    ("as a client of loads", &hello.loads),
                ];
                if !entry.is_peer() {
                    let [build, cpu] = [&hello.build, &hello.cpu].map(|said| Printable::line(said));
                    text += &format!("  build: {build}\n  cpu: {cpu}\n");
                }
                let lists = lists.iter().filter(|(_, list)| !entry.is_peer() || !list.is_empty());
                text.extend(lists.map(|(name, list)| format!("  {name}: {}\n", list.join(" "))));
            }
        }
    }
    if verbose {
        text += &library.made.as_ref().map(origin).unwrap_or_default();
        let objects = library.receipt.iter().flat_map(|receipt| &receipt.objects);
        text.extend(
            objects.map(|object| format!("  {} {} bytes, {}\n", object.xxh3, object.bytes, object.file)),
        );
    }
    text
}

fn origin(made: &Made) -> String {
    let mut text = String::new();
    if !made.source.is_empty() {
        text += &format!("  source: {}\n", made.source);
    }
    if let Some(licence) = &made.licence {
        text += &format!("  licence: {licence}\n");
    }
    if !made.options.is_empty() {
        text += &format!("  recipe: {}\n", made.options.join(" "));
    }
    let seconds = made.seconds.map(|seconds| format!(", built in {seconds} s")).unwrap_or_default();
    text += &format!("  compiler: {}{seconds}\n", made.compiler);
    text + &format!("  conformance: {} passed, {} skipped\n", made.passed, made.skipped)
}
