//! The record layer after the handshake: RFC 8446 5.2 and RFC 5288, RFC 7905 for TLS 1.2.

use std::ops::Range;

use ring::aead::{AES_128_GCM, AES_256_GCM, Aad, CHACHA20_POLY1305, LessSafeKey, Nonce, UnboundKey};
use rustls::ConnectionTrafficSecrets;
use tlstax_spec::Version;

use super::header::{Content, HEADER, Header, content};

const TAG: usize = 16;
const NONCE: usize = 12;

/// The part of a nonce that TLS 1.2 sends along with AES-GCM: RFC 5288, 3.
const EXPLICIT: usize = 8;

/// How a record is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// TLS 1.3: the type is inside, encrypted.
    Tls13,
    /// TLS 1.2 with AES-GCM: half of the nonce is in the record.
    Tls12Explicit,
    /// TLS 1.2 with ChaCha20-Poly1305.
    Tls12Implicit,
}

impl Form {
    /// What a record's length is more than its plaintext's, without padding.
    pub(crate) const fn overhead(self) -> usize {
        match self {
            Self::Tls13 => TAG + 1,
            Self::Tls12Explicit => EXPLICIT + TAG,
            Self::Tls12Implicit => TAG,
        }
    }
}

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum RecordError {
    /// It was damaged, or the count of records before it is wrong.
    #[error("a record cannot be decrypted")]
    Decrypt,
    /// It is too short, or nothing is in it but padding.
    #[error("a record without content")]
    Empty,
    /// The key is of no use.
    #[error("a traffic secret that ring does not take")]
    Secret,
}

pub(crate) struct Direction {
    key: LessSafeKey,
    iv: [u8; NONCE],
    form: Form,
    sequence: u64,
}

impl Direction {
    /// Goes on after so many records.
    pub(crate) fn new(
        version: Version,
        (sequence, secrets): &(u64, ConnectionTrafficSecrets),
    ) -> Result<Self, RecordError> {
        let (algorithm, key, iv, is_explicit) = match secrets {
            ConnectionTrafficSecrets::Aes128Gcm { key, iv } => (&AES_128_GCM, key, iv, true),
            ConnectionTrafficSecrets::Aes256Gcm { key, iv } => (&AES_256_GCM, key, iv, true),
            ConnectionTrafficSecrets::Chacha20Poly1305 { key, iv } => (&CHACHA20_POLY1305, key, iv, false),
            _ => return Err(RecordError::Secret),
        };
        // rustls keeps keys in a buffer of the longest length.
        let key = key.as_ref().get(..algorithm.key_len()).ok_or(RecordError::Secret)?;
        let key = UnboundKey::new(algorithm, key).map_err(|_| RecordError::Secret)?;
        let form = match (version, is_explicit) {
            (Version::Tls13, _) => Form::Tls13,
            (_, true) => Form::Tls12Explicit,
            (_, false) => Form::Tls12Implicit,
        };
        let iv = iv.as_ref().try_into().map_err(|_| RecordError::Secret)?;
        Ok(Self { key: LessSafeKey::new(key), iv, form, sequence: *sequence })
    }

    /// The vector and the number of the record, RFC 8446 5.3; in TLS 1.2 it is enough that no nonce comes twice.
    fn nonce(&self) -> [u8; NONCE] {
        let mut nonce = self.iv;
        for (byte, count) in nonce[NONCE - 8..].iter_mut().zip(self.sequence.to_be_bytes()) {
            *byte ^= count;
        }
        nonce
    }

    /// What is authenticated beside the content: RFC 5246, 6.2.3.3.
    fn additional12(&self, content: Content, plaintext: usize) -> [u8; 13] {
        let mut data = [0; 13];
        data[..8].copy_from_slice(&self.sequence.to_be_bytes());
        data[8..].copy_from_slice(&Header { content, length: plaintext }.bytes());
        data
    }
}

/// A record that was decrypted in place.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Opened {
    /// What is in it; none is a type that does not exist.
    pub(crate) content: Option<Content>,
    /// Where the plaintext is, from the beginning of the record.
    pub(crate) plaintext: Range<usize>,
}

pub(crate) struct Opener(pub(super) Direction);

impl Opener {
    pub(crate) fn form(&self) -> Form {
        self.0.form
    }

    /// Passes over a record that nobody reads.
    pub(crate) fn pass(&mut self) {
        self.0.sequence += 1;
    }

    /// Decrypts a whole record, header included.
    pub(crate) fn open(&mut self, header: Header, record: &mut [u8]) -> Result<Opened, RecordError> {
        let Direction { key, iv, form, .. } = &self.0;
        let length = header.length.checked_sub(form.overhead()).ok_or(RecordError::Empty)?;
        let mut nonce = self.0.nonce();
        let start = match form {
            Form::Tls12Explicit => {
                nonce[..4].copy_from_slice(&iv[..4]);
                nonce[4..].copy_from_slice(&record[HEADER..HEADER + EXPLICIT]);
                HEADER + EXPLICIT
            }
            _ => HEADER,
        };
        let nonce = Nonce::assume_unique_for_key(nonce);
        let opened = if *form == Form::Tls13 {
            key.open_in_place(nonce, Aad::from(header.bytes()), &mut record[start..])
        } else {
            let data = self.0.additional12(header.content, length);
            key.open_in_place(nonce, Aad::from(data), &mut record[start..])
        };
        let plaintext = opened.map_err(|_| RecordError::Decrypt)?;
        self.0.sequence += 1;
        if self.0.form != Form::Tls13 {
            return Ok(Opened { content: Some(header.content), plaintext: start..start + length });
        }
        // The type is the last byte that is not zero; zeros behind it are padding.
        let at = plaintext.iter().rposition(|byte| *byte != 0).ok_or(RecordError::Empty)?;
        Ok(Opened { content: content(plaintext[at]), plaintext: start..start + at })
    }
}

pub(crate) struct Sealer(pub(super) Direction);

impl Sealer {
    /// Appends a record; the content is at most 16 KiB.
    pub(crate) fn seal(
        &mut self,
        content: Content,
        plaintext: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), RecordError> {
        let Direction { key, form, .. } = &self.0;
        let outside = if *form == Form::Tls13 { Content::ApplicationData } else { content };
        let header = Header { content: outside, length: plaintext.len() + form.overhead() };
        let nonce = self.0.nonce();
        out.extend_from_slice(&header.bytes());
        if *form == Form::Tls12Explicit {
            out.extend_from_slice(&nonce[NONCE - EXPLICIT..]);
        }
        let start = out.len();
        out.extend_from_slice(plaintext);
        if *form == Form::Tls13 {
            out.push(content.into());
        }
        let nonce = Nonce::assume_unique_for_key(nonce);
        let tag = if *form == Form::Tls13 {
            key.seal_in_place_separate_tag(nonce, Aad::from(header.bytes()), &mut out[start..])
        } else {
            let data = self.0.additional12(content, plaintext.len());
            key.seal_in_place_separate_tag(nonce, Aad::from(data), &mut out[start..])
        };
        out.extend_from_slice(tag.map_err(|_| RecordError::Secret)?.as_ref());
        self.0.sequence += 1;
        Ok(())
    }
}
