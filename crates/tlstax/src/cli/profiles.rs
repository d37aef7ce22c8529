//! Profiles among the files that report and compare are given.

use std::path::{Path, PathBuf};

use tlstax_doc::{DocumentKind, Profile, Severity, Tool, document_kind, parse_profile};
use tlstax_report::{Answer, Brief, View, compare_profiles, machine, profile_view, profiles_side_by_side};

use crate::failure::Usage;

/// The profiles of some files, with the names of these; none where none is a profile.
///
/// # Errors
/// Some are profiles and others are not, or one cannot be read.
pub fn among(paths: &[PathBuf]) -> anyhow::Result<Option<Vec<(String, Profile)>>> {
    let texts = paths.iter().map(|path| tlstax_doc::read(path)).collect::<Result<Vec<String>, _>>();
    // What cannot be read is refused by whoever reads the file as what it most likely is.
    let Ok(texts) = texts else { return Ok(None) };
    let kinds: Vec<DocumentKind> = texts.iter().map(|text| document_kind(text)).collect();
    if !kinds.contains(&DocumentKind::Profile) {
        return Ok(None);
    }
    if let Some(other) = kinds.iter().position(|kind| *kind != DocumentKind::Profile) {
        let (other, first) = (paths[other].display(), paths[0].display());
        let what = format!(
            "{other} is no profile, as others of these files are ({first} among them): give profiles, or results"
        );
        return Err(Usage(what).into());
    }
    let read = paths.iter().zip(&texts).zip(names(paths));
    let profiles: Result<Vec<(String, Profile)>, _> = read
        .map(|((path, text), name)| Ok::<_, tlstax_doc::StoreError>((name, parse_profile(text, path)?)))
        .collect();
    Ok(Some(profiles?))
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
