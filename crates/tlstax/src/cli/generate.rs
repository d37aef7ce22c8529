//! `tlstax generate`: what is made from the code: completions, names, man pages, schemas.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::{Command, Subcommand};
use clap_complete::Shell;
use tlstax_libraries::ID_ALIASES;
use tlstax_names::{Vocabulary, vocabularies};

use super::complete;
use crate::failure;
use crate::output::{print, warn};

/// Write shell completions, the list of names, man pages and schemas.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Print the completions of a shell: source <(tlstax generate completions bash)
    Completions {
        /// The shell; candidates come from tlstax itself, so that libraries and studies are those of this machine.
        shell: Shell,
    },
    /// Print every name that flags and studies know, with its other spellings, as Markdown: docs/names.md.
    Names,
    /// Write a man page for each verb and each of its subcommands.
    Man {
        /// The folder.
        directory: PathBuf,
    },
    /// Write the JSON Schemas of the documents.
    Schemas {
        /// The folder.
        directory: PathBuf,
        /// Write nothing; fail if a file there differs.
        #[arg(long)]
        check: bool,
    },
}

/// Generates; `command` is the whole command line, of which the man pages are made.
pub fn run(args: Args, mut command: Command) -> anyhow::Result<ExitCode> {
    match args.what {
        What::Completions { shell } => {
            print(&*String::from_utf8_lossy(&complete::script(shell)?))?;
        }
        What::Names => print(names())?,
        What::Man { directory } => {
            command.build();
            pages(&command, &directory)?;
        }
        What::Schemas { directory, check } => return schemas(&directory, check),
    }
    Ok(ExitCode::SUCCESS)
}

/// What stands before the tables of names.
const ABOUT_NAMES: &str = "# Names

What flags and studies choose from: printed by `tlstax generate names`. Results, ids and workers have the name in the first
column only. On the command line and in studies the other spellings are read as well; capitals and punctuation do not
matter (`x25519`, `TLS1_3`, `aes128gcm`), and a word that can be two things is refused with both.
";

fn names() -> String {
    let tables = vocabularies().iter().map(table).collect::<String>();
    let ids: String = ID_ALIASES.iter().map(|(alias, id)| format!("| `{id}` | `{alias}` |\n")).collect();
    format!("{ABOUT_NAMES}{tables}\n## library, server or client\n\n| id | also |\n| --- | --- |\n{ids}")
}

fn table(vocabulary: &Vocabulary) -> String {
    let rows = vocabulary.members.iter().map(|member| {
        let aliases: Vec<String> = member.aliases.iter().map(|alias| format!("`{alias}`")).collect();
        format!("| `{}` | {} |\n", member.name, aliases.join(", "))
    });
    format!("\n## {}\n\n| name | also |\n| --- | --- |\n{}", vocabulary.what, rows.collect::<String>())
}

/// Writes the page of a command, and those of its subcommands.
fn pages(command: &Command, directory: &Path) -> anyhow::Result<()> {
    for verb in command.get_subcommands().filter(|verb| verb.get_name() != "help") {
        pages(verb, directory)?;
    }
    let name = command.get_display_name().unwrap_or_else(|| command.get_name()).to_owned();
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut page).context("drawing a man page")?;
    tlstax_doc::write(&directory.join(format!("{name}.1")), &page)?;
    Ok(())
}

fn schemas(directory: &Path, check: bool) -> anyhow::Result<ExitCode> {
    let mut is_as_it_should = true;
    for (name, text) in [
        tlstax_doc::results_schema(),
        tlstax_doc::profile_schema(),
        tlstax_doc::workload_schema(),
        tlstax_doc::model_schema(),
        tlstax_doc::plan_schema(),
    ] {
        let path = directory.join(name);
        if !check {
            tlstax_doc::write(&path, text.as_bytes())?;
        } else if tlstax_doc::read(&path)? != text {
            is_as_it_should = false;
            let (path, directory) = (path.display(), directory.display());
            warn(&format!("{path} is not what the types say: run tlstax generate schemas {directory}"));
        }
    }
    Ok(if is_as_it_should { ExitCode::SUCCESS } else { ExitCode::from(failure::INTERNAL) })
}
