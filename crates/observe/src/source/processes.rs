//! [`NamedProcesses`]: processes of which a source says the name with each sample.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use crate::collect::Collector;

/// Numbers for processes of which only the name is known begin here, above all that Linux gives (`PID_MAX_LIMIT`, 2^22).
const FIRST_UNNUMBERED: u32 = 1 << 30;

/// Processes of which a source says the name with each sample: tells the collector once.
#[derive(Debug, Default)]
pub struct NamedProcesses {
    numbered: HashMap<u32, Box<[u8]>, RandomState>,
    unnumbered: HashMap<Box<[u8]>, u32, RandomState>,
}

impl NamedProcesses {
    /// The number of a process by its name, and its number where the source says it.
    pub fn number(&mut self, number: Option<u32>, name: &[u8], into: &mut Collector<'_>) -> u32 {
        match number {
            Some(number) => self.numbered(number, name, into),
            None => self.unnumbered(name, into),
        }
    }

    fn numbered(&mut self, number: u32, name: &[u8], into: &mut Collector<'_>) -> u32 {
        if self.numbered.get(&number).is_none_or(|known| **known != *name) {
            self.numbered.insert(number, name.into());
            into.name_process(number, &String::from_utf8_lossy(name));
        }
        number
    }

    fn unnumbered(&mut self, name: &[u8], into: &mut Collector<'_>) -> u32 {
        if let Some(number) = self.unnumbered.get(name) {
            return *number;
        }
        // More names than fit do not fit into memory either.
        let number =
            FIRST_UNNUMBERED.saturating_add(u32::try_from(self.unnumbered.len()).unwrap_or(u32::MAX));
        self.unnumbered.insert(name.into(), number);
        into.name_process(number, &String::from_utf8_lossy(name));
        number
    }
}
