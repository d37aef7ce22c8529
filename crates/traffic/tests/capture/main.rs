//! Captures: what tcpdump has seen of real handshakes, and packets that are made here to be broken.
#![allow(clippy::unwrap_used)]

mod broken;
mod forms;
mod golden;
mod live;
mod made;
mod packets;
mod properties;
mod read;
