//! The view of one profile.

use tlstax_doc::Profile;

use super::account::Account;
use super::{algorithms, captures, classes, evidence, flame, rows, said, work};
use crate::model::{Block, Section, View};

const SHARES: &str = "\
    Every sample of CPU time has one class. Shares have the interval of their spans of time: samples that are near each other are \
    alike, and count less than independent ones would.";

const SURE: &str = "\
    A class stands on the strongest evidence there is: a function at the border of two libraries, which has a name even in a \
    stripped build; the name of a function; a table made for that very build; instructions that only one algorithm has; or nothing \
    but the file.";

/// The view of one profile; `name` is that of its file.
pub fn profile_view(name: &str, profile: &Profile) -> View {
    View {
        title: "What of a server's CPU time is TLS".to_owned(),
        about: about(profile),
        sections: sections(profile),
        legend: String::new(),
        figures: Vec::new(),
        claims: Vec::new(),
        shares: rows::rows(name, &Account::of(profile)),
        traffic: Vec::new(),
        costs: Vec::new(),
    }
}

impl View {
    /// The same with what the processes were sampled doing while they were measured.
    #[must_use]
    pub fn with_profile(mut self, profile: &Profile) -> Self {
        self.sections.extend(sections(profile));
        self
    }
}

fn sections(profile: &Profile) -> Vec<Section> {
    let account = Account::of(profile);
    let said = said::sentences(&account);
    let details = [evidence::reasons(profile), evidence::heaviest(profile)];
    let sections = vec![
        // The answer stands before the table that it comes from.
        Section::new("tls", "Where the CPU time went", said.join(" "))
            .with(classes::table(&account))
            .with(flame::block(profile))
            .answering(said),
        Section::new("algorithms", "TLS by algorithm", "").with(algorithms::tables(&account)),
        Section::new("work", "For each handshake, request and gigabyte", "").with(work::table(&account)),
        Section::new("evidence", "How sure that is", format!("{SHARES} {SURE}"))
            .with(evidence::table(profile))
            .with(details.into_iter().flatten().map(Block::Details)),
        captures::section(profile),
    ];
    let is_shown = |section: &Section| !section.blocks.is_empty() || !section.answers.is_empty();
    sections.into_iter().filter(is_shown).collect()
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
