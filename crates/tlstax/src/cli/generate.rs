//! `tlstax generate`: what is made from the code: completions, man pages, schemas.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::{CommandFactory, Subcommand};
use clap_complete::Shell;

use super::top::Cli;
use crate::failure;
use crate::output::{print, warn};

/// Write shell completions, man pages and schemas.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Print the completions of a shell: source <(tlstax generate completions bash)
    Completions {
        /// bash, elvish, fish, powershell, zsh.
        shell: Shell,
    },
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

/// Generates.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    match args.what {
        What::Completions { shell } => {
            let mut text = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "tlstax", &mut text);
            print(&String::from_utf8_lossy(&text))?;
        }
        What::Man { directory } => man(&directory)?,
        What::Schemas { directory, check } => return schemas(&directory, check),
    }
    Ok(ExitCode::SUCCESS)
}

fn man(directory: &Path) -> anyhow::Result<()> {
    let mut top = Cli::command();
    top.build();
    pages(top, directory)
}

/// Writes the page of a command, and those of its subcommands.
fn pages(command: clap::Command, directory: &Path) -> anyhow::Result<()> {
    for verb in command.get_subcommands().filter(|verb| verb.get_name() != "help") {
        pages(verb.clone(), directory)?;
    }
    let name = command.get_display_name().unwrap_or_else(|| command.get_name()).to_owned();
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page).context("drawing a man page")?;
    tlstax_doc::write(&directory.join(format!("{name}.1")), &page)?;
    Ok(())
}

fn schemas(directory: &Path, check: bool) -> anyhow::Result<ExitCode> {
    let (name, text) = tlstax_doc::results_schema();
    let path = directory.join(name);
    if !check {
        tlstax_doc::write(&path, text.as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    }
    if tlstax_doc::read(&path)? == text {
        return Ok(ExitCode::SUCCESS);
    }
    warn(&format!(
        "{} is not what the types say: run tlstax generate schemas {}",
        path.display(),
        directory.display()
    ));
    Ok(ExitCode::from(failure::INTERNAL))
}
