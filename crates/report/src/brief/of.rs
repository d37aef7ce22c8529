//! The [`Brief`] of a run, made of what its report says.

use tlstax_doc::Results;

use super::findings::{Found, found};
use super::machine::{machine, quality, study};
use super::missing::missing;
use super::model::{Answer, Brief};
use crate::ask::Facts;
use crate::model::{Section, View};
use crate::sections::Published;
use crate::sections::machine::question;

impl Brief {
    /// What a run answers, from its report; what is surprising in it, beside these published figures. Where the rest is stands
    /// in nobody's document: `rest` says it.
    pub fn of(results: &Results, view: &View, published: &Published, rest: Vec<String>) -> Self {
        let facts = Facts::of(results);
        let asked = question(&results.study.question).map_or(String::new(), |asked| format!("{asked} "));
        let (surprises, held) = surprises(found(&facts, published));
        Self {
            machine: machine(&results.host),
            quality: quality(&facts),
            question: format!("{asked}({})", study(results)),
            answers: answers(&facts, &view.sections).into_iter().chain(held).collect(),
            surprises,
            missing: missing(results, &view.figures),
            rest,
        }
    }
}

/// Sections that only a study has which asks for them. They come first, in this order, and have twice as many sentences as others.
const ASKED_FOR: [&str; 3] = ["http2", "switches", "https"];

/// Its sentences tell what is computed and the same on every machine: they come when there is room.
const COMPUTED: &str = "wire";

/// The place of such a section; none of another.
fn asked_for(section: &Section) -> Option<usize> {
    ASKED_FOR.iter().position(|id| section.id == *id)
}

/// What the sections say, in their order. The first sentence of each matters more than the second of any.
fn answers(facts: &Facts<'_>, sections: &[Section]) -> Vec<Answer> {
    if !facts.has_figures() {
        return vec![Answer { said: "Nothing was measured.".to_owned(), rank: 0 }];
    }
    let of_section = |section: &Section| -> Vec<Answer> {
        let said = if section.answers.is_empty() { &section.sentences } else { &section.answers };
        let rank = |place: usize| match (asked_for(section), section.id == COMPUTED) {
            (Some(_), _) => place / 2,
            (None, true) => usize::MAX,
            (None, false) => place,
        };
        said.iter()
            .enumerate()
            .map(|(place, said)| Answer { said: said.clone(), rank: rank(place) })
            .collect()
    };
    let mut sections: Vec<&Section> = sections.iter().collect();
    sections.sort_by_key(|section| asked_for(section).unwrap_or(ASKED_FOR.len()));
    sections.into_iter().flat_map(of_section).collect()
}

/// The findings in words; where all is as usual, a last answer that says so.
fn surprises(Found { furthest, held }: Found) -> (Vec<String>, Option<Answer>) {
    let as_usual = (furthest.is_empty() && held > 0).then(|| Answer {
        said: format!("Nothing is far from what is usual: {held} ratios were held against it."),
        rank: 1,
    });
    (furthest, as_usual)
}
