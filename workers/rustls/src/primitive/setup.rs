//! What is done before connections: reading a CA bundle, parsing a certificate. It is rustls's own work, whichever the
//! provider.

use std::hint::black_box;

use rustls::RootCertStore;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::server::ParsedCertificate;
use tlstax_spec::Algorithm;
use tlstax_worker::{Inputs, Operation, Refusal};

use super::step::{Refused, Step, repeat};
use crate::tls::serial_number;

pub(super) fn operation(algorithm: Algorithm, inputs: &Inputs) -> Result<Box<dyn Operation>, Refusal> {
    match algorithm {
        Algorithm::CaBundle => repeat(algorithm, Load { pem: inputs.message.clone() }),
        _ => repeat(algorithm, Parse { certificate: inputs.message.clone().into() }),
    }
}

/// The roots that a client verifies with; each certificate is parsed, and a root that is no good is an error.
struct Load {
    pem: Vec<u8>,
}

impl Load {
    fn store(&self) -> Result<RootCertStore, Refused> {
        let mut store = RootCertStore::empty();
        for certificate in CertificateDer::pem_slice_iter(&self.pem) {
            store.add(certificate.map_err(|_| Refused)?).map_err(|_| Refused)?;
        }
        Ok(store)
    }
}

impl Step for Load {
    fn once(&mut self) -> Result<(), Refused> {
        black_box(self.store()?);
        Ok(())
    }

    fn answer(&mut self) -> Result<Vec<u8>, Refused> {
        let certificates = u32::try_from(self.store()?.len()).map_err(|_| Refused)?;
        Ok(certificates.to_be_bytes().to_vec())
    }
}

/// What a verifier parses of an end entity: webpki reads no more of a certificate than it needs, and copies nothing.
struct Parse {
    certificate: CertificateDer<'static>,
}

impl Step for Parse {
    fn once(&mut self) -> Result<(), Refused> {
        black_box(ParsedCertificate::try_from(black_box(&self.certificate)).map_err(|_| Refused)?);
        Ok(())
    }

    /// rustls parses the serial number and does not give it out, so it is read here once more.
    fn answer(&mut self) -> Result<Vec<u8>, Refused> {
        self.once()?;
        serial_number(&self.certificate).map(<[u8]>::to_vec).ok_or(Refused)
    }
}
