//! The labels of a sample that say whose it is. Parca and Pyroscope write them; Go writes what the program has set.

use super::tables::Tables;
use super::wire::{Broken, Fields};

/// The keys of the number of a process.
const NUMBERS: [&str; 3] = ["pid", "process_id", "process.pid"];

/// The keys of a name, the most telling first.
const NAMES: [&str; 7] = [
    "comm",
    "process_name",
    "process.executable.name",
    "process",
    "thread_comm",
    "thread_name",
    "thread.name",
];

/// Whose a sample is.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Owner {
    pub number: Option<u32>,
    pub name: Option<String>,
    rank: usize,
}

impl Owner {
    /// Takes what one label says.
    pub fn take(&mut self, label: &[u8], tables: &Tables<'_>) -> Result<(), Broken> {
        let (mut key, mut text, mut number) = (0, 0, 0);
        for field in Fields::of(label) {
            let (field, value) = field?;
            match field {
                1 => key = value.number(),
                2 => text = value.number(),
                3 => number = value.number(),
                _ => {}
            }
        }
        let (key, text) = (tables.text(key), tables.text(text));
        if NUMBERS.contains(&&*key) {
            self.number =
                text.parse().ok().or_else(|| u32::try_from(number).ok().filter(|number| *number > 0));
        }
        let rank = NAMES.iter().position(|name| *name == key).filter(|_| !text.is_empty());
        if let Some(rank) = rank.filter(|rank| self.name.is_none() || *rank < self.rank) {
            (self.rank, self.name) = (rank, Some(text.into_owned()));
        }
        Ok(())
    }
}
