//! What the sections ask of a document: facts, and items with their partners.

mod facts;
mod items;
mod round_trips;

pub(crate) use facts::{Facts, Switched};
pub(crate) use items::{
    Item, dearest_control, distinct, find, furthest, grouped, libraries, memory, of_library, works,
};
pub(crate) use round_trips::more_round_trips;
