//! The view of one profile.

use tlstax_doc::Profile;

use super::account::Account;
use super::{algorithms, captures, classes, evidence, flame, rows, said, work};
use crate::model::{Block, Section, View};

const INTRO: &str = "\
    Every sample of CPU time has one class. Shares have the interval of their spans of time: samples that are near each other are \
    alike, and count less than independent ones would.";

const SURE: &str = "\
    A class stands on the strongest evidence there is: a function at the border of two libraries, which has a name even in a \
    stripped build; the name of a function; a table made for that very build; instructions that only one algorithm has; or nothing \
    but the file.";

/// The view of one profile; `name` is that of its file.
pub fn profile_view(name: &str, profile: &Profile) -> View {
    let account = Account::of(profile);
    let said = said::sentences(&account);
    let details = [evidence::reasons(profile), evidence::heaviest(profile)];
    let sections = vec![
        Section::new("tls", "Where the CPU time went", INTRO)
            .with(classes::table(&account))
            .with(flame::block(profile))
            .answering(said.clone())
            .saying(said),
        Section::new("algorithms", "TLS by algorithm", "").with(algorithms::tables(&account)),
        Section::new("work", "For each handshake, request and gigabyte", "").with(work::table(&account)),
        Section::new("evidence", "How sure the classes are", SURE)
            .with(evidence::table(profile))
            .with(details.into_iter().flatten().map(Block::Details)),
        captures::section(profile),
    ];
    View {
        title: "What of a server's CPU time is TLS".to_owned(),
        about: about(profile),
        sections: sections
            .into_iter()
            .filter(|section| !section.blocks.is_empty() || !section.sentences.is_empty())
            .collect(),
        legend: String::new(),
        figures: Vec::new(),
        claims: Vec::new(),
        shares: rows::rows(name, &account),
    }
}

fn about(profile: &Profile) -> String {
    let whose = match profile.captures.as_slice() {
        [] => "nothing".to_owned(),
        [one] => one.target.clone(),
        several => format!("{} captures", several.len()),
    };
    let started = profile.captures.iter().filter_map(|capture| capture.started.as_deref()).min();
    started.map_or(whose.clone(), |started| format!("{whose}, {started}"))
}
