//! [`Output`]: where the reading of a capture tells what it finds, and [`CaptureFacts`].

use std::collections::{BTreeMap, BTreeSet};

use crate::tally::Tally;

/// The class of a server's name, by patterns that the user gave; none where none fits. The name itself is kept nowhere.
pub type ClassOf<'c> = dyn Fn(&[u8]) -> Option<String> + Sync + 'c;

/// What is to be said of a capture beside what it counts.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct CaptureFacts {
    /// The first second with a packet, and the last one, since 1970.
    pub times: Option<(u64, u64)>,
    /// Packets that the capturing program says to have lost; none where it does not say.
    pub dropped: Option<u64>,
    /// Places in connections where segments are missing.
    pub gaps: u64,
    /// Connections that were taken for ended, since there were too many at once.
    pub evicted: u64,
    /// Handshakes of which it is not known whether they succeeded: the capture ended before.
    pub unfinished: u64,
    /// Handshakes in which the server asked for another hello (HelloRetryRequest).
    pub retries: u64,
    /// Handshakes that chose the compression of TLS.
    pub compressed: u64,
    /// Link types that are not read, by their numbers.
    pub other_links: BTreeSet<u16>,
    /// Bytes before what cannot be read of a file, for each file that is cut or contradicts itself.
    pub stopped: Vec<u64>,
    /// What interfaces of the current section say to have dropped.
    dropped_by: BTreeMap<u32, u64>,
}

impl CaptureFacts {
    /// An interface says how many packets it has dropped until now.
    pub(super) fn drop(&mut self, interface: u32, packets: u64) {
        self.dropped_by.insert(interface, packets);
    }

    /// What interfaces say from now on, others say.
    pub(super) fn end_section(&mut self) {
        let told = std::mem::take(&mut self.dropped_by);
        if !told.is_empty() {
            let sum = told.into_values().fold(0, u64::saturating_add);
            self.dropped = Some(self.dropped.unwrap_or(0).saturating_add(sum));
        }
    }
}

/// Where the reading of a capture tells what it finds.
pub struct Output<'o> {
    pub tally: &'o mut Tally,
    pub facts: &'o mut CaptureFacts,
    pub class: &'o ClassOf<'o>,
}
