//! What is shown of profiles.

use tlstax_doc::{Profile, Severity};
use tlstax_report::{Answer, Brief, View, compare_profiles, machine, profile_view, profiles_side_by_side};

use crate::failure::Usage;

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
