//! What the sections ask of a document: facts, and items with their partners.

mod facts;
mod handshakes;
mod items;

pub(crate) use facts::{Facts, Switched};
pub(crate) use handshakes::more_round_trips;
pub(crate) use items::{
    Item, dearest_control, distinct, find, furthest, grouped, libraries, memory, of_library, works,
};
