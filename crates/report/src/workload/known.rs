//! [`Known`]: what a workload says of a number, which need not be all.

use tlstax_doc::{Counts, Share, Total};

use crate::model::Cell;
use crate::number;

/// What is known of a count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Known {
    Exactly(u64),
    /// The second is larger.
    Between(u64, u64),
    AtLeast(u64),
    Nothing,
}

impl Known {
    const fn from(low: u64, more: u64) -> Self {
        if more == 0 { Self::Exactly(low) } else { Self::Between(low, low.saturating_add(more)) }
    }

    /// What is certain; none where nothing is.
    pub const fn least(self) -> Option<u64> {
        match self {
            Self::Exactly(least) | Self::AtLeast(least) => Some(least),
            Self::Between(least, _) if least > 0 => Some(least),
            Self::Between(..) | Self::Nothing => None,
        }
    }

    pub const fn most(self) -> Option<u64> {
        match self {
            Self::Exactly(most) | Self::Between(_, most) => Some(most),
            Self::AtLeast(_) | Self::Nothing => None,
        }
    }

    /// In words, each number by `shown`.
    pub fn said(self, shown: impl Fn(u64) -> String) -> Option<String> {
        Some(match self {
            Self::Exactly(count) => shown(count),
            Self::Between(0, most) => format!("up to {}", shown(most)),
            Self::Between(least, most) => format!("{} to {}", shown(least), shown(most)),
            Self::AtLeast(least) => format!("at least {}", shown(least)),
            Self::Nothing => return None,
        })
    }

    /// A cell, or why there is no figure in it.
    pub fn cell(self, shown: impl Fn(u64) -> String, why: &str) -> Cell {
        Cell::from(self.said(shown).ok_or_else(|| why.to_owned()))
    }
}

/// What some kinds of connection have in common is summed.
pub(super) fn sum<'w>(shares: impl IntoIterator<Item = &'w Share>) -> Counts {
    let mut sum = Counts::default();
    shares.into_iter().for_each(|share| sum.merge(&share.counts));
    sum
}

/// Connections that began: a request whose source does not place it may be the first of one.
pub(super) const fn connections(counts: &Counts) -> Known {
    match (counts.connections, counts.requests_without_connection) {
        // What only has bytes is counted elsewhere.
        (0, 0) if counts.requests == 0 && counts.failed_handshakes == 0 => Known::Nothing,
        (known, perhaps) => Known::from(known, perhaps),
    }
}

/// Requests: connections of which none is known may have had any number.
pub(super) const fn requests(counts: &Counts) -> Known {
    match (counts.requests, counts.connections_without_requests) {
        (0, 0) if counts.connections == 0 => Known::Nothing,
        (known, 0) => Known::Exactly(known),
        (0, _) => Known::Nothing,
        (known, _) => Known::AtLeast(known),
    }
}

/// Bytes of one way, which not every request and connection tells.
pub(super) const fn bytes(counts: &Counts, total: Total) -> Known {
    let all = counts.requests.saturating_add(counts.connections_without_requests);
    match total.of {
        0 => Known::Nothing,
        of if of < all => Known::AtLeast(total.bytes),
        _ => Known::Exactly(total.bytes),
    }
}

/// A count as it is shown.
pub(super) fn count(number: u64) -> String {
    number::thousands(number)
}

/// Bytes as they are shown.
pub(super) fn size(bytes: u64) -> String {
    number::size(bytes as f64, 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_is_no_zero() {
        let unplaced = Counts { requests: 7, requests_without_connection: 7, ..Counts::default() };
        assert_eq!(connections(&unplaced).said(count).as_deref(), Some("up to 7"));
        assert_eq!(connections(&unplaced).least(), None);
        let silent = Counts { connections: 3, connections_without_requests: 3, ..Counts::default() };
        assert_eq!(requests(&silent), Known::Nothing);
        assert_eq!(bytes(&silent, silent.out), Known::Nothing);
        let both = Counts { requests: 4, connections: 9, requests_without_connection: 2, ..silent };
        assert_eq!(connections(&both), Known::Between(9, 11));
        assert_eq!(requests(&both), Known::AtLeast(4));
        assert_eq!(bytes(&both, Total { of: 6, bytes: 60 }), Known::AtLeast(60));
        assert_eq!(bytes(&both, Total { of: 7, bytes: 60 }), Known::Exactly(60));
    }

    #[test]
    fn what_was_seen_to_be_none_is_zero() {
        // The lines of a connection that began before the log did.
        let continued = Counts { requests: 5, ..Counts::default() };
        assert_eq!(connections(&continued), Known::Exactly(0));
    }
}
