//! Published tables, by the models that the program has: costs that add up, a cost per request and one per byte. Each test says how
//! far off that is, and where it is far off, why.
#![allow(clippy::unwrap_used)]

mod nginx;
mod production;
mod table;
mod transfers;
