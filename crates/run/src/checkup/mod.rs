//! What is wrong with this machine, and these libraries, for measuring; each finding with its remedy.

mod acceleration;
mod capability_words;
mod compression;
mod findings;
mod leftovers;
mod look;
mod means;
mod offload;
mod openssl_modules;

pub use acceleration::Acceleration;
pub use findings::{of_rounds, of_run};
pub use leftovers::{Leftover, What, leftovers};
pub use look::{Checkup, checkup};
pub use means::{Availability, Means};
