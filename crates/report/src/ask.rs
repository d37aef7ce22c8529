//! What the sections ask of a document: facts, and items with their partners.

mod facts;
mod handshakes;
mod items;

pub(crate) use facts::Facts;
pub(crate) use handshakes::{in_full, in_memory, more_round_trips};
pub(crate) use items::{Item, distinct, find, grouped, memory, works};
