//! A [`Step`]: one operation as the library is called, and the loop around it.

use std::fmt::Display;

use tlstax_spec::Algorithm;
use tlstax_worker::{Operation, Refusal};

use crate::provider::{Failure, NAME};

/// One operation, ready to be done again and again.
pub(super) trait Step: Send {
    /// Does it once.
    fn once(&mut self) -> Result<(), Refused>;

    /// Does it once from its beginning and returns the output, or [`CHECKED`].
    fn answer(&mut self) -> Result<Vec<u8>, Refused>;
}

/// An operation failed; most providers give no reason.
#[derive(Debug)]
pub(super) struct Refused;

impl From<Failure> for Refused {
    fn from(_: Failure) -> Self {
        Self
    }
}

/// Says that a random output passed the inverse operation.
pub(super) const CHECKED: &[u8] = <dyn Operation>::CHECKED;

/// A [`Step`] in its loop; the step's type is known here, so that nothing stands between the loop and the library.
struct Repeat<S> {
    step: S,
    algorithm: Algorithm,
}

pub(super) fn repeat<S: Step + 'static>(
    algorithm: Algorithm,
    step: S,
) -> Result<Box<dyn Operation>, Refusal> {
    Ok(Box::new(Repeat { step, algorithm }))
}

impl<S: Step> Operation for Repeat<S> {
    fn run(&mut self, n: u64) -> Result<(), Refusal> {
        for _ in 0..n {
            self.step.once().map_err(|_| refused(self.algorithm))?;
        }
        Ok(())
    }

    fn answer(&mut self) -> Result<Vec<u8>, Refusal> {
        self.step.answer().map_err(|_| refused(self.algorithm))
    }
}

pub(super) fn refused(algorithm: Algorithm) -> Refusal {
    Refusal::Failed(format!("{NAME} refused an operation of {algorithm} and does not say why"))
}

/// A failure while an operation is set up.
pub(super) fn preparing<E: Display>(what: &'static str) -> impl Fn(E) -> Refusal {
    move |error| Refusal::Failed(format!("{NAME}: {what}: {error}"))
}

/// Puts a signature in the place of the one before.
pub(super) fn replace(signature: &mut Vec<u8>, made: &[u8]) {
    signature.clear();
    signature.extend_from_slice(made);
}
