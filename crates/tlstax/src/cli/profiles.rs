//! Profiles among the files that report and compare are given.

use std::path::{Path, PathBuf};

use tlstax_doc::{
    DocumentKind, Profile, Results, Severity, Tool, document_kind, parse_profile, parse_results,
};
use tlstax_report::{Answer, Brief, View, compare_profiles, machine, profile_view, profiles_side_by_side};

use crate::failure::Usage;

/// What some files hold.
pub enum Documents {
    Results(Vec<Results>),
    /// With the names of their files.
    Profiles(Vec<(String, Profile)>),
}

/// Reads results, or profiles: each file once, since it may be a pipe.
///
/// # Errors
/// One cannot be read, or some are profiles and others are not.
pub fn read_all(paths: &[PathBuf]) -> anyhow::Result<Documents> {
    let (mut results, mut profiles) = (Vec::new(), Vec::new());
    for (path, name) in paths.iter().zip(names(paths)) {
        let text = tlstax_doc::read(path)?;
        match document_kind(&text) {
            DocumentKind::Results => results.push(parse_results(&text, path)?),
            DocumentKind::Profile => profiles.push((name, parse_profile(&text, path)?)),
        }
    }
    match (results.is_empty(), profiles.is_empty()) {
        (_, true) => Ok(Documents::Results(results)),
        (true, false) => Ok(Documents::Profiles(profiles)),
        (false, false) => {
            let what = "some of these files are profiles and others are results: give files of one kind";
            Err(Usage(what.to_owned()).into())
        }
    }
}

/// One profile, or several side by side.
pub fn view(profiles: &[(String, Profile)]) -> View {
    match profiles {
        [(name, one)] => profile_view(name, one),
        several => {
            let several: Vec<(String, &Profile)> =
                several.iter().map(|(name, profile)| (name.clone(), profile)).collect();
            profiles_side_by_side(&several)
        }
    }
}

/// One screen of what profiles say; `rest` is where everything else is.
pub fn brief(profiles: &[(String, Profile)], view: &View, rest: Vec<String>) -> Brief {
    let said = view.sections.iter().flat_map(|section| section.answers.iter().chain(&section.sentences));
    let notes = profiles.iter().flat_map(|(_, profile)| &profile.captures).flat_map(|capture| &capture.notes);
    let hosts = profiles
        .iter()
        .flat_map(|(_, profile)| &profile.captures)
        .filter_map(|capture| capture.host.as_ref());
    Brief {
        machine: hosts.take(1).flat_map(machine).collect(),
        quality: notes.filter(|note| note.severity > Severity::Info).map(|note| note.what.clone()).collect(),
        question: format!("{} ({})", view.title, view.about),
        answers: said.enumerate().map(|(rank, said)| Answer { said: said.clone(), rank }).collect(),
        rest,
        ..Brief::default()
    }
}

/// What changed between two profiles.
///
/// # Errors
/// They are not two.
pub fn difference(profiles: &[(String, Profile)]) -> Result<View, Usage> {
    match profiles {
        [(old_name, old), (new_name, new)] => Ok(compare_profiles([old_name, new_name], old, new)),
        _ => Err(Usage(
            "profiles are compared two by two: tlstax report sets more of them side by side".to_owned(),
        )),
    }
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

/// The program that writes profiles.
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
