//! [`Handshakes`]: how many took over an earlier session, as far as that is known.

use tlstax_doc::{Counts, Resumed, Workload};

use super::dimension;

/// Handshakes by whether they took over an earlier session. What may have been one is a request of which nothing tells whether it
/// began a connection.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Handshakes {
    pub full: Told,
    pub resumed: Told,
    pub unknown: Told,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Told {
    pub connections: u64,
    /// Further ones that there may have been.
    pub perhaps: u64,
    pub requests: u64,
}

impl Told {
    const fn add(&mut self, counts: &Counts) {
        self.connections = self.connections.saturating_add(counts.connections);
        self.perhaps = self.perhaps.saturating_add(counts.requests_without_connection);
        self.requests = self.requests.saturating_add(counts.requests);
    }

    fn is_none(self) -> bool {
        self == Self::default()
    }
}

impl Handshakes {
    /// Those of connections with TLS; none where there are none.
    pub fn of(workload: &Workload) -> Option<Self> {
        let mut handshakes = Self::default();
        for share in dimension::RESUMPTION.shares(workload) {
            let told = match share.kind.resumed {
                Some(Resumed::Full) => &mut handshakes.full,
                Some(_) => &mut handshakes.resumed,
                None => &mut handshakes.unknown,
            };
            told.add(&share.counts);
        }
        let all = [handshakes.full, handshakes.resumed, handshakes.unknown];
        (!all.into_iter().all(Told::is_none)).then_some(handshakes)
    }

    /// Those that tell it.
    pub fn told(&self) -> u64 {
        self.full.connections.saturating_add(self.resumed.connections)
    }

    /// The resumed ones of those that tell it, 0 to 1; none where none does.
    pub fn share(&self) -> Option<f64> {
        (self.told() > 0).then(|| self.resumed.connections as f64 / self.told() as f64)
    }

    pub const fn is_all_told(&self) -> bool {
        self.unknown.connections == 0
            && self.full.perhaps == 0
            && self.resumed.perhaps == 0
            && self.unknown.perhaps == 0
    }

    /// Whether it is known how many there were of a kind: any were, or all handshakes tell it.
    pub fn knows(&self, told: Told) -> bool {
        told.connections > 0 || self.told() > 0 && self.is_all_told()
    }

    /// What the share is of all handshakes, if of what is not known as few were resumed as can be, and as many.
    pub fn bounds(&self) -> (f64, f64) {
        let [full, resumed] = [self.full, self.resumed].map(|told| told.connections as f64);
        let [perhaps_full, perhaps_resumed] = [self.full, self.resumed].map(|told| told.perhaps as f64);
        let unknown = self.unknown.connections as f64 + self.unknown.perhaps as f64;
        let least = resumed / (full + resumed + unknown + perhaps_full).max(1.0);
        let most =
            (resumed + unknown + perhaps_resumed) / (full + resumed + unknown + perhaps_resumed).max(1.0);
        (least, most)
    }

    /// The share of requests over resumed connections, of those that tell it, 0 to 1.
    pub fn of_requests(&self) -> Option<f64> {
        let (full, resumed) = (self.full.requests as f64, self.resumed.requests as f64);
        (full + resumed > 0.0).then(|| resumed / (full + resumed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(connections: u64, perhaps: u64) -> Told {
        Told { connections, perhaps, requests: perhaps }
    }

    #[test]
    fn what_is_not_told_widens_the_bounds() {
        let all = Handshakes { full: told(20, 0), resumed: told(80, 0), unknown: told(0, 0) };
        assert!(all.is_all_told());
        assert_eq!((all.share(), all.bounds()), (Some(0.8), (0.8, 0.8)));
        let some = Handshakes { unknown: told(60, 40), ..all };
        assert_eq!((some.share(), some.bounds()), (Some(0.8), (0.4, 0.9)));
        // A request of a full handshake's connection can only make the share smaller.
        let unplaced = Handshakes { full: told(20, 60), ..all };
        assert_eq!(unplaced.bounds(), (0.5, 0.8));
        let nothing = Handshakes { full: told(0, 5), resumed: told(0, 15), unknown: told(0, 0) };
        assert_eq!((nothing.share(), nothing.of_requests()), (None, Some(0.75)));
        assert_eq!(nothing.bounds(), (0.0, 1.0));
    }
}
