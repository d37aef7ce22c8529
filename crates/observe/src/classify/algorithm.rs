//! Which algorithm a stack is busy with.

use tlstax_doc::{Algorithm, Cost};

use super::meaning::Hint;
use crate::frame::Instructions;

/// What outer frames say and what the next inner one adds: the outermost that names an algorithm is right, since SHA-512 within
/// Ed25519 is Ed25519's; but a general word is made precise by an inner one: RSA by its size, HMAC by its hash.
pub fn refine(outer: Option<Hint>, inner: Hint) -> Hint {
    match outer {
        None => inner,
        Some(outer) if is_refined_by(outer, inner) => inner,
        Some(outer) => outer,
    }
}

fn is_refined_by(outer: Hint, inner: Hint) -> bool {
    use Algorithm as A;
    match (outer, inner) {
        (Hint::Curve, Hint::Is(inner)) => {
            matches!(inner, A::P256 | A::P384 | A::P521 | A::Ed25519 | A::Ed448 | A::X25519 | A::X448)
        }
        (Hint::Is(A::Rsa), Hint::Is(inner)) => matches!(inner, A::Rsa2048 | A::Rsa3072 | A::Rsa4096),
        (Hint::Is(A::Aes), Hint::Is(inner)) => matches!(inner, A::AesGcm | A::AesCcm | A::AesCbc),
        (Hint::Is(A::Hkdf), Hint::Is(inner)) => inner == A::Hmac || is_hash(inner),
        (Hint::Is(A::Hmac), Hint::Is(inner)) => is_hash(inner),
        _ => false,
    }
}

const fn is_hash(algorithm: Algorithm) -> bool {
    use Algorithm as A;
    matches!(algorithm, A::Md5 | A::Sha1 | A::Sha256 | A::Sha512 | A::Sha3)
}

pub const fn is_made_of_hashes(algorithm: Algorithm) -> bool {
    is_hash(algorithm) || matches!(algorithm, Algorithm::Hmac | Algorithm::Hkdf)
}

/// Whether instructions can say more than names have said.
pub const fn is_general(hint: Option<Hint>) -> bool {
    use Algorithm as A;
    matches!(hint, None | Some(Hint::Curve | Hint::Is(A::Aes | A::Hmac | A::Hkdf)))
}

pub const fn named(hint: Option<Hint>) -> Option<Algorithm> {
    match hint {
        Some(Hint::Is(algorithm)) => Some(algorithm),
        _ => None,
    }
}

/// What the instructions of the innermost function say, in the light of what it is for.
pub fn of_instructions(cost: Cost, hint: Option<Hint>, found: Instructions) -> Option<Algorithm> {
    match cost {
        Cost::Signature | Cost::Verification => signature(found).or_else(|| hash(found)),
        Cost::KeyExchange => key_exchange(hint, found).or_else(|| hash(found)),
        _ => cipher(found).or_else(|| hash(found)),
    }
}

fn cipher(found: Instructions) -> Option<Algorithm> {
    let has_hash = hash(found).is_some();
    if found.contains(Instructions::CLMUL) {
        Some(Algorithm::AesGcm)
    } else if found.contains(Instructions::AES) {
        // Only CBC has been written together with its MAC.
        Some(if has_hash { Algorithm::AesCbc } else { Algorithm::Aes })
    } else if found.contains(Instructions::CHACHA) || (found.contains(Instructions::BIGNUM) && !has_hash) {
        // Poly1305 is arithmetic of large numbers, and the only one in protecting records.
        Some(Algorithm::Chacha20Poly1305)
    } else {
        None
    }
}

/// RSA and ECDSA are both arithmetic of large numbers: instructions do not tell them apart, names do.
fn signature(found: Instructions) -> Option<Algorithm> {
    let is_ml_dsa = found.contains(Instructions::ML_DSA) || found.contains(Instructions::KECCAK);
    is_ml_dsa.then_some(Algorithm::MlDsa)
}

/// Where elliptic curves of the NIST and finite fields have functions with names, what has none is X25519.
fn key_exchange(hint: Option<Hint>, found: Instructions) -> Option<Algorithm> {
    if found.contains(Instructions::ML_KEM) || found.contains(Instructions::KECCAK) {
        return Some(Algorithm::MlKem);
    }
    (hint.is_none() && found.contains(Instructions::BIGNUM)).then_some(Algorithm::X25519)
}

fn hash(found: Instructions) -> Option<Algorithm> {
    let hashes = [
        (Instructions::SHA1, Algorithm::Sha1),
        (Instructions::SHA256, Algorithm::Sha256),
        (Instructions::SHA512, Algorithm::Sha512),
        (Instructions::KECCAK, Algorithm::Sha3),
    ];
    hashes.into_iter().find(|(group, _)| found.contains(*group)).map(|(_, algorithm)| algorithm)
}

/// What an algorithm is for where no operation says it. Arithmetic on the curves of the NIST is for either of two things.
pub const fn usual_cost(hint: Hint) -> Cost {
    use Algorithm as A;
    let Hint::Is(algorithm) = hint else { return Cost::OtherTls };
    match algorithm {
        A::AesGcm
        | A::AesCcm
        | A::Chacha20Poly1305
        | A::AesCbc
        | A::Aes
        | A::Camellia
        | A::TripleDes
        | A::Rc4 => Cost::RecordCipher,
        A::Rsa | A::Rsa2048 | A::Rsa3072 | A::Rsa4096 => Cost::Signature,
        A::Ed25519 | A::Ed448 | A::MlDsa | A::SlhDsa => Cost::Signature,
        A::X25519 | A::X448 | A::Ffdhe | A::MlKem => Cost::KeyExchange,
        A::Md5 | A::Sha1 | A::Sha256 | A::Sha512 | A::Sha3 | A::Hmac | A::Hkdf => Cost::KeySchedule,
        A::P256 | A::P384 | A::P521 => Cost::OtherTls,
        A::Zlib | A::Brotli | A::Zstd => Cost::Compression,
    }
}

/// What instructions are for where nothing else says it.
pub fn usual_cost_of(found: Instructions) -> Cost {
    if cipher(found)
        .is_some_and(|one| one != Algorithm::Chacha20Poly1305 || found.contains(Instructions::CHACHA))
    {
        Cost::RecordCipher
    } else if found.contains(Instructions::ML_KEM) {
        Cost::KeyExchange
    } else if found.contains(Instructions::ML_DSA) {
        Cost::Signature
    } else if hash(found).is_some() {
        Cost::KeySchedule
    } else {
        Cost::OtherTls
    }
}
