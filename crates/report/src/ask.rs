//! What the sections ask of a document: facts, and items with their partners.

mod facts;
mod items;

pub(crate) use facts::{Facts, Switched};
pub(crate) use items::{
    Item, dearest_control, distinct, find, furthest, grouped, libraries, memory, of_library, works,
};
