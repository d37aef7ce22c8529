//! The processes of a capture, by name.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use tlstax_doc::Process;

use super::moment::Moment;

/// The name of a process that nobody has named.
const UNNAMED: &str = "?";

#[derive(Debug, Default)]
pub struct Processes {
    names: HashMap<u32, String>,
    found: HashMap<u32, Found>,
    accounts: BTreeMap<String, u64>,
    /// What processes with an earlier name had.
    earlier: BTreeMap<String, (BTreeSet<u32>, Found)>,
}

#[derive(Debug, Default, Clone, Copy)]
struct Found {
    samples: u64,
    weight: u64,
}

impl Found {
    fn add(&mut self, other: Self) {
        self.samples = self.samples.saturating_add(other.samples);
        self.weight = self.weight.saturating_add(other.weight);
    }
}

impl Processes {
    /// What a process had before goes to its earlier name.
    pub fn name(&mut self, process: u32, name: &str) {
        let earlier = self.names.insert(process, name.to_owned());
        if earlier.as_deref() == Some(name) {
            return;
        }
        // What it had before it had any name is its own.
        let Some(earlier) = earlier else {
            return;
        };
        if let Some(found) = self.found.remove(&process) {
            let (processes, sum) = self.earlier.entry(earlier).or_default();
            processes.insert(process);
            sum.add(found);
        }
    }

    pub fn account(&mut self, name: &str, cpu_ns: u64) {
        *self.accounts.entry(name.to_owned()).or_default() += cpu_ns;
    }

    pub fn add(&mut self, moment: &Moment, samples: u64) {
        let found = self.found.entry(moment.process).or_default();
        found.add(Found { samples, weight: moment.weight });
    }

    /// By name.
    pub fn in_order(mut self) -> Vec<Process> {
        for (process, found) in std::mem::take(&mut self.found) {
            let name = self.names.get(&process).map_or(UNNAMED, String::as_str);
            let (processes, sum) = self.earlier.entry(name.to_owned()).or_default();
            processes.insert(process);
            sum.add(found);
        }
        let all = self.earlier.into_iter().map(|(name, (processes, found))| Process {
            cpu_ns: self.accounts.get(&name).copied(),
            name,
            count: u32::try_from(processes.len()).unwrap_or(u32::MAX),
            samples: found.samples,
            weight: found.weight,
        });
        all.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_sample_is_lost_when_a_process_gets_a_name() {
        let moment = Moment { at_ns: None, process: 7, weight: 10 };
        let mut processes = Processes::default();
        processes.add(&moment, 1);
        processes.name(7, "sh");
        processes.add(&moment, 1);
        processes.name(7, "nginx");
        processes.add(&moment, 1);
        let all: Vec<_> =
            processes.in_order().into_iter().map(|one| (one.name, one.samples, one.weight)).collect();
        assert_eq!(all, [("nginx".to_owned(), 1, 10), ("sh".to_owned(), 2, 20)]);
    }
}
