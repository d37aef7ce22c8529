//! Results of an earlier run as the base of a gate.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::bail;
use tlstax_doc::{LibraryKind, Outcome, Results, parse_results};
use tlstax_spec::Id;

use crate::failure::Usage;

#[derive(Debug)]
pub struct Earlier {
    /// The run, with the cases of one library.
    pub results: Results,
    pub library: Id,
}

impl Earlier {
    /// Reads results: of the library that is measured now, where they have it, or else of the only one that they have.
    ///
    /// # Errors
    /// They cannot be read, hold several libraries, or counts where times are taken.
    pub fn read(path: &Path, head: &Id, counts: bool) -> anyhow::Result<Self> {
        let mut results = parse_results(&tlstax_doc::read(path)?, path)?;
        let shown = path.display();
        if results.counted.is_some() != counts {
            let what = if counts {
                "holds times: leave --count away"
            } else {
                "holds counts: add --count instructions"
            };
            bail!(Usage(format!("{shown} {what}")));
        }
        let library = measured(&results, head).map_err(|problem| Usage(format!("{shown} {problem}")))?;
        results.measurements.retain(|measurement| measurement.case.library == library);
        Ok(Self { results, library })
    }

    /// Later results in which a library is called as here: cases are joined by their ids.
    pub fn renamed(&self, results: &Results, head: &Id) -> Results {
        let mut results = results.clone();
        for measurement in results.measurements.iter_mut().filter(|one| one.case.library == *head) {
            measurement.case.library = self.library.clone();
            measurement.id = measurement.case.id();
        }
        for library in results.libraries.iter_mut().filter(|library| library.id == *head) {
            library.id = self.library.clone();
        }
        results
    }
}

fn measured(results: &Results, head: &Id) -> Result<Id, String> {
    let has_figure = |outcome: &Outcome| matches!(outcome, Outcome::Measured { .. });
    let with_figures = results.measurements.iter().filter(|one| has_figure(&one.outcome));
    let libraries: BTreeSet<&Id> = with_figures
        .map(|one| &one.case.library)
        .filter(|library| results.kind(library) != LibraryKind::Control)
        .collect();
    if libraries.contains(head) {
        return Ok(head.clone());
    }
    match Vec::from_iter(libraries).as_slice() {
        [] => Err("holds no figure of a library".to_owned()),
        [library] => Ok((*library).clone()),
        several => {
            let names = several.iter().map(|id| id.as_str()).collect::<Vec<_>>().join(", ");
            Err(format!(
                "holds several libraries ({names}), and none is {head}: measure the base alone, with -l"
            ))
        }
    }
}
