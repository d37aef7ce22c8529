//! [`Connections`]: the connections that are open, as many as memory allows.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use foldhash::fast::RandomState;

use super::connection::Connection;
use super::output::Output;
use super::segment::{Segment, Tuple};

/// Connections that are known at the same time, ended ones included: about 50 MB of memory.
const MOST: usize = 100_000;

/// Bytes of segments and messages that are kept for all of them.
const MOST_HELD: usize = 64 << 20;

/// The connections that are open. Those that have ended stay until there are too many, so that what comes late is not taken for a
/// connection of its own.
#[derive(Default)]
pub struct Connections {
    by_tuple: HashMap<Tuple, Box<Connection>, RandomState>,
    held: usize,
    packets: u64,
}

impl Connections {
    pub fn take(&mut self, segment: &Segment<'_>, at: Option<u64>, output: &mut Output<'_>) {
        self.packets += 1;
        let connection = match self.by_tuple.entry(segment.tuple) {
            Entry::Occupied(entry) => {
                let known = entry.into_mut();
                if known.is_over_for(segment) {
                    let next = Box::new(Connection::new(segment, at, output));
                    let before = std::mem::replace(known, next);
                    self.held -= before.held;
                    before.end(output);
                }
                known
            }
            Entry::Vacant(entry) => entry.insert(Box::new(Connection::new(segment, at, output))),
        };
        let held = connection.held;
        connection.take(segment, output);
        connection.last = self.packets;
        self.held = self.held - held + connection.held;
        if self.by_tuple.len() >= MOST || self.held > MOST_HELD {
            self.evict(output);
        }
    }

    /// Ends a quarter of all: those that have ended, and then the idlest.
    fn evict(&mut self, output: &mut Output<'_>) {
        let count = self.by_tuple.len().div_ceil(4);
        let mut all: Vec<(bool, u64, Tuple)> = self
            .by_tuple
            .iter()
            .map(|(tuple, connection)| (!connection.has_ended(), connection.last, *tuple))
            .collect();
        all.select_nth_unstable_by_key(count - 1, |(is_open, last, _)| (*is_open, *last));
        for (is_open, _, tuple) in &all[..count] {
            if let Some(connection) = self.by_tuple.remove(tuple) {
                output.facts.evicted += u64::from(*is_open);
                self.held -= connection.held;
                connection.end(output);
            }
        }
    }

    /// Ends all.
    pub fn end(self, output: &mut Output<'_>) {
        self.by_tuple.into_values().for_each(|connection| connection.end(output));
    }
}
