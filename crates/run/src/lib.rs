//! The orchestrator: which libraries there are, what a study asks, and how the answer is measured.
//!
//! Read in this order: [`run()`], then the pool of workers, then one session with one of them. Every figure comes
//! from a worker, is proved there, checked here, and noted in the journal.

mod build;
mod checkup;
mod clients;
mod event;
mod home;
mod identity;
mod interop;
mod library;
mod need;
mod pool;
mod reference;
mod registry;
mod rounds;
mod run;
mod servers;
mod session;
mod spelling;
mod study;
mod suites;
mod verify;
mod work;

pub use build::{BuildError, Builder, Cache, Conformance, conformance};
pub use checkup::{Acceleration, Availability, Checkup, Leftover, Means, What, checkup, leftovers};
pub use event::{Event, Observer, Progress, Trial};
pub use home::{Home, NoHome};
pub use interop::{Interop, Meeting, interop};
pub use need::Outlook;
pub use registry::{
    BadSource, Entry, Group, ID_ALIASES, LibraryPattern, Recipe, Registry, RegistryError, SEARCH_VARIABLE,
    Source, Worker,
};
pub use run::{Plan, RunError, RunOutcome, run, survey, survey_one, verify_study};
pub use servers::{Consent, External, NoOwner, Owner, Seen, look};
pub use spelling::{Aliased, BadSize, NameError, Spelled, Vocabulary, bytes, lookup, vocabularies};
pub use study::{
    BUDGET_S, BulkMatrix, Cast, Extent, HandshakeMatrix, IdleMatrix, Limit, LoadMatrix, Origin,
    PrimitiveMatrix, Study, StudyError,
};
pub use suites::{Expanded, Expansion, Idle, IdleKind, Mozilla, NoExpansion, Wanted, expand};
