//! [`Gate`]: what is said of a comparison that decides whether a change is let pass.

use tlstax_doc::{Counted, CountedBy, Severity};
use tlstax_stats::{Percent, Verdict};

use super::comparison::{Change, Comparison};
use super::view::{self, FASTER, SLOWER, UNDECIDED};
use crate::model::{Block, Section, View};
use crate::notes::{note, sorted_notes};

/// A comparison whose verdicts were made with the change that is allowed as their floor.
pub struct Gate<'c> {
    pub comparison: &'c Comparison,
    /// The change that is let pass.
    pub allowed: Percent,
    /// Who is held against whom, in a line.
    pub about: String,
    /// What was counted in place of time.
    pub counted: Option<&'c Counted>,
}

impl Gate<'_> {
    /// Whether there is nothing to be said but that.
    pub fn is_silent(&self) -> bool {
        let is_change = |change: &Change| matches!(change.found.verdict, Verdict::Slower | Verdict::Faster);
        !self.comparison.changes.iter().any(is_change)
            && self.comparison.notes.is_empty()
            && self.comparison.absent.is_empty()
    }

    /// What came of it, in a sentence.
    pub fn sentence(&self) -> String {
        let changes = &self.comparison.changes;
        let count = |is_it: view::Kind| changes.iter().filter(|change| is_it(change.found.verdict)).count();
        let (slower, faster, undecided, all) =
            (count(SLOWER), count(FASTER), count(UNDECIDED), changes.len());
        let allowed = self.allowed.0;
        let mut said = match slower {
            0 => format!("Nothing became slower by more than {allowed} %, of {all} figures"),
            _ => format!("{slower} of {all} figures became slower by more than {allowed} %"),
        };
        if faster > 0 {
            said += &format!("; {faster} became faster");
        }
        if undecided > 0 {
            said += &format!("; of {undecided} it cannot be told, more time (--budget) would narrow them");
        }
        said + "."
    }

    /// What is slower and what is faster; what cannot be told is there for whoever asks for it.
    pub fn view(&self) -> View {
        let Comparison { old, new, notes, .. } = self.comparison;
        let tables =
            [("Slower", SLOWER), ("Faster", FASTER)].map(|(caption, kind)| self.table(caption, kind));
        let undecided = self.table("Cannot tell", UNDECIDED).map(|block| match block {
            Block::Table(table) => Block::Details(table),
            other => other,
        });
        let mut notes = notes.clone();
        let by_callgrind = self.counted.is_some_and(|counted| counted.by == CountedBy::Callgrind);
        notes.extend(by_callgrind.then(|| {
            let what =
                "valgrind has no AVX-512: code that needs it was not run, and a change of it is not seen";
            note(Severity::Info, what.to_owned(), "a run without --count takes times of it")
        }));
        let blocks = sorted_notes(notes).into_iter().chain(tables.into_iter().flatten()).chain(undecided);
        let section = Section::new("gate", format!("{new} against {old}"), "")
            .with(blocks)
            .saying(vec![self.sentence()]);
        let view = View::of_sections("Gate", self.about.clone(), vec![section]);
        View { figures: self.comparison.figures.clone(), ..view }
    }

    fn table(&self, caption: &str, kind: view::Kind) -> Option<Block> {
        let changes = self.comparison.of_kind(kind);
        (!changes.is_empty()).then(|| Block::Table(view::table(caption, &changes)))
    }
}
