//! What a workload will cost a server, what a change would do, and whether the prediction was right.
//!
//! Costs add up. A [`Demand`] is what one kind of connection asks of a server in a second; [`Work`] is how many times each
//! [`Term`](tlstax_doc::model::Term) is done for it; [`Costs`] are what the terms of a [`Model`](tlstax_doc::model::Model) cost, with
//! what is not known of that. The model is fitted to loads of which the same functions say the work (docs/method.md, section 17).

mod advise;
mod capacity;
mod check;
mod configuration;
mod costs;
mod demand;
mod design;
mod document;
mod explain;
mod figures;
mod fit;
pub mod latency;
pub mod line;
mod predict;
mod replay;
pub mod scale;
pub mod tunnel;
mod what_if;
mod wire;
mod witness;
mod work;
mod workload;

pub use advise::{Floor, advise};
pub use capacity::{Burst, Capacity, Memory};
pub use check::{Check, check};
pub use costs::{Cost, Costs};
pub use demand::{Demand, Exact};
pub use design::{Scope, candidates, choose, unknowns, work_of};
pub use document::{cpus, document};
pub use explain::{ExplainError, Rise, explain};
pub use figures::Figures;
pub use fit::{Given, NoFit, fit};
pub use predict::predict;
pub use replay::{NoReplay, Replay, ReplaySettings, replay};
pub use what_if::{BadChange, Change, Ground, NoChange};
pub use witness::ModelWitness;
pub use work::{Setup, Work, base_of, work};
pub use workload::rate::Rate;
pub use workload::{Asked, NoTraffic, Offered, Traffic, traffic};
