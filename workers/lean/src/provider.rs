//! What rustls is given instead of cryptography: key exchanges with the private key 1, a verifier that looks only at the
//! bytes of the certificate, numbers that are not random. Ciphers and hashes are real, because the server checks them.

mod groups;
mod mlkem;
mod random;
mod sessions;
mod suites;
mod verifier;

pub(crate) use groups::{group, named};
pub(crate) use random::NotRandom;
pub(crate) use sessions::Sessions;
pub(crate) use suites::{suite, suites};
pub(crate) use verifier::{Glance, key_of};
