//! Ciphers alone: what encrypting costs without records, copies and a kernel.

use tlstax_doc::Metric;
use tlstax_doc::model::Bounds;
use tlstax_spec::{Algorithm, Class, Op, Pattern, Primitive, Suite, Workload};

use super::size::{Sized, at_size};
use super::stream::{Basis, Stream, expansion};
use crate::figures::{Figures, Found, times};

/// A cipher of one library, with what it costs at the sizes that were measured.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Cipher<'a> {
    pub library: &'a str,
    pub algorithm: Algorithm,
    encrypt: Costs,
    decrypt: Costs,
}

/// Costs at sizes, or why there are none.
type Costs = Result<Vec<(u32, Bounds)>, String>;

impl Cipher<'_> {
    /// What a message of so many bytes costs.
    ///
    /// # Errors
    /// It was not measured, nor can it be interpolated.
    pub fn cost(&self, op: Op, bytes: u32) -> Result<Sized, String> {
        let costs = if op == Op::Encrypt { &self.encrypt } else { &self.decrypt };
        at_size(costs.as_ref().map_err(String::clone)?, bytes)
    }
}

/// Every cipher that was measured in one thread, as TLS calls it.
pub(crate) fn measured<'a>(figures: &Figures<'a>) -> Vec<Cipher<'a>> {
    let is_it = |found: &Found<'_, Primitive>| {
        let Primitive { algorithm, pattern, .. } = *found.work;
        found.case.threads == 1 && pattern == Pattern::Tls && suite_of(algorithm).is_some()
    };
    let all: Vec<Found<'a, Primitive>> = figures.all(primitive).filter(is_it).collect();
    let mut kinds: Vec<(&str, Algorithm)> = Vec::new();
    for found in &all {
        let kind = (found.library(), found.work.algorithm);
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    let of = |(library, algorithm): &(&'a str, Algorithm)| {
        let costs = |op| costs(figures, &all, (library, *algorithm, op));
        let (encrypt, decrypt) = (costs(Op::Encrypt), costs(Op::Decrypt));
        Cipher { library, algorithm: *algorithm, encrypt, decrypt }
    };
    kinds.iter().map(of).collect()
}

const fn primitive(workload: &Workload) -> Option<&Primitive> {
    if let Workload::Primitive(primitive) = workload { Some(primitive) } else { None }
}

fn costs(figures: &Figures<'_>, all: &[Found<'_, Primitive>], kind: (&str, Algorithm, Op)) -> Costs {
    let own = all.iter().filter(|found| (found.library(), found.work.algorithm, found.work.op) == kind);
    let (mut points, mut hole) = (Vec::new(), None);
    for found in own {
        match figures.cost(found, Metric::Cpu) {
            Ok(cost) => points.push((found.work.size, cost)),
            Err(why) => hole = Some(why),
        }
    }
    match points.is_empty() {
        false => Ok(points),
        true => Err(hole.unwrap_or_else(|| format!("{} of {} was not measured", kind.2, kind.1))),
    }
}

/// A stream for each cipher that protects records of a suite.
pub(super) fn ciphers(figures: &Figures<'_>, record: u32) -> Vec<Stream> {
    measured(figures).iter().filter_map(|cipher| stream(cipher, record)).collect()
}

fn stream(cipher: &Cipher<'_>, record: u32) -> Option<Stream> {
    let suite = suite_of(cipher.algorithm)?;
    let (sends, receives) = (cipher.cost(Op::Encrypt, record), cipher.cost(Op::Decrypt, record));
    let is_interpolated = [&sends, &receives].into_iter().flatten().any(|one| one.is_interpolated);
    let each = |side: Result<Sized, String>| side.map(|one| times(one.ns, f64::from(record).recip()));
    Some(Stream {
        library: cipher.library.to_owned(),
        what: cipher.algorithm.to_string(),
        basis: Basis::Cipher,
        sends: each(sends),
        receives: each(receives),
        expansion: expansion(suite, record),
        is_interpolated,
    })
}

/// A suite whose records a cipher protects, with the MAC that it has beside it or, where it has none, with SHA-1.
const fn suite_of(algorithm: Algorithm) -> Option<Suite> {
    if !matches!(algorithm.class(), Class::Aead | Class::Cipher) {
        return None;
    }
    Some(match algorithm {
        Algorithm::Aes128Gcm => Suite::Aes128Gcm,
        Algorithm::Aes256Gcm => Suite::Aes256Gcm,
        Algorithm::Aes128Ccm => Suite::Aes128Ccm,
        Algorithm::ChaCha20Poly1305 => Suite::ChaCha20Poly1305,
        Algorithm::Aes128CbcHmacSha256 => Suite::RsaAes128CbcSha256,
        Algorithm::Aes256CbcHmacSha256 => Suite::RsaAes256CbcSha256,
        Algorithm::Aes256Cbc | Algorithm::Aes256CbcHmacSha1 => Suite::RsaAes256CbcSha,
        Algorithm::TripleDesCbc => Suite::RsaTripleDesCbcSha,
        Algorithm::Rc4 => Suite::RsaRc4128Sha,
        _ => Suite::RsaAes128CbcSha,
    })
}
