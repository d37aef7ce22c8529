//! Authenticated encryption of records.
//!
//! Sealing is in place, as rustls does it: the output of one call is the input of the next, which costs the same as any
//! other input. Opening needs a valid record every time; it opens record 0 again and again, see [`own::Opener`].

use tlstax_spec::{Algorithm, Op};
use tlstax_worker::{Inputs, Operation, Refusal};

use super::{Step, own, repeat, setup};
use crate::provider::library::aead::{self, Nonce};
use crate::provider::library::error::Unspecified;

pub(super) fn operation(
    algorithm: Algorithm,
    op: Op,
    inputs: &Inputs,
) -> Result<Box<dyn Operation>, Refusal> {
    let record = Record::new(algorithm, inputs);
    let mut seal = Seal::new(record).map_err(setup("setting a key up"))?;
    if op == Op::Encrypt {
        return repeat(algorithm, seal);
    }
    let sealed = seal.answer().map_err(setup("sealing the record to be opened"))?;
    let opener = own::Opener::new(seal.record.cipher, &seal.record.key).map_err(setup("setting a key up"))?;
    let opened = vec![0; sealed.len()];
    repeat(algorithm, Open { opener, record: seal.record, sealed, opened })
}

/// The key, the nonce and what is protected.
struct Record {
    cipher: &'static aead::Algorithm,
    key: Vec<u8>,
    iv: [u8; 12],
    additional_data: [u8; 13],
    message: Vec<u8>,
}

impl Record {
    fn new(algorithm: Algorithm, inputs: &Inputs) -> Self {
        let cipher = match algorithm {
            Algorithm::Aes128Gcm => &aead::AES_128_GCM,
            Algorithm::Aes256Gcm => &aead::AES_256_GCM,
            _ => &aead::CHACHA20_POLY1305,
        };
        let mut iv = [0; 12];
        iv.copy_from_slice(&inputs.iv[..12]);
        Self {
            cipher,
            key: inputs.key[..cipher.key_len()].to_vec(),
            iv,
            additional_data: inputs.additional_data,
            message: inputs.message.clone(),
        }
    }

    /// RFC 8446 5.3: the record number, big-endian, xor-ed into the end of the IV.
    fn nonce(&self, number: u64) -> Nonce {
        let mut nonce = self.iv;
        for (byte, number) in nonce[4..].iter_mut().zip(number.to_be_bytes()) {
            *byte ^= number;
        }
        Nonce::assume_unique_for_key(nonce)
    }
}

struct Seal {
    sealer: own::Sealer,
    record: Record,
    number: u64,
    buffer: Vec<u8>,
}

impl Seal {
    fn new(record: Record) -> Result<Self, Unspecified> {
        let sealer = own::Sealer::new(record.cipher, &record.key)?;
        let mut buffer = Vec::with_capacity(record.message.len() + record.cipher.tag_len());
        buffer.extend_from_slice(&record.message);
        Ok(Self { sealer, record, number: 0, buffer })
    }
}

impl Step for Seal {
    fn once(&mut self) -> Result<(), Unspecified> {
        let nonce = self.record.nonce(self.number);
        self.number += 1;
        self.buffer.truncate(self.record.message.len());
        self.sealer.seal(nonce, self.record.additional_data, &mut self.buffer)
    }

    fn answer(&mut self) -> Result<Vec<u8>, Unspecified> {
        // A new key, because one for TLS takes no record number twice.
        self.sealer = own::Sealer::new(self.record.cipher, &self.record.key)?;
        self.number = 0;
        self.buffer.clear();
        self.buffer.extend_from_slice(&self.record.message);
        self.once()?;
        Ok(self.buffer.clone())
    }
}

struct Open {
    opener: own::Opener,
    record: Record,
    sealed: Vec<u8>,
    opened: Vec<u8>,
}

impl Step for Open {
    fn once(&mut self) -> Result<(), Unspecified> {
        self.opener.open(self.record.nonce(0), self.record.additional_data, &self.sealed, &mut self.opened)
    }

    fn answer(&mut self) -> Result<Vec<u8>, Unspecified> {
        self.once()?;
        Ok(self.opened[..self.record.message.len()].to_vec())
    }
}
