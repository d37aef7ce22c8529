//! Requests that not every worker has: cipher strings, and looking at a server.

use std::net::{Ipv4Addr, TcpListener};

use tlstax_spec::wire::Target;
use tlstax_spec::{Method, Suite, Version};

use super::checks::Checks;
use super::subject::{Miss, Subject};
use tlstax_peers::Refused;

/// Words that stand for one suite alone: those of OpenSSL's cipher strings, and of GnuTLS's priority strings.
const ALONE: [(&str, Suite); 2] = [
    ("ECDHE-ECDSA-AES128-GCM-SHA256", Suite::EcdheEcdsaAes128Gcm),
    ("NONE:+VERS-TLS1.2:+AES-128-GCM:+AEAD:+ECDHE-ECDSA:+SIGN-ALL:+GROUP-ALL", Suite::EcdheEcdsaAes128Gcm),
];

/// What no library takes for a suite.
const NOTHING: &str = "no-such-word";

pub(super) fn check(checks: &mut Checks<'_>) {
    checks.check("cipher string", expands);
    if checks.subject.hello.loads.iter().any(|word| word == "target") {
        checks.check("look where no server is", looks);
    }
}

fn expands(subject: &mut Subject<'_>) -> Result<(), Miss> {
    match subject.worker()?.expand(NOTHING, None) {
        Ok(names) => return Err(format!("'{NOTHING}' chooses {}", names.join(", ")).into()),
        Err(Refused::Failed(failure)) if failure.message.is_empty() => {
            return Err("refuses words and does not say why".into());
        }
        Err(Refused::Failed(failure)) if !failure.lost => {}
        Err(refused) => return Err(refused.into()),
    }
    let mut missed = Vec::new();
    for (words, suite) in ALONE {
        match chooses(subject, words, suite) {
            Ok(()) => return Ok(()),
            Err(problem) => missed.push(problem),
        }
    }
    Err(missed.join("; ").into())
}

/// Of the suites of TLS 1.2 this one and no other.
fn chooses(subject: &mut Subject<'_>, words: &str, suite: Suite) -> Result<(), String> {
    let expanded = subject.worker().and_then(|worker| worker.expand(words, None));
    let mut names = expanded.map_err(|refused| format!("'{words}': {refused}"))?;
    names.retain(|name| name.contains("_WITH_"));
    match names == [suite.name()] {
        true => Ok(()),
        false => Err(format!("'{words}' chooses '{}' and not {suite}", names.join(", "))),
    }
}

/// A server that is not there is a failure of the request, and none of the worker.
fn looks(subject: &mut Subject<'_>) -> Result<(), Miss> {
    let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|listener| listener.local_addr());
    let port = free.map_err(|error| format!("no port is free: {error}"))?.port();
    let target = Target {
        address: Ipv4Addr::LOCALHOST.to_string(),
        name: "server.test".to_owned(),
        path: "/".to_owned(),
        method: Method::Post,
    };
    match subject.worker()?.look(port, target, Some(Version::Tls13)) {
        Ok(sight) => Err(format!("where nobody listens it saw {sight:?}").into()),
        Err(Refused::Failed(failure)) if !failure.lost => Ok(()),
        Err(refused) => Err(format!("claims targets and does not look: {refused}").into()),
    }
}
