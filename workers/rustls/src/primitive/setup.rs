//! What is done before connections: reading a CA bundle, parsing a certificate. It is rustls's own work, whichever the
//! provider.

use std::hint::black_box;

use rustls::RootCertStore;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::server::ParsedCertificate;
use tlstax_spec::Algorithm;
use tlstax_worker::{Inputs, Operation, Refusal, der};

use super::step::{Refused, answered};

pub(super) fn operation(algorithm: Algorithm, inputs: &Inputs) -> Result<Box<dyn Operation>, Refusal> {
    let input = inputs.message.clone();
    if algorithm == Algorithm::CaBundle {
        return answered(
            algorithm,
            input,
            |pem| load(pem),
            |pem| {
                let certificates = u32::try_from(load(pem)?.len()).map_err(|_| Refused)?;
                Ok(certificates.to_be_bytes().to_vec())
            },
        );
    }
    // What a verifier parses of an end entity: webpki reads no more of a certificate than it needs, and copies nothing.
    answered(
        algorithm,
        CertificateDer::from(input),
        parse,
        // rustls parses the serial number and does not give it out, so it is read here once more.
        |certificate| {
            parse(certificate)?;
            der::serial_number(certificate).map(<[u8]>::to_vec).ok_or(Refused)
        },
    )
}

fn parse(certificate: &CertificateDer<'_>) -> Result<(), Refused> {
    black_box(ParsedCertificate::try_from(black_box(certificate)).map_err(|_| Refused)?);
    Ok(())
}

/// The roots that a client verifies with; each certificate is parsed, and a root that is no good is an error.
fn load(pem: &[u8]) -> Result<RootCertStore, Refused> {
    let mut store = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(pem) {
        store.add(certificate.map_err(|_| Refused)?).map_err(|_| Refused)?;
    }
    Ok(store)
}
