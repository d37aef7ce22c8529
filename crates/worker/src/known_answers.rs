//! What independent implementations compute from the fixed inputs: made by known_answers.py, see there.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;
use tlstax_spec::{Algorithm, Class, Op};

/// The message size at which every algorithm has a known answer: whole blocks of all ciphers.
pub(crate) const WHOLE: u32 = 64;

/// The message size that is no multiple of any block, known for algorithms that take any size.
pub(crate) const ODD: u32 = 61;

/// The fixed inputs and answers of one operation that no formula gives.
#[derive(Debug, Default, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Vector {
    #[serde(default)]
    pub(crate) private_key: Hex,
    #[serde(default)]
    pub(crate) peer: Hex,
    #[serde(default)]
    pub(crate) signature: Hex,
    /// By message size. Empty for operations whose output is random, or that have none.
    #[serde(default)]
    pub(crate) answers: BTreeMap<u32, Hex>,
}

/// The vector of an operation; empty for one that has none.
pub(crate) fn vector(algorithm: Algorithm, op: Op) -> Vector {
    VECTORS.get(&name(algorithm, op)).cloned().unwrap_or_default()
}

/// The message sizes at which an operation is held against a known answer.
pub(crate) fn sizes(algorithm: Algorithm) -> &'static [u32] {
    match (algorithm.class().is_sized(), algorithm.block()) {
        (false, _) => &[0],
        (true, 1) => &[WHOLE, ODD],
        (true, _) => &[WHOLE],
    }
}

/// Whether the output is the same for every library; otherwise the answer is `Operation::CHECKED`.
pub(crate) fn is_fixed(algorithm: Algorithm, op: Op) -> bool {
    match op {
        Op::Keygen | Op::Encapsulate | Op::Verify | Op::Create => false,
        Op::Sign => algorithm == Algorithm::Ed25519,
        // How many certificates there are, and the serial number of one.
        Op::Load | Op::Parse => true,
        Op::Encrypt | Op::Decrypt | Op::Digest | Op::Mac | Op::Derive | Op::Decapsulate => true,
    }
}

/// How an operation is called in capabilities and in the file of vectors.
pub(crate) fn name(algorithm: Algorithm, op: Op) -> String {
    format!("{algorithm}:{op}")
}

/// Bytes that are written in hexadecimal.
#[derive(Debug, Default, Clone, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Hex(pub(crate) Vec<u8>);

impl TryFrom<String> for Hex {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let digit = |at: usize| text.get(at..at + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok());
        let bytes: Option<Vec<u8>> = (0..text.len()).step_by(2).map(digit).collect();
        bytes.map(Self).ok_or_else(|| format!("not hexadecimal: {text}"))
    }
}

/// Bytes in hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

static VECTORS: LazyLock<BTreeMap<String, Vector>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("known_answers.json"))
        .expect("the file is generated, and read by a test")
});

/// Whether the message is what a server signs, and not a record.
pub(crate) fn signs(algorithm: Algorithm) -> bool {
    algorithm.class() == Class::Signature
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A new algorithm must bring its answers, or its first figure would be unproven.
    #[test]
    fn every_operation_with_a_fixed_output_has_known_answers() {
        for &algorithm in Algorithm::ALL {
            for &op in algorithm.ops() {
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
    }

    #[test]
    fn no_vector_is_of_an_operation_that_does_not_exist() {
        let known: Vec<String> = Algorithm::ALL
            .iter()
            .flat_map(|&algorithm| algorithm.ops().iter().map(move |&op| name(algorithm, op)))
            .collect();
        for vector in VECTORS.keys() {
            assert!(known.contains(vector), "{vector}");
        }
    }

    #[test]
    fn hexadecimal_is_read_and_written() {
        assert_eq!(Hex::try_from("00ff7f".to_owned()).map(|hex| hex.0), Ok(vec![0, 255, 127]));
        assert_eq!(hex(&[0, 255, 127]), "00ff7f");
        assert!(Hex::try_from("0".to_owned()).is_err());
        assert!(Hex::try_from("zz".to_owned()).is_err());
    }
}
