//! Cipher suites: those of ring, and the same ciphers behind the DHE key exchange of TLS 1.2, which rustls can do and
//! offers nowhere.

use std::sync::LazyLock;

use rustls::crypto::ring::ALL_CIPHER_SUITES;
use rustls::crypto::{CipherSuiteCommon, KeyExchangeAlgorithm};
use rustls::{CipherSuite, SupportedCipherSuite, Tls12CipherSuite};
use tlstax_spec::Suite;

pub(crate) fn suites() -> impl Iterator<Item = Suite> {
    Suite::ALL.iter().copied().filter(|wanted| suite(*wanted).is_some())
}

pub(crate) fn suite(wanted: Suite) -> Option<SupportedCipherSuite> {
    let all = ALL_CIPHER_SUITES.iter().copied().chain(DHE.iter().map(SupportedCipherSuite::from));
    all.into_iter().find(|suite| u16::from(suite.suite()) == wanted.code())
}

static DHE: LazyLock<Vec<Tls12CipherSuite>> = LazyLock::new(|| {
    let dhe = |suite, model: Suite| {
        let model = ALL_CIPHER_SUITES.iter().find(|one| u16::from(one.suite()) == model.code())?;
        let SupportedCipherSuite::Tls12(model) = model else { return None };
        let CipherSuiteCommon { hash_provider, confidentiality_limit, .. } = model.common;
        Some(Tls12CipherSuite {
            common: CipherSuiteCommon { suite, hash_provider, confidentiality_limit },
            prf_provider: model.prf_provider,
            kx: KeyExchangeAlgorithm::DHE,
            sign: model.sign,
            aead_alg: model.aead_alg,
        })
    };
    [
        dhe(CipherSuite::TLS_DHE_RSA_WITH_AES_128_GCM_SHA256, Suite::EcdheRsaAes128Gcm),
        dhe(CipherSuite::TLS_DHE_RSA_WITH_AES_256_GCM_SHA384, Suite::EcdheRsaAes256Gcm),
    ]
    .into_iter()
    .flatten()
    .collect()
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suite_is_the_one_that_was_asked_for() {
        let all: Vec<_> = suites().collect();
        assert_eq!(all.len(), 11);
        assert!(all.contains(&Suite::DheRsaAes256Gcm) && !all.contains(&Suite::RsaAes128Gcm));
        for wanted in all {
            let found = suite(wanted).map(|suite| u16::from(suite.suite()));
            assert_eq!(found, Some(wanted.code()));
        }
    }
}
