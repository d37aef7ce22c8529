//! Primitives: the operations of the provider's own crate, called as rustls calls them.
//!
//! What is here is the same for all providers. `ring_api` is what ring and aws-lc-rs have in common, since the latter
//! has taken over the interface of the former; `ring`, `aws_lc` and `graviola` are what is particular to each.

mod aead;
#[cfg(feature = "aws-lc")]
mod aws_lc;
#[cfg(feature = "graviola")]
mod graviola;
mod own;
#[cfg(feature = "ring")]
mod ring;
#[cfg(any(feature = "aws-lc", feature = "ring"))]
mod ring_api;
mod setup;
mod signature;
mod step;
#[cfg(test)]
mod tests;

use tlstax_spec::known_answers::{name, operations};
use tlstax_spec::{Algorithm, Class, Op, Pattern, Primitive};
use tlstax_worker::{Inputs, Operation, Refusal};

use crate::provider::NAME;

/// What the provider has, as `algorithm:operation`.
pub(crate) fn claimed() -> Vec<String> {
    let claimed = operations().filter(|(algorithm, op)| lacks(*algorithm, *op).is_none());
    claimed.map(|(algorithm, op)| name(algorithm, op)).collect()
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
