//! A [`Step`]: one operation as the library is called, and the loop around it.

use std::fmt::Display;
use std::hint::black_box;

use tlstax_spec::Algorithm;
use tlstax_worker::{Operation, Refusal};

use crate::provider::{Failure, NAME};

/// One operation, ready to be done again and again.
pub(super) trait Step: Send {
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

/// An operation whose answer is what a call gives.
pub(super) fn compute<T: AsRef<[u8]>>(
    algorithm: Algorithm,
    call: impl Fn() -> Result<T, Refused> + Send + 'static,
) -> Result<Box<dyn Operation>, Refusal> {
    answered(algorithm, call, |call| call(), |call| Ok(call()?.as_ref().to_vec()))
}

/// An operation whose answer takes more than the call that is timed.
pub(super) fn answered<S: Send + 'static, T>(
    algorithm: Algorithm,
    state: S,
    call: impl Fn(&S) -> Result<T, Refused> + Send + 'static,
    answer: impl Fn(&S) -> Result<Vec<u8>, Refused> + Send + 'static,
) -> Result<Box<dyn Operation>, Refusal> {
    repeat(algorithm, Answered { state, call, answer })
}

struct Answered<S, C, A> {
    state: S,
    call: C,
    answer: A,
}

impl<S: Send, T, C, A> Step for Answered<S, C, A>
where
    C: Fn(&S) -> Result<T, Refused> + Send,
    A: Fn(&S) -> Result<Vec<u8>, Refused> + Send,
{
    fn once(&mut self) -> Result<(), Refused> {
        black_box((self.call)(&self.state)?);
        Ok(())
    }

    fn answer(&mut self) -> Result<Vec<u8>, Refused> {
        (self.answer)(&self.state)
    }
}

/// An operation that works on a buffer, which holds this at first.
pub(super) fn in_place(
    algorithm: Algorithm,
    first: Vec<u8>,
    call: impl FnMut(&mut Vec<u8>) -> Result<(), Refused> + Send + 'static,
) -> Result<Box<dyn Operation>, Refusal> {
    repeat(algorithm, InPlace { call, buffer: first.clone(), first })
}

struct InPlace<C> {
    call: C,
    buffer: Vec<u8>,
    first: Vec<u8>,
}

impl<C: FnMut(&mut Vec<u8>) -> Result<(), Refused> + Send> Step for InPlace<C> {
    fn once(&mut self) -> Result<(), Refused> {
        (self.call)(&mut self.buffer)
    }

    fn answer(&mut self) -> Result<Vec<u8>, Refused> {
        self.buffer.clone_from(&self.first);
        self.once()?;
        Ok(self.buffer.clone())
    }
}

/// Two parties must come to one secret.
pub(super) fn agreed(one: impl AsRef<[u8]>, other: impl AsRef<[u8]>) -> Result<Vec<u8>, Refused> {
    if one.as_ref() == other.as_ref() { Ok(CHECKED.to_vec()) } else { Err(Refused) }
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
