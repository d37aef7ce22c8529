//! Authenticated encryption of records.
//!
//! Sealing is in place, as rustls does it: the output of one call is the input of the next, which costs the same as any
//! other input. Opening needs a valid record every time; it opens record 0 again and again, see `own::Opener`.

use tlstax_spec::{Algorithm, Op};
use tlstax_worker::{Inputs, Operation, Refusal};

use super::own;
use super::step::{Refused, Step, preparing, refused, repeat};

/// The length of the tag, which is the same for all of them.
const TAG: usize = 16;

pub(super) fn operation(
    algorithm: Algorithm,
    op: Op,
    inputs: &Inputs,
) -> Result<Box<dyn Operation>, Refusal> {
    let record = Record { algorithm, inputs: inputs.clone() };
    let mut seal = Seal::new(record).map_err(preparing("setting a key up"))?;
    if op == Op::Encrypt {
        return repeat(algorithm, seal);
    }
    let sealed = seal.answer().map_err(|_| refused(algorithm))?;
    let opener = own::Opener::new(algorithm, seal.record.key()).map_err(preparing("setting a key up"))?;
    let opened = vec![0; sealed.len()];
    repeat(algorithm, Open { opener, record: seal.record, sealed, opened })
}

/// What is protected, and with what.
struct Record {
    algorithm: Algorithm,
    inputs: Inputs,
}

impl Record {
    fn key(&self) -> &[u8] {
        &self.inputs.key[..if self.algorithm == Algorithm::Aes128Gcm { 16 } else { 32 }]
    }

    /// RFC 8446 5.3: the record number, big-endian, xor-ed into the end of the IV.
    fn nonce(&self, number: u64) -> [u8; 12] {
        let mut nonce = [0; 12];
        nonce.copy_from_slice(&self.inputs.iv[..12]);
        for (byte, number) in nonce[4..].iter_mut().zip(number.to_be_bytes()) {
            *byte ^= number;
        }
        nonce
    }
}

struct Seal {
    sealer: own::Sealer,
    record: Record,
    number: u64,
    buffer: Vec<u8>,
}

impl Seal {
    fn new(record: Record) -> Result<Self, crate::provider::Failure> {
        let sealer = own::Sealer::new(record.algorithm, record.key())?;
        let mut buffer = Vec::with_capacity(record.inputs.message.len() + TAG);
        buffer.extend_from_slice(&record.inputs.message);
        Ok(Self { sealer, record, number: 0, buffer })
    }
}

impl Step for Seal {
    fn once(&mut self) -> Result<(), Refused> {
        let nonce = self.record.nonce(self.number);
        self.number += 1;
        self.buffer.truncate(self.record.inputs.message.len());
        self.sealer.seal(nonce, self.record.inputs.additional_data, &mut self.buffer)?;
        Ok(())
    }

    fn answer(&mut self) -> Result<Vec<u8>, Refused> {
        // A new key, because one for TLS takes no record number twice.
        self.sealer = own::Sealer::new(self.record.algorithm, self.record.key())?;
        self.number = 0;
        self.buffer.clear();
        self.buffer.extend_from_slice(&self.record.inputs.message);
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
    fn once(&mut self) -> Result<(), Refused> {
        let (nonce, additional_data) = (self.record.nonce(0), self.record.inputs.additional_data);
        self.opener.open(nonce, additional_data, &self.sealed, &mut self.opened)?;
        Ok(())
    }

    fn answer(&mut self) -> Result<Vec<u8>, Refused> {
        self.once()?;
        Ok(self.opened[..self.record.inputs.message.len()].to_vec())
    }
}
