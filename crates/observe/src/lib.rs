//! Where the CPU time of running servers goes, and what of TLS each sample is for.
//!
//! A **source** (`source/`, `live/`) gives samples: who, when, how much, and a stack of [`Frame`]s. Where it has addresses only,
//! `resolve` makes names and evidence of them. The **classifier** (`classify/`, `rules/*.toml`) gives each distinct stack a
//! class and the evidence for it. The [`Collector`] adds up, and in the end makes a [`tlstax_doc::Profile`].

mod classify;
mod collect;
mod frame;
pub mod live;
mod resolve;
mod source;

pub use classify::{Classifier, Reading, RulesError};
pub use collect::{Collector, Moment, Surroundings};
pub use frame::{Frame, FrameId, Instructions};
pub use resolve::{Architecture, Mapping, Resolver};
pub use source::{Facts, Format, Input, SourceError, read};
