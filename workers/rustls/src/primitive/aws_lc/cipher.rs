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
    let iv = Iv { bytes: inputs.iv, short: algorithm.block() == 8 };
    let encrypting = key().and_then(EncryptingKey::cbc).map_err(&refuse)?;
    let mut message = inputs.message.clone();
    if op == Op::Encrypt {
        return in_place(algorithm, message, move |buffer| {
            encrypting.less_safe_encrypt(buffer, iv.for_encryption())?;
            Ok(())
        });
    }
    encrypting
        .less_safe_encrypt(&mut message, iv.for_encryption())
        .map_err(preparing("encrypting the message to be decrypted"))?;
    let decrypting = key().and_then(DecryptingKey::cbc).map_err(&refuse)?;
    in_place(algorithm, message, move |buffer| {
        decrypting.decrypt(buffer, iv.for_decryption())?;
        Ok(())
    })
}

/// The initialisation vector, of 16 bytes or 8.
struct Iv {
    bytes: [u8; 16],
    short: bool,
}

impl Iv {
    fn for_encryption(&self) -> EncryptionContext {
        if self.short {
            return EncryptionContext::Iv64(FixedLength::from(self.front()));
        }
        EncryptionContext::Iv128(FixedLength::from(self.bytes))
    }

    fn for_decryption(&self) -> DecryptionContext {
        if self.short {
            return DecryptionContext::Iv64(FixedLength::from(self.front()));
        }
        DecryptionContext::Iv128(FixedLength::from(self.bytes))
    }

    fn front(&self) -> [u8; 8] {
        std::array::from_fn(|at| self.bytes[at])
    }
}
