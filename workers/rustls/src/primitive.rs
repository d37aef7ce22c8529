//! Primitives: the operations of the provider's own crate, called as rustls calls them.
//!
//! What is here is the same for all providers. `ring_api` is what ring and aws-lc-rs have in common, since the latter
//! has taken over the interface of the former; `ring`, `aws_lc` and `graviola` are what is particular to each.

mod aead;
#[cfg(feature = "aws-lc")]
mod aws_lc;
#[cfg(feature = "graviola")]
mod graviola;
#[cfg(feature = "ring")]
mod ring;
#[cfg(any(feature = "aws-lc", feature = "ring"))]
mod ring_api;
mod setup;
mod signature;
#[cfg(test)]
mod tests;

#[cfg(feature = "aws-lc")]
use aws_lc as own;
#[cfg(feature = "graviola")]
use graviola as own;
#[cfg(feature = "ring")]
use ring as own;

use std::fmt::Display;

use tlstax_spec::{Algorithm, Class, Op, Pattern, Primitive};
use tlstax_worker::{Inputs, Operation, Refusal};

use crate::provider::{Failure, NAME};

/// What the provider has, as `algorithm:operation`.
pub(crate) fn claimed() -> Vec<String> {
    let all = Algorithm::ALL.iter().flat_map(|algorithm| algorithm.ops().iter().map(|op| (*algorithm, *op)));
    all.filter(|(algorithm, op)| lacks(*algorithm, *op).is_none())
        .map(|(algorithm, op)| format!("{algorithm}:{op}"))
        .collect()
}

/// Sets one operation up.
pub(crate) fn operation(primitive: &Primitive, inputs: &Inputs) -> Result<Box<dyn Operation>, Refusal> {
    let Primitive { op, algorithm, pattern, .. } = *primitive;
    if pattern != Pattern::Tls {
        let reason = "only the OpenSSL family has the call pattern of openssl speed";
        return Err(Refusal::Unsupported(reason.into()));
    }
    if !algorithm.ops().contains(&op) {
        return Err(Refusal::Unsupported(format!("{algorithm} has no operation {op}")));
    }
    if let Some(reason) = lacks(algorithm, op) {
        return Err(Refusal::Unsupported(format!("{NAME} {reason}")));
    }
    match algorithm.class() {
        Class::Aead => aead::operation(algorithm, op, inputs),
        Class::Signature => signature::operation(algorithm, op, inputs),
        Class::Setup => setup::operation(algorithm, inputs),
        _ => own::operation(algorithm, op, inputs),
    }
}

/// Why it cannot be done, as the end of a sentence about the provider.
fn lacks(algorithm: Algorithm, op: Op) -> Option<&'static str> {
    match algorithm {
        Algorithm::CaBundle | Algorithm::Certificate => None,
        Algorithm::ServerContext | Algorithm::ClientContext => {
            Some("has no contexts: they are rustls's, and measured as such")
        }
        other => own::lacks(other, op),
    }
}

/// One operation, ready to be done again and again.
trait Step: Send {
    /// Does it once.
    fn once(&mut self) -> Result<(), Refused>;

    /// Does it once from its beginning and returns the output, or [`CHECKED`].
    fn answer(&mut self) -> Result<Vec<u8>, Refused>;
}

/// An operation failed; most providers give no reason.
#[derive(Debug)]
struct Refused;

impl From<Failure> for Refused {
    fn from(_: Failure) -> Self {
        Self
    }
}

/// Says that a random output passed the inverse operation.
const CHECKED: &[u8] = <dyn Operation>::CHECKED;

/// A [`Step`] in its loop; the step's type is known here, so that nothing stands between the loop and the library.
struct Repeat<S> {
    step: S,
    algorithm: Algorithm,
}

fn repeat<S: Step + 'static>(algorithm: Algorithm, step: S) -> Result<Box<dyn Operation>, Refusal> {
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

fn refused(algorithm: Algorithm) -> Refusal {
    Refusal::Failed(format!("{NAME} refused an operation of {algorithm} and does not say why"))
}

/// A failure while an operation is set up.
fn preparing<E: Display>(what: &'static str) -> impl Fn(E) -> Refusal {
    move |error| Refusal::Failed(format!("{NAME}: {what}: {error}"))
}
