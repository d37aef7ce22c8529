//! A [`Builder`]: from a block of the registry to a worker in its place.

use std::fs;
use std::path::{Path, PathBuf};

use tlstax_doc::{Made, StoreError};
use tlstax_measure::command::Log;
use tlstax_measure::lock;
use tlstax_measure::signal::interrupted;
use xxhash_rust::xxh3::xxh3_128;

use super::cache::{Cache, Kept};
use super::conformance::conformance;
use super::error::BuildError;
use super::recipe::{self, Places, RECIPES};
use super::record::{self, record as of};
use super::step::{Job, Report};
use super::{source, worker};
use crate::Home;
use crate::conformance::Extent;
use crate::registry::{Block, Recipe, Registry, Source};

/// How many failed checks are quoted.
const QUOTED: usize = 10;

pub struct Builder<'a> {
    home: &'a Home,
    registry: &'a Registry,
    cache: Cache,
    compiler: String,
}

impl<'a> Builder<'a> {
    pub fn new(home: &'a Home, registry: &'a Registry, cache: Cache) -> Self {
        Self { home, registry, cache, compiler: worker::compiler() }
    }

    /// Builds a library, if it comes from source, and its worker, which takes its place when it has passed the
    /// conformance suite; what was there before stays until then. Says whether anything had to be done.
    ///
    /// # Errors
    /// The library or the worker cannot be built, the worker fails the conformance suite, or the user interrupts.
    pub fn build(&self, block: &Block, report: &mut Report<'_>) -> Result<bool, BuildError> {
        let path = self.home.log(block.id.as_str());
        let mut log = Log::create(&path).map_err(BuildError::command(block))?;
        let job = &mut Job { block, log: &mut log, report };
        if !block.program.is_empty() {
            return self.build_as_told(job).map(|()| true);
        }
        let installed = self.installed(job)?;
        let program = block.program_path(self.home);
        let inputs = worker::inputs(block, self.home, &installed, &self.compiler)
            .map_err(|error| BuildError::wrong(block, error))?;
        if of(self.home, &program).is_some_and(|made| made.inputs == inputs) {
            return Ok(false);
        }
        let part = program.with_file_name(format!("{}.part", block.id));
        {
            // Workers of one kind are made in one place.
            let place = self.home.target().join("build.lock");
            let failed = |error| unplaced(block, &place, &program)(error);
            let waits = || (job.report)("waiting for another worker's build");
            let _lock = lock::exclusive(&place, waits).map_err(failed)?;
            let built = self.worker(job, &installed, &part)?;
            if built != part {
                fs::copy(&built, &part).map_err(unplaced(block, &built, &program))?;
            }
        }
        let made = self.prove(job, &part, inputs, &installed)?;
        // The record first: a program without one is not used, a record of another program neither.
        let failed =
            |error: StoreError| unplaced(block, &part, &program)(std::io::Error::other(error.to_string()));
        record::write(&program, &made).map_err(failed)?;
        fs::rename(&part, &program).map_err(unplaced(block, &part, &program))?;
        Ok(true)
    }

    /// Where a library is installed, if it was built from source and is whole.
    pub fn prefix(&self, block: &Block) -> Option<PathBuf> {
        self.kept(block).map(|kept| kept.prefix)
    }

    fn kept(&self, block: &Block) -> Option<Kept> {
        let below = match &block.uses {
            Some(id) => Some(self.kept(self.registry.entry(id).ok()?.block()?)?),
            None => None,
        };
        let (source, recipe) = (block.source.as_ref()?, block.recipe?);
        match (source, recipe) {
            (Source::Path(prefix), Recipe::Prefix) => given(block, prefix).ok(),
            _ => self.cache.kept(block, &self.key(block, source, recipe, below.as_ref())),
        }
    }

    /// A program of the user's own, by the command in its block: copied beside its place, then renamed.
    fn build_as_told(&self, job: &mut Job<'_>) -> Result<(), BuildError> {
        let block = job.block;
        let program = block.program_path(self.home);
        let part = program.with_extension(format!("{}.part", std::process::id()));
        let built = self.worker(job, &[], &part)?;
        if block.built.is_none() {
            return Ok(());
        }
        let placed = fs::copy(&built, &part).and_then(|_| fs::rename(&part, &program));
        placed.map_err(unplaced(block, &built, &program))
    }

    fn worker(&self, job: &mut Job<'_>, installed: &[Kept], part: &Path) -> Result<PathBuf, BuildError> {
        let block = job.block;
        let (step, built) = worker::step(block, self.home, installed, part)
            .ok_or_else(|| BuildError::NoRecipe(block.id.clone()))?;
        let folder = part.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder).map_err(unplaced(block, &built, part))?;
        job.take(step)?;
        Ok(built)
    }

    /// The library and what it is built upon, installed; nothing for a library of the system.
    fn installed(&self, job: &mut Job<'_>) -> Result<Vec<Kept>, BuildError> {
        let block = job.block;
        let mut below = Vec::new();
        if let Some(id) = &block.uses {
            let wrong = |error| BuildError::wrong(block, format!("it is built upon '{id}': {error}"));
            if let Some(block) = self.registry.entry(id).map_err(wrong)?.block() {
                below = self.installed(&mut Job { block, log: job.log, report: job.report })?;
            }
        }
        let (Some(source), Some(recipe)) = (&block.source, block.recipe) else { return Ok(below) };
        let kept = match (source, recipe) {
            (Source::Path(prefix), Recipe::Prefix) => given(block, prefix)?,
            _ => self.library(job, source, recipe, below.first())?,
        };
        Ok(std::iter::once(kept).chain(below).collect())
    }

    fn library(
        &self,
        job: &mut Job<'_>,
        source: &Source,
        recipe: Recipe,
        below: Option<&Kept>,
    ) -> Result<Kept, BuildError> {
        let block = job.block;
        let key = self.key(block, source, recipe, below);
        self.cache.library(job, &key, |work, prefix, job| {
            (job.report)("fetch the sources");
            let folder = source::folder(block, source, self.home, job.log)?;
            let uses = below.map(|kept| kept.prefix.as_path());
            let places = Places { source: &folder, work, prefix, uses };
            recipe::steps(block, recipe, &places).into_iter().try_for_each(|step| job.take(step))
        })
    }

    /// The hash of all that goes into a library.
    fn key(&self, block: &Block, source: &Source, recipe: Recipe, below: Option<&Kept>) -> String {
        let lock = match source {
            Source::Crate { name, version } => {
                let lock = source::manifest_folder(self.home, name, version).join("Cargo.lock");
                // A manifest that is missing is reported where the sources are fetched.
                fs::read_to_string(lock).unwrap_or_default()
            }
            _ => String::new(),
        };
        let text = format!(
            "{RECIPES} {source} {recipe:?} {:?} {:?} {:?} {:?} {:?} {} {lock}",
            block.subdir,
            block.options,
            block.targets,
            block.archives,
            below.map(|kept| &kept.key),
            self.compiler,
        );
        format!("{:032x}", xxh3_128(text.as_bytes()))
    }

    /// Runs the conformance suite of a worker that is not in its place yet.
    fn prove(
        &self,
        job: &mut Job<'_>,
        part: &Path,
        inputs: String,
        installed: &[Kept],
    ) -> Result<Made, BuildError> {
        let Job { block, log, report } = job;
        report("run the conformance suite");
        let library = || block.id.clone();
        let found =
            conformance(block, part, self.home, Extent::Whole, log).map_err(BuildError::command(block))?;
        if interrupted() {
            return Err(BuildError::Interrupted(library()));
        }
        if found.failed > 0 {
            let failures = found.failures.into_iter().take(QUOTED).collect::<Vec<_>>().join("\n");
            return Err(BuildError::Conformance { library: library(), failures, log: log.path().to_owned() });
        }
        report(&format!("passed {} checks of the conformance suite", found.passed));
        let recipe = block.recipe.map(|recipe| format!("{recipe:?}").to_lowercase());
        Ok(Made {
            source: worker::origin(block),
            licence: block.licence.clone(),
            options: recipe.into_iter().chain(block.options.iter().cloned()).collect(),
            compiler: self.compiler.clone(),
            seconds: installed.first().map(|kept| kept.seconds.ceil() as u64).filter(|&seconds| seconds > 0),
            passed: found.passed,
            skipped: found.skipped,
            inputs,
            program: record::hash(part).map_err(|error| BuildError::wrong(block, error))?,
        })
    }
}

/// The error of a program that cannot be put in its place.
fn unplaced(block: &Block, built: &Path, program: &Path) -> impl FnOnce(std::io::Error) -> BuildError {
    let (library, built, program) = (block.id.clone(), built.to_owned(), program.to_owned());
    |source| BuildError::Place { library, built, program, source }
}

/// An installation of the user's own, which must at least look like one.
fn given(block: &Block, prefix: &Path) -> Result<Kept, BuildError> {
    let headers = prefix.join("include");
    if !headers.is_dir() {
        let problem = format!(
            "{} is no install prefix: it has no folder include; name the folder that holds include and lib",
            prefix.display()
        );
        return Err(BuildError::wrong(block, problem));
    }
    let stamp = |path: &Path| {
        let modified = fs::metadata(path).and_then(|data| data.modified());
        modified.map_or_else(|_| "?".to_owned(), |time| format!("{time:?}"))
    };
    let parts = ["include", "lib", "lib64"].map(|part| stamp(&prefix.join(part)));
    Ok(Kept { prefix: prefix.to_owned(), seconds: 0.0, key: parts.join(" ") })
}
