//! What the sections ask of a document: facts, and items with their partners.

mod facts;
mod items;

pub(crate) use facts::Facts;
pub(crate) use items::{CONTROL, Item, in_full, memory};
