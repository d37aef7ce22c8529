//! [`Layout`]: which event a record is of, and when it happened, found without reading the whole of it.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::attribute::{Attribute, has};
use super::fields::{Fields, Order};

/// `PERF_RECORD_SAMPLE`.
pub const SAMPLE: u32 = 9;

/// No recording has more events: perf opens each for every CPU, and files are soon out.
pub const MOST_EVENTS: usize = 1024;

/// Where in a record its event and its time are.
#[derive(Debug)]
pub struct Layout {
    pub order: Order,
    pub attributes: Vec<Attribute>,
    by_id: HashMap<u64, usize, RandomState>,
}

impl Layout {
    pub fn new(order: Order) -> Self {
        Self { order, attributes: Vec::new(), by_id: HashMap::default() }
    }

    /// Attributes beyond [`MOST_EVENTS`] are left out.
    pub fn add(&mut self, attribute: Attribute) {
        if self.attributes.len() >= MOST_EVENTS {
            return;
        }
        self.by_id.extend(attribute.ids.iter().map(|id| (*id, self.attributes.len())));
        self.attributes.push(attribute);
    }

    /// Takes the names of events, by an id of each.
    pub fn name(&mut self, events: &[(u64, String)]) {
        for (id, name) in events {
            if let Some(attribute) = self.by_id.get(id).and_then(|index| self.attributes.get_mut(*index)) {
                attribute.name = Some(name.clone());
            }
        }
    }

    /// The attribute of a record. All attributes of a recording have their ids in the same place, or the first would not know.
    pub fn attribute(&self, kind: u32, body: &[u8]) -> Option<(usize, &Attribute)> {
        let first = self.attributes.first()?;
        let index = if self.attributes.len() == 1 {
            0
        } else {
            self.id(kind, body, first).and_then(|id| self.by_id.get(&id).copied()).unwrap_or(0)
        };
        Some((index, &self.attributes[index]))
    }

    fn id(&self, kind: u32, body: &[u8], first: &Attribute) -> Option<u64> {
        if first.has(has::IDENTIFIER) {
            return self.word(body, if kind == SAMPLE { Some(0) } else { body.len().checked_sub(8) });
        }
        let before = words(first, has::IP | has::TID | has::TIME | has::ADDR);
        let behind = words(first, has::ID | has::STREAM_ID | has::CPU);
        first.has(has::ID).then_some(())?;
        self.word(body, if kind == SAMPLE { Some(before) } else { body.len().checked_sub(behind) })
    }

    /// When a record was written; none where it does not say.
    pub fn time(&self, kind: u32, body: &[u8]) -> Option<u64> {
        let (_, attribute) = self.attribute(kind, body)?;
        if !attribute.has(has::TIME) || (kind != SAMPLE && !attribute.is_all_timed) {
            return None;
        }
        let before = words(attribute, has::IDENTIFIER | has::IP | has::TID);
        let behind = words(attribute, has::TIME | has::ID | has::STREAM_ID | has::CPU | has::IDENTIFIER);
        self.word(body, if kind == SAMPLE { Some(before) } else { body.len().checked_sub(behind) })
    }

    fn word(&self, body: &[u8], at: Option<usize>) -> Option<u64> {
        Fields::of(body.get(at?..)?, self.order).u64()
    }
}

/// The bytes of those words that are there.
fn words(attribute: &Attribute, bits: u64) -> usize {
    8 * (attribute.sample & bits).count_ones() as usize
}
