//! The documents that report and compare are given, and the program that writes them.

use std::path::{Path, PathBuf};

use tlstax_doc::model::{Model, parse_model};
use tlstax_doc::plan::{Plan, parse_plan};
use tlstax_doc::{
    DocumentKind, Profile, Results, Tool, Workload, document_kind, parse_profile, parse_results,
    parse_workload,
};

use crate::failure::Usage;

/// What some files hold.
pub enum Documents {
    Results(Vec<Results>),
    /// With the names of their files.
    Profiles(Vec<(String, Profile)>),
    /// With the names of their files.
    Workloads(Vec<(String, Workload)>),
    Model(Box<Model>),
    Plan(Box<Plan>),
}

/// Reads results, profiles or workloads, or one model or plan: each file once, since it may be a pipe.
///
/// # Errors
/// One cannot be read, they are not all of one kind, or there are several models or plans.
pub fn read_all(paths: &[PathBuf]) -> anyhow::Result<Documents> {
    let (mut results, mut profiles, mut workloads) = (Vec::new(), Vec::new(), Vec::new());
    for (path, name) in paths.iter().zip(names(paths)) {
        let text = tlstax_doc::read(path)?;
        match document_kind(&text) {
            DocumentKind::Results => results.push(parse_results(&text, path)?),
            DocumentKind::Profile => profiles.push((name, parse_profile(&text, path)?)),
            DocumentKind::Workload => workloads.push((name, parse_workload(&text, path)?)),
            DocumentKind::Model if paths.len() == 1 => {
                return Ok(Documents::Model(Box::new(parse_model(&text, path)?)));
            }
            DocumentKind::Plan if paths.len() == 1 => {
                return Ok(Documents::Plan(Box::new(parse_plan(&text, path)?)));
            }
            DocumentKind::Model | DocumentKind::Plan => return Err(alone(path).into()),
        }
    }
    match (results.is_empty(), profiles.is_empty(), workloads.is_empty()) {
        (_, true, true) => Ok(Documents::Results(results)),
        (true, false, true) => Ok(Documents::Profiles(profiles)),
        (true, true, false) => Ok(Documents::Workloads(workloads)),
        _ => {
            let what =
                "these files are of different kinds (results, profiles, workloads): give files of one kind";
            Err(Usage(what.to_owned()).into())
        }
    }
}

fn alone(path: &Path) -> Usage {
    Usage(format!(
        "{} is a model or a plan: these are shown one at a time, give this file alone",
        shown(path)
    ))
}

/// The names of files without folder and ending; where two have the same, all have their paths.
pub fn names(paths: &[PathBuf]) -> Vec<String> {
    let stem = |path: &PathBuf| path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let stems: Vec<String> = paths.iter().filter_map(stem).collect();
    let mut different = stems.clone();
    different.sort();
    different.dedup();
    if different.len() == paths.len() { stems } else { paths.iter().map(|path| shown(path)).collect() }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// The program that writes a document.
pub fn tool() -> Tool {
    Tool {
        name: "tlstax".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        reference_kernels: tlstax_measure::reference::VERSION,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_have_the_names_of_files() {
        let names = |paths: &[&str]| names(&paths.iter().map(PathBuf::from).collect::<Vec<_>>());
        assert_eq!(names(&["a/laptop.json", "vm.json"]), ["laptop", "vm"]);
        assert_eq!(names(&["a/quick.json", "b/quick.json"]), ["a/quick.json", "b/quick.json"]);
    }
}
