//! What a gate measures.

use tlstax_run::{Extent, Study};
use tlstax_spec::Case;

use super::args::Args;
use super::sides::{Base, Sides};
use crate::cli::project::Project;

/// The study that is measured where none is named.
const USUAL: &str = "handshakes";

/// The work of a study that the sides can do, or the cases of an earlier run.
pub fn of(args: &Args, sides: &Sides, project: &Project) -> anyhow::Result<Study> {
    match (&args.study, &sides.base) {
        (None, Base::Earlier(earlier)) => {
            let case = |case: &Case| Case { library: sides.head.clone(), ..case.clone() };
            let cases = earlier.results.measurements.iter().map(|one| case(&one.case)).collect();
            let facts = &earlier.results.study;
            Ok(Study::of(facts.name.clone(), &facts.question, cases))
        }
        (name, _) => {
            let name = name.as_deref().unwrap_or(USUAL);
            Ok(between(Study::read(&project.home, name, Extent::Full)?, sides))
        }
    }
}

/// Without what others than the two would do.
fn between(mut study: Study, sides: &Sides) -> Study {
    let measured = sides.measured();
    study.libraries.clear();
    study.without.clear();
    study.load.retain_mut(|matrix| {
        let are_named = !matrix.servers.is_empty();
        matrix.servers.retain(|server| measured.contains(server));
        !are_named || !matrix.servers.is_empty()
    });
    study
}
