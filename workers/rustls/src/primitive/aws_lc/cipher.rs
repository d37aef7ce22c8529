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

use crate::primitive::step::{Refused, Step, preparing, repeat};

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
    let key = UnboundCipherKey::new(block, &inputs.key[..length]).map_err(preparing("setting a key up"))?;
    let iv = Iv { bytes: inputs.iv, short: algorithm.block() == 8 };
    let message = inputs.message.clone();
    if op == Op::Encrypt {
        let key = EncryptingKey::cbc(key).map_err(preparing("setting a key up"))?;
        return repeat(algorithm, Encrypt { key, iv, buffer: message.clone(), message });
    }
    let encrypting = UnboundCipherKey::new(block, &inputs.key[..length])
        .and_then(EncryptingKey::cbc)
        .map_err(preparing("setting a key up"))?;
    let mut encrypted = message.clone();
    encrypting
        .less_safe_encrypt(&mut encrypted, iv.for_encryption())
        .map_err(preparing("encrypting the message to be decrypted"))?;
    let key = DecryptingKey::cbc(key).map_err(preparing("setting a key up"))?;
    repeat(algorithm, Decrypt { key, iv, buffer: encrypted.clone(), encrypted })
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
        let mut front = [0; 8];
        front.copy_from_slice(&self.bytes[..8]);
        front
    }
}

struct Encrypt {
    key: EncryptingKey,
    iv: Iv,
    message: Vec<u8>,
    buffer: Vec<u8>,
}

impl Step for Encrypt {
    fn once(&mut self) -> Result<(), Refused> {
        self.key.less_safe_encrypt(&mut self.buffer, self.iv.for_encryption())?;
        Ok(())
    }

    fn answer(&mut self) -> Result<Vec<u8>, Refused> {
        self.buffer.copy_from_slice(&self.message);
        self.once()?;
        Ok(self.buffer.clone())
    }
}

struct Decrypt {
    key: DecryptingKey,
    iv: Iv,
    encrypted: Vec<u8>,
    buffer: Vec<u8>,
}

impl Step for Decrypt {
    fn once(&mut self) -> Result<(), Refused> {
        self.key.decrypt(&mut self.buffer, self.iv.for_decryption())?;
        Ok(())
    }

    fn answer(&mut self) -> Result<Vec<u8>, Refused> {
        self.buffer.copy_from_slice(&self.encrypted);
        self.once()?;
        Ok(self.buffer.clone())
    }
}
