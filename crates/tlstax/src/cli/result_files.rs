//! The files of a run: a journal while it goes on, then results and a report page. Their name is taken before anything is
//! measured, and no other run gets it.

use std::path::{Path, PathBuf};

use tlstax_doc::{Journal, StoreError, rfc3339};
use tlstax_measure::clock;
use tlstax_spec::Id;

use crate::failure::Usage;

/// Where results lie when nobody says where.
const FOLDER: &str = "results";

#[derive(Debug)]
pub struct ResultFiles {
    pub json: PathBuf,
    pub html: PathBuf,
    /// What the run has found so far; ours as long as this is.
    pub journal: Journal,
}

impl ResultFiles {
    /// The files that `--output` names, or a name that is free.
    pub fn claim(output: Option<&Path>, study: &Id) -> anyhow::Result<Self> {
        match output {
            Some(path) => Ok(Self::of(&stem(path)?, Journal::claim)?),
            None => Self::free(study),
        }
    }

    /// Those beside the journal of a run that is gone on with.
    pub fn of_journal(journal: &Path) -> Result<Self, StoreError> {
        // Only the last ending goes: names may have dots of their own.
        Self::of(&journal.with_extension(""), Journal::resume)
    }

    fn of(stem: &Path, take: fn(&Path) -> Result<Journal, StoreError>) -> Result<Self, StoreError> {
        let journal = take(&beside(stem, "journal"))?;
        Ok(Self { json: beside(stem, "json"), html: beside(stem, "html"), journal })
    }

    /// The study and the time; of runs that start in one second, each later one has a number behind it.
    fn free(study: &Id) -> anyhow::Result<Self> {
        let stamp = rfc3339(clock::wall()).replace([':', '-'], "");
        let first = PathBuf::from(FOLDER).join(format!("{study}-{stamp}"));
        let numbered = (2..).map(|number| PathBuf::from(FOLDER).join(format!("{study}-{stamp}-{number}")));
        for stem in std::iter::once(first).chain(numbered) {
            match Self::of(&stem, Journal::claim) {
                // One that has ended since has no journal any more.
                Ok(files) if !is_there(&files.json) && !is_there(&files.html) => return Ok(files),
                Ok(_) | Err(StoreError::Busy { .. } | StoreError::Unfinished { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        unreachable!("the numbers do not end")
    }
}

/// The path that `--output` names, without an ending.
fn stem(path: &Path) -> Result<PathBuf, Usage> {
    let refused = |problem: &str| Err(Usage(format!("{} {problem}", path.display())));
    if path == Path::new("-") {
        return refused("is no file: --output names one, and --json prints to standard output");
    }
    if path.is_dir() || path.file_name().is_none() {
        return refused("is a folder: name a file in it");
    }
    // No other ending goes: in v1.2 the 2 is none.
    let ends_so = path.extension().is_some_and(|ending| ending == "json");
    let stem = if ends_so { path.with_extension("") } else { path.to_owned() };
    let is_special = |path: &Path| path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir());
    if is_special(path) || is_special(&beside(&stem, "json")) {
        return refused("is no regular file: name one, and use --json to print to standard output");
    }
    Ok(stem)
}

/// Whether there is anything of that name, a link to nothing included.
fn is_there(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

/// The file of this ending; all of the stem's name stays, dots and all.
fn beside(stem: &Path, ending: &str) -> PathBuf {
    let mut name = stem.file_name().unwrap_or_default().to_owned();
    name.push(".");
    name.push(ending);
    stem.with_file_name(name)
}
