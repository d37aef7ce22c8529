//! What independent implementations compute from the fixed inputs: made by known_answers.py, see there.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::{Algorithm, Class, Op, Primitive};

/// The answer of an operation whose output is random and was accepted by the library's own inverse.
pub const CHECKED: &[u8] = b"checked by inverse";

/// How many bytes of the end of an output prove it: the tag of an AEAD, the last block of a cipher.
const PROVEN: usize = 16;

/// The message size in bytes at which every algorithm has a known answer: whole blocks of all ciphers.
const WHOLE: u32 = 64;

/// The message size that is no multiple of any block, known for algorithms that take any size.
const ODD: u32 = 61;

/// The fixed inputs and answers of one operation that no formula gives.
#[derive(Debug, Default, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vector {
    /// Our private key: PKCS#8 DER, or the bytes of FIPS 203 to 205.
    #[serde(default)]
    pub private_key: Hex,
    /// The peer's public value, or the ciphertext to decapsulate.
    #[serde(default)]
    pub peer: Hex,
    #[serde(default)]
    pub signature: Hex,
    /// Outputs by message size. Empty for operations whose output is random, or that have none.
    #[serde(default)]
    pub answers: BTreeMap<u32, Hex>,
}

/// The vector of an operation; empty for one that has none.
pub fn vector(algorithm: Algorithm, op: Op) -> Vector {
    VECTORS.get(&name(algorithm, op)).cloned().unwrap_or_default()
}

/// The message sizes in bytes at which an operation is compared with a known answer.
pub fn sizes(algorithm: Algorithm) -> &'static [u32] {
    match (algorithm.class().is_sized(), algorithm.block()) {
        (false, _) => &[0],
        (true, 1) => &[WHOLE, ODD],
        (true, _) => &[WHOLE],
    }
}

/// The whole output of a primitive in the call pattern of TLS; none where it is fixed, but not known for this size.
pub fn output(primitive: &Primitive) -> Option<Vec<u8>> {
    let Primitive { op, algorithm, size, .. } = *primitive;
    match op {
        _ if !is_fixed(algorithm, op) => Some(CHECKED.to_vec()),
        Op::Decrypt => Some(message(algorithm, size)),
        _ => vector(algorithm, op).answers.get(&size).map(|hex| hex.0.clone()),
    }
}

/// The proof of an output: its last 16 bytes in hexadecimal.
pub fn proof(output: &[u8]) -> String {
    hex(&output[output.len().saturating_sub(PROVEN)..])
}

/// The message that an operation with a size works on, rounded up to whole blocks.
pub fn message(algorithm: Algorithm, size: u32) -> Vec<u8> {
    fixed(size.next_multiple_of(algorithm.block()) as usize, 167, 13)
}

/// Bytes that differ from their neighbours, as known_answers.py makes them: `at * step + start`, modulo 256.
pub fn fixed(length: usize, step: usize, start: usize) -> Vec<u8> {
    (0..length).map(|at| (at * step + start) as u8).collect()
}

/// Whether the output is the same for every library; otherwise the answer is [`CHECKED`].
const fn is_fixed(algorithm: Algorithm, op: Op) -> bool {
    match op {
        Op::Keygen | Op::Encapsulate | Op::Verify | Op::Create => false,
        Op::Sign => matches!(algorithm, Algorithm::Ed25519),
        // How many certificates there are, and the serial number of one.
        Op::Load | Op::Parse => true,
        Op::Encrypt | Op::Decrypt | Op::Digest | Op::Mac | Op::Derive | Op::Decapsulate => true,
    }
}

/// How an operation is called in capabilities and in the file of vectors.
pub fn name(algorithm: Algorithm, op: Op) -> String {
    format!("{algorithm}:{op}")
}

/// Every operation of every algorithm.
pub fn operations() -> impl Iterator<Item = (Algorithm, Op)> {
    Algorithm::ALL.iter().flat_map(|&algorithm| algorithm.ops().iter().map(move |&op| (algorithm, op)))
}

#[derive(Debug, Default, Clone, Deserialize)]
#[serde(try_from = "String")]
pub struct Hex(pub Vec<u8>);

impl TryFrom<String> for Hex {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let digit = |at: usize| text.get(at..at + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok());
        let bytes: Option<Vec<u8>> = (0..text.len()).step_by(2).map(digit).collect();
        bytes.map(Self).ok_or_else(|| format!("not hexadecimal: {text}"))
    }
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

static VECTORS: LazyLock<BTreeMap<String, Vector>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("known_answers.json"))
        .expect("the file is generated, and read by a test")
});

/// Whether the message is the one that a server signs, and not a record.
pub fn signs(algorithm: Algorithm) -> bool {
    algorithm.class() == Class::Signature
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::Pattern;

    /// A new algorithm must bring its answers, or its first figure would be unproven.
    #[test]
    fn every_operation_with_a_fixed_output_has_known_answers() {
        for (algorithm, op) in operations() {
            let vector = vector(algorithm, op);
            let known: Vec<u32> = vector.answers.keys().copied().collect();
            let mut wanted = sizes(algorithm).to_vec();
            wanted.sort_unstable();
            if is_fixed(algorithm, op) && op != Op::Decrypt {
                assert_eq!(known, wanted, "{algorithm}:{op}");
            } else {
                assert!(known.is_empty(), "{algorithm}:{op}");
            }
            assert_eq!(op == Op::Verify, !vector.signature.0.is_empty(), "{algorithm}:{op}");
        }
    }

    #[test]
    fn no_vector_is_of_an_operation_that_does_not_exist() {
        let known: Vec<String> = operations().map(|(algorithm, op)| name(algorithm, op)).collect();
        for vector in VECTORS.keys() {
            assert!(known.contains(vector), "{vector}");
        }
    }

    #[test]
    fn outputs_are_those_of_the_size() {
        let of = |algorithm, op, size| output(&Primitive { op, algorithm, size, pattern: Pattern::Tls });
        let opened = of(Algorithm::Aes128Cbc, Op::Decrypt, 1350).unwrap();
        assert_eq!(opened, fixed(1360, 167, 13));
        assert_eq!(proof(&opened), hex(&opened[1344..]));
        assert_eq!(of(Algorithm::Rsa2048, Op::Verify, 0).unwrap(), CHECKED);
        assert_eq!(of(Algorithm::Sha256, Op::Digest, 61).unwrap().len(), 32);
        assert_eq!(of(Algorithm::Sha256, Op::Digest, 62), None);
    }

    #[test]
    fn hexadecimal_is_read_and_written() {
        assert_eq!(Hex::try_from("00ff7f".to_owned()).map(|hex| hex.0), Ok(vec![0, 255, 127]));
        assert_eq!(hex(&[0, 255, 127]), "00ff7f");
        assert!(Hex::try_from("0".to_owned()).is_err());
        assert!(Hex::try_from("zz".to_owned()).is_err());
    }
}
