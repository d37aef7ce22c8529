#![allow(clippy::unwrap_used)]

use super::*;
use tlstax_worker::Pki;

const PKI: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../pki");

fn made(algorithm: Algorithm, op: Op, size: u32) -> (Inputs, Result<Box<dyn Operation>, Refusal>) {
    let primitive = Primitive { op, algorithm, size, pattern: Pattern::Tls };
    let inputs = Inputs::new(&primitive, &Pki::new(PKI)).unwrap();
    let operation = operation(&primitive, &inputs);
    (inputs, operation)
}

#[test]
fn what_is_claimed_works_and_what_is_not_says_why() {
    let claimed = claimed();
    for (algorithm, op) in operations() {
        let size = if algorithm.class().is_sized() { 64 } else { 0 };
        match made(algorithm, op, size).1 {
            Ok(mut operation) => {
                assert!(claimed.contains(&name(algorithm, op)));
                operation.run(3).unwrap_or_else(|error| panic!("{algorithm} {op}: {error}"));
            }
            Err(Refusal::Unsupported(reason)) => {
                assert!(!claimed.contains(&name(algorithm, op)), "{algorithm} {op}");
                assert!(reason.starts_with(NAME), "{reason}");
            }
            Err(error) => panic!("{algorithm} {op}: {error}"),
        }
    }
}

#[test]
fn answers_do_not_depend_on_what_was_done_before() {
    for (algorithm, op) in operations() {
        let size = if algorithm.class().is_sized() { 64 } else { 0 };
        let Ok(mut operation) = made(algorithm, op, size).1 else { continue };
        let first = operation.answer().unwrap();
        operation.run(2).unwrap();
        assert_eq!(operation.answer().unwrap(), first, "{algorithm} {op}");
    }
}

#[test]
fn decryption_gives_the_message_back() {
    for algorithm in Algorithm::ALL {
        for size in [16, 48, 16384] {
            let (inputs, Ok(mut operation)) = made(*algorithm, Op::Decrypt, size) else {
                continue;
            };
            assert_eq!(operation.answer().unwrap(), inputs.message, "{algorithm}, {size} bytes");
        }
    }
}

#[test]
fn a_wrong_record_is_not_opened() {
    let (inputs, _) = made(Algorithm::Aes128Gcm, Op::Decrypt, 64);
    let opener = own::Opener::new(Algorithm::Aes128Gcm, &inputs.key[..16]).unwrap();
    assert!(opener.open([0; 12], inputs.additional_data, &[0; 80], &mut [0; 80]).is_err());
}

#[test]
fn a_wrong_signature_is_refused() {
    let primitive =
        Primitive { op: Op::Verify, algorithm: Algorithm::EcdsaP256, size: 0, pattern: Pattern::Tls };
    let mut inputs = Inputs::new(&primitive, &Pki::new(PKI)).unwrap();
    inputs.message[0] ^= 1;
    let mut operation = operation(&primitive, &inputs).unwrap();
    assert!(matches!(operation.run(1), Err(Refusal::Failed(_))));
}

#[test]
fn the_pattern_of_speed_is_not_there() {
    let (inputs, _) = made(Algorithm::Sha256, Op::Digest, 64);
    let primitive =
        Primitive { op: Op::Digest, algorithm: Algorithm::Sha256, size: 64, pattern: Pattern::Speed };
    let refusal = operation(&primitive, &inputs).err();
    assert!(matches!(refusal, Some(Refusal::Unsupported(_))));
}
