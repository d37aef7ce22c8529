//! What is particular to the provider of this build, under one name each.

#[cfg(feature = "aws-lc")]
pub(super) use super::aws_lc::{Opener, Sealer, SigningKey, Verifier, lacks, operation};
#[cfg(feature = "graviola")]
pub(super) use super::graviola::{Opener, Sealer, SigningKey, Verifier, lacks, operation};
#[cfg(feature = "ring")]
pub(super) use super::ring::{Opener, Sealer, SigningKey, Verifier, lacks, operation};
