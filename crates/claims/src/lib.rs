//! What others have claimed of the cost of TLS, held against results of one's own machine.
//!
//! A [`Book`] is a file of claims; those of the five write-ups are built in. [`answer`] says of each claim what the results show,
//! with an interval and a [`Verdict`]; [`needed`] says which cases have to be measured first. Pure: no file, no clock, no printing.
//!
//! The interval decides, never the median, and a ratio is made within one run only.

mod answer;
mod book;
mod case;
mod check;
mod claim;
mod document;
mod error;
mod evaluate;
mod expression;
mod field;
mod needed;
mod ratio;
mod read;
mod read_check;
mod read_rule;
mod sentence;
mod size;
mod span;
mod table;
mod unit;
mod variant;
mod verdict;
mod wanted;
mod witness;

pub use answer::{Answer, Here, Missing, answer, answer_with};
pub use book::Book;
pub use check::{Candidate, Check, Claimed, Rule, Term};
pub use claim::{Claim, Kind, There};
pub use error::BookError;
pub use expression::Expression;
pub use needed::{Need, needed};
pub use span::Span;
pub use unit::Unit;
pub use verdict::Verdict;
pub use wanted::UnknownClaim;
pub use witness::{Verb, Witness};
