//! Which of several events is read: one that counts CPU time, if there is one.

use std::collections::BTreeMap;

use super::frame_line;
use super::sample_line;
use crate::source::event::{Kind, kind};

/// So many events that are left out are told by name.
const NAMED: usize = 32;

/// The event that is read, and the samples of others.
#[derive(Debug)]
pub struct Chosen {
    /// None where samples have no event, or the first bytes no sample: then the first that comes.
    pub event: Option<String>,
    pub kind: Kind,
    /// Whether samples say for how much they stand.
    pub has_periods: bool,
    others: BTreeMap<String, u64>,
}

impl Chosen {
    /// Looks through the first lines.
    pub fn of(head: &[u8]) -> Self {
        let mut chosen = Self { event: None, kind: Kind::Other, has_periods: false, others: BTreeMap::new() };
        let lines = head.split(|byte| *byte == b'\n').filter(|line| !line.starts_with(b"#"));
        for line in lines.filter(|line| frame_line::parse(line).is_none_or(|frame| frame.address.is_none())) {
            let Some((event, line)) = sample_line::parse(line).and_then(|line| Some((line.event?, line)))
            else {
                continue;
            };
            if chosen.event.is_none() || kind(event) < chosen.kind {
                chosen.kind = kind(event);
                chosen.event = Some(event.to_owned());
                chosen.has_periods = line.period.is_some();
            }
        }
        chosen
    }

    /// Whether a sample of this event is read; if not, it is counted.
    pub fn takes(&mut self, event: Option<&str>) -> bool {
        let (Some(event), Some(chosen)) = (event, &self.event) else {
            return true;
        };
        if event == chosen {
            return true;
        }
        if let Some(count) = self.others.get_mut(event) {
            *count += 1;
        } else if self.others.len() < NAMED {
            self.others.insert(event.to_owned(), 1);
        }
        false
    }

    /// Whether weights are what the event counts.
    pub fn is_weighed(&self) -> bool {
        self.has_periods && self.kind != Kind::Other
    }

    /// The samples that were left out, in words; none if there were none.
    pub fn left_out(&self) -> Option<String> {
        let others: Vec<_> = self.others.iter().map(|(event, count)| format!("{count} of {event}")).collect();
        (!others.is_empty()).then(|| {
            let chosen = self.event.as_deref().unwrap_or("no event");
            format!("samples of {chosen} were read, those of other events left out: {}", others.join(", "))
        })
    }
}
