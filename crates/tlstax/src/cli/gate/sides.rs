//! Who is held against whom: installation prefixes, libraries of the registry, or results of an earlier run.

use std::path::Path;

use anyhow::bail;
use tlstax_libraries::{Entry, Registry};
use tlstax_run::RunError;
use tlstax_spec::Id;

use super::args::Args;
use super::earlier::Earlier;
use crate::cli::libraries::prefix::Installation;
use crate::cli::project::Project;
use crate::failure::Usage;

#[derive(Debug)]
pub struct Sides {
    pub base: Base,
    pub head: Id,
}

#[derive(Debug)]
pub enum Base {
    /// It is measured beside the head.
    Measured(Id),
    Earlier(Box<Earlier>),
}

impl Base {
    /// What one sentence has to say of it as well.
    pub fn caution(&self) -> &'static str {
        match self {
            Self::Measured(_) => "",
            Self::Earlier(_) => " The base was measured in another run.",
        }
    }
}

impl Sides {
    /// The libraries of the run.
    pub fn measured(&self) -> Vec<Id> {
        match &self.base {
            Base::Measured(base) => vec![base.clone(), self.head.clone()],
            Base::Earlier(_) => vec![self.head.clone()],
        }
    }
}

/// The sides, and the project with a registry that has them. There is no control row in it: the time is for the two.
pub fn of(args: &Args, project: &Project) -> anyhow::Result<(Sides, Project)> {
    let mut project = Project { home: project.home.clone(), registry: project.registry.clone() };
    let head_word = &args.head;
    if !is_known(head_word, &mut project)? && Path::new(head_word).is_file() {
        bail!(Usage(format!("{head_word} is a file: --head is measured, so name a build of a library")));
    }
    let is_file = !is_known(&args.base, &mut project)? && Path::new(&args.base).is_file();
    let base = if is_file { None } else { Some(library(&args.base, "base", args, &mut project)?) };
    let head = library(head_word, "head", args, &mut project)?;
    let sides = match base {
        None => {
            let earlier = Earlier::read(Path::new(&args.base), &head, args.measuring.count.is_some())?;
            Sides { base: Base::Earlier(Box::new(earlier)), head }
        }
        Some(base) if base == head => {
            let head = again(&head, &mut project.registry)?;
            Sides { base: Base::Measured(base), head }
        }
        Some(base) => Sides { base: Base::Measured(base), head },
    };
    let measured = sides.measured();
    let control = project.registry.control_row().map(|entry| entry.id.clone());
    project
        .registry
        .entries
        .retain(|entry| Some(&entry.id) != control.as_ref() || measured.contains(&entry.id));
    Ok((sides, project))
}

/// Whether it is the id of a library, or of one with something switched off.
fn is_known(word: &str, project: &mut Project) -> anyhow::Result<bool> {
    let Ok(id) = word.parse::<Id>() else { return Ok(false) };
    let id = project.registry.canonical(&id);
    project.registry.derive([&id], &project.home)?;
    Ok(project.registry.entry(&id).is_ok())
}

/// The id of a library: its own, or of a prefix the name of its side, under which it is in the registry from now on.
fn library(word: &str, side: &str, args: &Args, project: &mut Project) -> anyhow::Result<Id> {
    if is_known(word, project)? || !word.contains('/') && !Path::new(word).is_dir() {
        return Ok(project.registry.find(word)?.id.clone());
    }
    let prefix = Path::new(word);
    if !prefix.is_dir() {
        bail!(Usage(format!(
            "--{side} {word} is no folder: name the one that the library is installed in, which holds include and lib"
        )));
    }
    let id = Id::try_from(side.to_owned())?;
    let found = Installation { id: &id, like: &args.like, prefix }.find(project)?;
    if found.library.unavailable.is_some() {
        bail!(RunError::NoLibrary { libraries: vec![found.library] });
    }
    found.prove(project)?;
    project.registry.entries.push(Entry::from(found.block));
    Ok(id)
}

/// The same library under another id, to be held against itself.
fn again(id: &Id, registry: &mut Registry) -> anyhow::Result<Id> {
    let entry = registry.entry(id)?;
    if entry.is_peer() {
        bail!(Usage(format!("{id} is a server or client, and cannot be held against itself")));
    }
    let head = Id::try_from("head".to_owned())?;
    registry.accepts(&head)?;
    let entry = Entry { id: head.clone(), default: false, ..entry.clone() };
    registry.entries.push(entry);
    Ok(head)
}
