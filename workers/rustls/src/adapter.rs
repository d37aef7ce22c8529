//! The library as the SDK sees it.

use std::collections::BTreeSet;
use std::sync::Arc;

use tlstax_spec::wire::{Hello, PROTOCOL};
use tlstax_spec::{Pattern, Primitive, Resumption, Side};
use tlstax_worker::{Adapter, Config, Endpoint, Inputs, Operation, Refusal, names};

use crate::{cpu, primitive, provider, tls};

pub(crate) struct Rustls;

impl Adapter for Rustls {
    fn hello(&self) -> Hello {
        let suites: Vec<_> = provider::suites().collect();
        let versions: BTreeSet<_> = suites.iter().map(|suite| suite.version()).collect();
        Hello {
            protocol: PROTOCOL,
            family: "rustls".into(),
            version: provider::version(),
            build: format!(
                "provider {}, {}, opt-level {}; set by the worker: one TLS 1.3 ticket per handshake, {} sessions kept",
                provider::NAME,
                env!("TLSTAX_COMPILER"),
                env!("TLSTAX_OPT_LEVEL"),
                tls::SESSIONS
            ),
            cpu: cpu::description(),
            primitives: primitive::claimed(),
            patterns: names([Pattern::Tls]),
            versions: names(versions),
            suites: names(suites),
            groups: names(provider::groups()),
            keys: names(provider::keys()),
            resumptions: names(Resumption::ALL),
            without: names(cpu::without()),
            ..Hello::default()
        }
    }

    fn expand(&self, string: &str, _ciphersuites: Option<&str>) -> Result<Vec<String>, Refusal> {
        match string {
            "DEFAULT" => Ok(provider::preferred()),
            _ => Err(Refusal::Unsupported(
                "rustls has no cipher strings: a program lists suites by name; DEFAULT stands for those of its provider"
                    .to_owned(),
            )),
        }
    }

    fn primitive(&self, primitive: &Primitive, inputs: &Inputs) -> Result<Box<dyn Operation>, Refusal> {
        primitive::operation(primitive, inputs)
    }

    fn config(&self, side: Side, endpoint: &Endpoint<'_>) -> Result<Arc<dyn Config>, Refusal> {
        Ok(match side {
            Side::Client => Arc::new(tls::Client::new(endpoint)?),
            Side::Server => Arc::new(tls::Server::new(endpoint)?),
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use tlstax_spec::Suite;
    use tlstax_worker::Pki;
    use tlstax_worker::conformance;

    use super::*;

    #[test]
    fn conforms() {
        let pki = Pki::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../pki"));
        let mut lines = Vec::new();
        let report = conformance::run(&Rustls, &pki, &mut lines).unwrap();
        assert_eq!(report.failed, 0, "{}", String::from_utf8_lossy(&lines));
        assert!(report.passed > 0);
    }

    #[test]
    fn its_own_suites_are_told_in_order_and_words_are_unknown() {
        let suites = Rustls.expand("DEFAULT", None).unwrap();
        assert!(suites.len() >= 9, "{suites:?}");
        assert!(suites[0].parse::<Suite>().is_ok(), "{suites:?}");
        assert!(suites.iter().all(|name| Rustls.hello().suites.contains(name)), "{suites:?}");
        let refusal = Rustls.expand("HIGH", None).unwrap_err();
        assert!(matches!(&refusal, Refusal::Unsupported(_)), "{refusal}");
    }

    #[test]
    fn says_which_versions_it_is() {
        let version = Rustls.hello().version;
        assert!(version.starts_with("rustls 0.23."), "{version}");
        assert!(version.contains(provider::NAME), "{version}");
    }
}
