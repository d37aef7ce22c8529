//! What logs with named fields tell.

use std::collections::BTreeSet;

use tlstax_doc::Tell;

use super::entry::Entries;
use super::field::Field;
use crate::classes::Classes;

/// What entries with these fields tell.
pub fn tells(entries: Entries, fields: &[Field], classes: &Classes) -> BTreeSet<Tell> {
    let mut tells: BTreeSet<Tell> = fields.iter().filter_map(|field| field.tell()).collect();
    // The best of each is read.
    for (best, other) in [(Tell::BytesOut, Tell::BodyOut), (Tell::BytesIn, Tell::BodyIn)] {
        if tells.contains(&best) {
            tells.remove(&other);
        }
    }
    if classes.is_empty() {
        tells.remove(&Tell::Class);
    }
    match entries {
        Entries::Requests | Entries::RequestsPlainIfSilent => {
            tells.insert(Tell::Requests);
        }
        Entries::Handshakes => {
            tells.insert(Tell::Connection);
        }
        Entries::Volumes => {}
        Entries::Rows if !fields.contains(&Field::What) => {
            tells.insert(Tell::Requests);
            if fields.contains(&Field::Requests) {
                tells.insert(Tell::Connection);
            }
        }
        Entries::Rows => {
            tells.insert(Tell::Requests);
        }
    }
    tells
}
