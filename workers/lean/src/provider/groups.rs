//! Key exchange with the private key 1. The server does its full, ordinary work; ours is done before it begins.
//!
//! On a curve our share is the generator, and the shared secret is the server's own share. In a finite field our share is
//! 2, the generator of RFC 7919, and the secret is the server's share again.

use std::sync::LazyLock;

use rustls::crypto::{ActiveKeyExchange, SharedSecret, SupportedKxGroup};
use rustls::ffdhe_groups::{FFDHE2048, FFDHE3072, FfdheGroup};
use rustls::{Error, NamedGroup, PeerMisbehaved, ProtocolVersion};
use tlstax_spec::Group;

use super::mlkem::{ML_KEM_768, ML_KEM_1024, MlKem};

pub(crate) fn group(wanted: Group) -> &'static dyn SupportedKxGroup {
    UNIT.iter().find(|unit| unit.group == wanted).expect("every group of the vocabulary is in the list")
}

/// What we call a group that rustls has negotiated.
pub(crate) fn named(name: NamedGroup) -> Option<Group> {
    UNIT.iter().find(|unit| unit.name == name).map(|unit| unit.group)
}

/// IANA's number of SecP384r1MLKEM1024, for which rustls has no name yet.
const SECP384R1_MLKEM1024: u16 = 0x11ed;

static UNIT: LazyLock<Vec<Unit>> = LazyLock::new(|| {
    let unit = |&group: &Group| {
        let (name, parts) = match group {
            Group::X25519 => (NamedGroup::X25519, vec![Part::Montgomery]),
            Group::Secp256r1 => (NamedGroup::secp256r1, vec![Part::point(P256)]),
            Group::Secp384r1 => (NamedGroup::secp384r1, vec![Part::point(P384)]),
            Group::Secp521r1 => (NamedGroup::secp521r1, vec![Part::point(P521)]),
            // The order of the parts differs: draft-ietf-tls-ecdhe-mlkem, section 4.1.
            Group::X25519MlKem768 => {
                (NamedGroup::X25519MLKEM768, vec![Part::Kem(&ML_KEM_768), Part::Montgomery])
            }
            Group::Secp256r1MlKem768 => {
                (NamedGroup::secp256r1MLKEM768, vec![Part::point(P256), Part::Kem(&ML_KEM_768)])
            }
            Group::Secp384r1MlKem1024 => {
                (SECP384R1_MLKEM1024.into(), vec![Part::point(P384), Part::Kem(&ML_KEM_1024)])
            }
            Group::Ffdhe2048 => (NamedGroup::FFDHE2048, vec![Part::Field(FFDHE2048)]),
            Group::Ffdhe3072 => (NamedGroup::FFDHE3072, vec![Part::Field(FFDHE3072)]),
        };
        let share = parts.iter().flat_map(Part::share).collect();
        Unit { group, name, parts, share }
    };
    Group::ALL.iter().map(unit).collect()
});

/// A group and our share in it, which is always the same.
#[derive(Debug)]
struct Unit {
    group: Group,
    name: NamedGroup,
    parts: Vec<Part>,
    share: Vec<u8>,
}

impl Unit {
    /// The secret that the server derives from our share and its own, which is this.
    fn secret(&self, theirs: &[u8]) -> Option<Vec<u8>> {
        let mut secret = Vec::with_capacity(64);
        let mut rest = theirs;
        for part in &self.parts {
            let (one, after) = rest.split_at_checked(part.answer())?;
            part.secret(one, &mut secret)?;
            rest = after;
        }
        rest.is_empty().then_some(secret)
    }

    fn field(&self) -> Option<FfdheGroup<'static>> {
        match self.parts.as_slice() {
            [Part::Field(field)] => Some(*field),
            _ => None,
        }
    }
}

/// One key exchange of those that a group consists of.
#[derive(Debug)]
enum Part {
    /// A curve in short Weierstrass form: the generator, uncompressed.
    Point(Vec<u8>),
    Montgomery,
    /// A finite field of RFC 7919.
    Field(FfdheGroup<'static>),
    /// A key encapsulation of FIPS 203.
    Kem(&'static MlKem),
}

/// The first byte of a point in the only form that TLS 1.3 allows (RFC 8446 4.2.8.2).
const UNCOMPRESSED: u8 = 4;

/// The length of a coordinate in X25519, RFC 7748.
const MONTGOMERY: usize = 32;

impl Part {
    /// A curve by the coordinates of its generator, in hexadecimal.
    fn point(coordinates: [&str; 2]) -> Self {
        let digits = coordinates.concat();
        let byte = |at| u8::from_str_radix(&digits[at..at + 2], 16).expect("the constants are hexadecimal");
        Self::Point([UNCOMPRESSED].into_iter().chain((0..digits.len()).step_by(2).map(byte)).collect())
    }

    fn share(&self) -> Vec<u8> {
        match self {
            Self::Point(generator) => generator.clone(),
            Self::Montgomery => {
                let mut base = vec![0; MONTGOMERY];
                base[0] = 9;
                base
            }
            Self::Field(field) => {
                let mut generator = vec![0; field.p.len()];
                generator[field.p.len() - 1] = 2;
                generator
            }
            Self::Kem(kem) => kem.encapsulation_key(),
        }
    }

    /// The length of what the server answers.
    fn answer(&self) -> usize {
        match self {
            Self::Point(generator) => generator.len(),
            Self::Montgomery => MONTGOMERY,
            Self::Field(field) => field.p.len(),
            Self::Kem(kem) => kem.ciphertext(),
        }
    }

    fn secret(&self, theirs: &[u8], secret: &mut Vec<u8>) -> Option<()> {
        match self {
            Self::Point(_) if theirs[0] != UNCOMPRESSED => return None,
            Self::Point(_) => secret.extend_from_slice(&theirs[1..=theirs.len() / 2]),
            Self::Montgomery | Self::Field(_) => secret.extend_from_slice(theirs),
            Self::Kem(kem) => secret.extend_from_slice(&kem.secret(theirs)),
        }
        Some(())
    }
}

impl SupportedKxGroup for Unit {
    fn start(&self) -> Result<Box<dyn ActiveKeyExchange>, Error> {
        let unit = UNIT.iter().find(|unit| unit.group == self.group).expect("this is one of them");
        Ok(Box::new(Begun(unit)))
    }

    fn ffdhe_group(&self) -> Option<FfdheGroup<'static>> {
        self.field()
    }

    fn name(&self) -> NamedGroup {
        self.name
    }

    fn usable_for_version(&self, version: ProtocolVersion) -> bool {
        !self.group.is_post_quantum() || version == ProtocolVersion::TLSv1_3
    }
}

/// A key exchange that needs no state of its own.
struct Begun(&'static Unit);

impl ActiveKeyExchange for Begun {
    fn complete(self: Box<Self>, theirs: &[u8]) -> Result<SharedSecret, Error> {
        let secret = self.0.secret(theirs).ok_or(PeerMisbehaved::InvalidKeyShare)?;
        Ok(SharedSecret::from(secret))
    }

    fn pub_key(&self) -> &[u8] {
        &self.0.share
    }

    fn ffdhe_group(&self) -> Option<FfdheGroup<'static>> {
        self.0.field()
    }

    fn group(&self) -> NamedGroup {
        self.0.name
    }
}

/// NIST SP 800-186, 3.2.1.3.
const P256: [&str; 2] = [
    "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296",
    "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5",
];

/// NIST SP 800-186, 3.2.1.4.
const P384: [&str; 2] = [
    "aa87ca22be8b05378eb1c71ef320ad746e1d3b628ba79b9859f741e082542a385502f25dbf55296c3a545e3872760ab7",
    "3617de4a96262c6f5d9e98bf9292dc29f8f41dbd289a147ce9da3113b5f0b8c00a60b1ce1d7e819d7a431d7c90ea0e5f",
];

/// NIST SP 800-186, 3.2.1.5.
const P521: [&str; 2] = [
    "00c6858e06b70404e9cd9e3ecb662395b4429c648139053fb521f828af606b4d3d\
     baa14b5e77efe75928fe1dc127a2ffa8de3348b3c1856a429bf97e7e31c2e5bd66",
    "011839296a789a3bc0045c8a5fb42c7d1bd998f54449579b446817afbd17273e66\
     2c97ee72995ef42640c550b9013fad0761353c7086a272c24088be94769fd16650",
];

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use aws_lc_rs::{agreement, kem};

    use super::*;

    /// What a real server answers to our share, and the secret that it derives.
    fn agree(algorithm: &'static agreement::Algorithm, ours: &[u8]) -> (Vec<u8>, Vec<u8>) {
        let key = agreement::PrivateKey::generate(algorithm).unwrap();
        let theirs = key.compute_public_key().unwrap().as_ref().to_vec();
        let ours = agreement::UnparsedPublicKey::new(algorithm, ours);
        let secret = agreement::agree(&key, ours, (), |secret| Ok::<_, ()>(secret.to_vec())).unwrap();
        (theirs, secret)
    }

    fn encapsulate(algorithm: &'static kem::Algorithm, ours: &[u8]) -> (Vec<u8>, Vec<u8>) {
        let key = kem::EncapsulationKey::new(algorithm, ours).unwrap();
        let (ciphertext, secret) = key.encapsulate().unwrap();
        (ciphertext.as_ref().to_vec(), secret.as_ref().to_vec())
    }

    fn answer(part: &Part) -> (Vec<u8>, Vec<u8>) {
        let share = part.share();
        match part {
            Part::Point(_) if share.len() == 65 => agree(&agreement::ECDH_P256, &share),
            Part::Point(_) if share.len() == 97 => agree(&agreement::ECDH_P384, &share),
            Part::Point(_) => agree(&agreement::ECDH_P521, &share),
            Part::Montgomery => agree(&agreement::X25519, &share),
            Part::Kem(kem) if kem.ciphertext() == 1088 => encapsulate(&kem::ML_KEM_768, &share),
            Part::Kem(_) => encapsulate(&kem::ML_KEM_1024, &share),
            Part::Field(_) => unreachable!("tested apart"),
        }
    }

    #[test]
    fn a_real_server_derives_the_same_secret() {
        for unit in UNIT.iter().filter(|unit| unit.field().is_none()) {
            for _ in 0..20 {
                let (theirs, secrets): (Vec<_>, Vec<_>) = unit.parts.iter().map(answer).unzip();
                let exchange = group(unit.group).start().unwrap();
                assert_eq!(exchange.pub_key(), unit.share);
                let secret = exchange.complete(&theirs.concat()).unwrap();
                assert_eq!(secret.secret_bytes(), secrets.concat(), "{}", unit.group);
            }
        }
    }

    #[test]
    fn in_a_finite_field_the_secret_is_the_servers_share() {
        for wanted in [Group::Ffdhe2048, Group::Ffdhe3072] {
            let field = group(wanted).ffdhe_group().unwrap();
            assert_eq!(field.g, [2]);
            let exchange = group(wanted).start().unwrap();
            assert_eq!((exchange.pub_key().len(), exchange.pub_key().last()), (field.p.len(), Some(&2)));
            // (g^1)^b = g^b.
            let theirs = vec![7; field.p.len()];
            assert_eq!(exchange.complete(&theirs).unwrap().secret_bytes(), theirs);
        }
    }

    #[test]
    fn an_answer_of_the_wrong_form_is_refused() {
        for unit in UNIT.iter() {
            let length = unit.parts.iter().map(Part::answer).sum::<usize>();
            for wrong in [0, length - 1, length + 1] {
                assert!(unit.secret(&vec![4; wrong]).is_none(), "{} {wrong}", unit.group);
            }
        }
        assert!(group(Group::Secp256r1).start().unwrap().complete(&[2; 65]).is_err());
    }

    #[test]
    fn names_go_both_ways() {
        for &wanted in Group::ALL {
            assert_eq!(named(group(wanted).name()), Some(wanted));
        }
        assert_eq!(named(NamedGroup::X448), None);
    }
}
