//! What is surprising in a run, by a rule: its ratios that are furthest from what is usual.
//!
//! A ratio is of two costs of this run. What is usual of it is what published figures give, or a range that stands beside the
//! question, with where it comes from. The distance is that of the nearer ends of the two intervals, as a factor: what the
//! interval does not decide is no finding. Of each kind of ratio the furthest counts, so that one cause makes one finding. The rule
//! in words, with all ranges, is in docs/method.md, section 16.

mod algorithms;
mod finding;
mod furthest;
mod handshakes;
mod libraries;
mod requests;
mod threads;

pub(super) use furthest::{Found, found};
