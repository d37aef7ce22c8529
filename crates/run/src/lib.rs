//! The orchestrator: what a study asks, and how the answer is measured.
//!
//! Read in this order: [`run()`], then the pool and its `ends`, then the rounds. Every figure comes
//! from a worker, is proved there, checked here, and noted in the journal.

mod attendance;
mod awake;
mod batch;
mod checkup;
mod count;
mod ends;
mod error;
mod event;
mod interop;
mod look;
mod need;
mod parts;
mod pool;
mod preparation;
mod reference;
mod rounds;
mod run;
mod study;
mod suites;
mod survey;
mod work;

pub use checkup::{Acceleration, Availability, Checkup, Leftover, Means, What, checkup, leftovers};
pub use count::{CountBy, count};
pub use error::RunError;
pub use event::{Event, Observer, Progress, Trial};
pub use interop::{Interop, Meeting, interop};
pub use look::look;
pub use need::Outlook;
pub use run::{Plan, RunOutcome, run, verify_study};
pub use study::{
    BUDGET_S, BulkMatrix, Cast, Draft, Extent, Flag, HandshakeMatrix, IdleMatrix, List, LoadMatrix, Matrix,
    Origin, PrimitiveMatrix, Study, StudyError,
};
pub use suites::{Expanded, Expansion, Idle, IdleKind, Mozilla, NoExpansion, Wanted, expand};
pub use survey::{survey, survey_one};
