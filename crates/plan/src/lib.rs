//! What a workload will cost a server, what a change would do, and whether the prediction was right.
//!
//! Costs add up. A [`Demand`] is what one kind of connection asks of a server in a second; [`Work`] is how many times each
//! [`Term`](tlstax_doc::model::Term) is done for it; [`Costs`] are what the terms of a [`Model`](tlstax_doc::model::Model) cost, with
//! what is not known of that. The model is fitted to loads of which the same functions say the work (docs/method.md, section 7).

mod check;
mod costs;
mod demand;
mod explain;
mod replay;
mod witness;
mod work;

pub use check::{Check, check};
pub use costs::{Cost, Costs};
pub use demand::{Demand, Exact};
pub use explain::{ExplainError, Rise, explain};
pub use replay::{NoReplay, Rate, Replay, ReplaySettings, demands, replay};
pub use witness::ModelWitness;
pub use work::{Setup, Work, base_of, work};
