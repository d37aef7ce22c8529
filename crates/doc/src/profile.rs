//! The document of `tlstax observe`.

mod capture;
mod class;
mod document;
mod evidence;
mod merge;
mod store;

pub use capture::{Capture, Origin, OwnCost, Process, Span, Weight, Work};
pub use class::{Algorithm, Class, Cost};
pub use document::{Frame, PROFILE_VERSION, Profile, Stack, Unit};
pub use evidence::Evidence;
pub use merge::{Unlike, merge};
pub use store::{parse_profile, read_profile, write_profile};
