//! Block ciphers in CBC mode, without a MAC and without padding.
//!
//! In place: aws-lc-rs has no other way. The output of one call is the input of the next, which costs the same as any
//! other input; the IV stays the same.
#![allow(
    deprecated,
    reason = "aws-lc-rs marks triple DES so, and what an old cipher costs is a fair question"
)]

use aws_lc_rs::cipher::{
    self, DecryptingKey, DecryptionContext, EncryptingKey, EncryptionContext, UnboundCipherKey,
};
use aws_lc_rs::iv::FixedLength;
use tlstax_spec::{Algorithm, Op};
use tlstax_worker::{Inputs, Operation, Refusal};

use crate::primitive::step::{in_place, preparing};

pub(super) fn operation(
    algorithm: Algorithm,
    op: Op,
    inputs: &Inputs,
) -> Result<Box<dyn Operation>, Refusal> {
    let (block, length) = match algorithm {
        Algorithm::Aes128Cbc => (&cipher::AES_128, 16),
        Algorithm::Aes256Cbc => (&cipher::AES_256, 32),
        _ => (&cipher::DES_EDE3_FOR_LEGACY_USE_ONLY, 24),
    };
    let refuse = preparing("setting a key up");
    let key = || UnboundCipherKey::new(block, &inputs.key[..length]);
    // The initialisation vector has 16 bytes or 8.
    let (long, short, is_short) =
        (inputs.iv, std::array::from_fn(|at| inputs.iv[at]), algorithm.block() == 8);
    let for_encryption = move || match is_short {
        true => EncryptionContext::Iv64(FixedLength::from(short)),
        false => EncryptionContext::Iv128(FixedLength::from(long)),
    };
    let for_decryption = move || match is_short {
        true => DecryptionContext::Iv64(FixedLength::from(short)),
        false => DecryptionContext::Iv128(FixedLength::from(long)),
    };
    let encrypting = key().and_then(EncryptingKey::cbc).map_err(&refuse)?;
    let mut message = inputs.message.clone();
    if op == Op::Encrypt {
        return in_place(algorithm, message, move |buffer| {
            encrypting.less_safe_encrypt(buffer, for_encryption())?;
            Ok(())
        });
    }
    encrypting
        .less_safe_encrypt(&mut message, for_encryption())
        .map_err(preparing("encrypting the message to be decrypted"))?;
    let decrypting = key().and_then(DecryptingKey::cbc).map_err(&refuse)?;
    in_place(algorithm, message, move |buffer| {
        decrypting.decrypt(buffer, for_decryption())?;
        Ok(())
    })
}
