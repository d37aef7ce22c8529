//! Looking at servers.

use tlstax_spec::wire::Sight;
use tlstax_spec::{Group, Http, Key, Params, Resumption, Suite, Version};
use tlstax_worker::Refusal;

use super::server::{config, head, serve, serve_well};
use super::{PARAMS, PARAMS12, target};
use crate::look::look;

fn seen(port: u16, version: Option<Version>) -> Result<Sight, Refusal> {
    look(port, &target("127.0.0.1"), version)
}

#[test]
fn what_a_server_negotiates_and_answers_is_seen() {
    for (params, resumption) in [
        (PARAMS, Resumption::Full),
        (PARAMS, Resumption::Psk),
        (PARAMS, Resumption::EarlyData),
        (PARAMS12, Resumption::SessionId),
        (PARAMS12, Resumption::Ticket),
        (Params { key: Key::Rsa2048, suite: Suite::EcdheRsaAes128Gcm, ..PARAMS12 }, Resumption::Full),
    ] {
        let port = serve_well(Some(config(params, resumption, None)), 300_000);
        let sight = seen(port, Some(params.version)).unwrap();
        assert_eq!((sight.version, sight.key), (Some(params.version), Some(params.key)));
        assert_eq!(sight.group, Some(Group::X25519));
        assert_eq!(sight.suite.map(Suite::version), Some(params.version));
        assert_eq!(
            (sight.status, sight.body, sight.keeps, sight.varies),
            (Some(200), Some(300_000), true, false)
        );
        assert_eq!((sight.http.as_slice(), &sight.problem), (&[Http::Http1][..], &None));
        assert!(sight.resumptions.contains(&resumption), "{resumption}: {sight:?}");
        let expected = match resumption {
            Resumption::Full => 1,
            Resumption::EarlyData => 3,
            _ => 2,
        };
        assert_eq!(sight.resumptions.len(), expected, "{sight:?}");
    }
}

#[test]
fn plain_http_is_told_from_tls() {
    let plain = serve_well(None, 7);
    let sight = seen(plain, None).unwrap();
    assert_eq!((sight.version, sight.body, sight.keeps), (None, Some(7), true));
    assert!(matches!(seen(plain, Some(Version::Tls13)), Err(Refusal::Failed(_))));
    let tls = serve_well(Some(config(PARAMS12, Resumption::Full, None)), 7);
    assert!(matches!(seen(tls, None), Err(Refusal::Failed(_))));
    assert!(matches!(seen(tls, Some(Version::Tls13)), Err(Refusal::Failed(_))));
}

#[test]
fn a_response_that_is_no_good_one_is_told() {
    let missing = serve(None, |mut peer| {
        while peer.request().is_some() {
            let not_found = head(0, false).replace("200 OK", "404 Not Found");
            std::io::Write::write_all(&mut peer, not_found.as_bytes()).unwrap();
        }
    });
    let sight = seen(missing, None).unwrap();
    assert_eq!((sight.status, sight.body), (Some(404), None));
    assert!(sight.problem.is_some_and(|problem| problem.contains("404")));
}

#[test]
fn another_machine_is_not_looked_at_without_consent() {
    assert!(matches!(look(443, &target("192.0.2.1"), None), Err(Refusal::Unsupported(_))));
}
