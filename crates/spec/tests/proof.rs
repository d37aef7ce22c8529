//! No proof, no number: every way in which a library can have done something else is seen.
#![allow(clippy::unwrap_used)]

use tlstax_spec::{
    Algorithm, Group, Handshake, Key, Mismatch, Op, Params, Pattern, Primitive, Proof, Resumption, Suite,
    Version, Workload,
};

const PARAMS: Params = Params {
    version: Version::Tls13,
    suite: Suite::Aes128Gcm,
    group: Some(Group::X25519),
    key: Key::EcdsaP256,
};

fn handshake(params: Params, resumption: Resumption) -> Workload {
    Workload::Handshake(Handshake { resumption, ..Handshake::usual(params) })
}

fn proof(resumed: u64) -> Proof {
    Proof {
        version: Some(PARAMS.version),
        suite: Some(PARAMS.suite),
        group: PARAMS.group,
        key: Some(PARAMS.key),
        resumed,
        handshakes: 5,
        ..Proof::default()
    }
}

#[test]
fn what_was_asked_for_passes() {
    proof(0).check(&handshake(PARAMS, Resumption::Full)).unwrap();
    proof(5).check(&handshake(PARAMS, Resumption::Psk)).unwrap();
    let early = Proof { early: 5, ..proof(5) };
    early.check(&handshake(PARAMS, Resumption::EarlyData)).unwrap();
}

#[test]
fn another_suite_group_version_or_key_is_a_mismatch() {
    let full = handshake(PARAMS, Resumption::Full);
    let lies = [
        ("version", Proof { version: Some(Version::Tls12), ..proof(0) }),
        ("suite", Proof { suite: Some(Suite::Aes256Gcm), ..proof(0) }),
        ("group", Proof { group: Some(Group::Secp256r1), ..proof(0) }),
        ("group", Proof { group: None, ..proof(0) }),
        ("certificate key", Proof { key: Some(Key::Rsa2048), ..proof(0) }),
        ("certificate key", Proof { key: None, ..proof(0) }),
    ];
    for (field, lie) in lies {
        match lie.check(&full).unwrap_err() {
            Mismatch::Negotiated { what, .. } => assert_eq!(what, field),
            other => panic!("{other}"),
        }
    }
}

#[test]
fn flights_that_are_not_what_was_sent_are_a_mismatch() {
    let full = handshake(PARAMS, Resumption::Full);
    let told = Proof { client_bytes: 404, server_bytes: 1480, flights: vec![330, 1480, 74], ..proof(0) };
    told.check(&full).unwrap();
    let lies = [vec![330, 1480], vec![404, 1400], vec![330, 1480, 74, 1]];
    for flights in lies {
        let lie = Proof { flights, ..told.clone() }.check(&full).unwrap_err();
        assert!(matches!(lie, Mismatch::Flights { sent: [404, 1480], .. }), "{lie}");
    }
}

#[test]
fn a_resumption_that_did_not_happen_is_a_mismatch() {
    let error = proof(4).check(&handshake(PARAMS, Resumption::Psk)).unwrap_err();
    assert_eq!(error.to_string(), "4 of 5 handshakes were resumed, the case wants all");
    let error = proof(1).check(&handshake(PARAMS, Resumption::Full)).unwrap_err();
    assert_eq!(error.to_string(), "1 of 5 handshakes were resumed, the case wants none");
    assert!(matches!(
        Proof { early: 4, ..proof(5) }.check(&handshake(PARAMS, Resumption::EarlyData)),
        Err(Mismatch::EarlyData { early: 4, handshakes: 5, .. })
    ));
}

#[test]
fn an_abbreviated_handshake_of_tls_1_2_proves_neither_group_nor_key() {
    let params = Params { version: Version::Tls12, suite: Suite::EcdheEcdsaAes128Gcm, ..PARAMS };
    let proof = Proof {
        version: Some(params.version),
        suite: Some(params.suite),
        group: None,
        key: None,
        ..proof(5)
    };
    proof.check(&handshake(params, Resumption::Ticket)).unwrap();
}

#[test]
fn a_primitive_without_an_answer_proves_nothing() {
    let primitive =
        Primitive { op: Op::Digest, algorithm: Algorithm::Sha256, size: 64, pattern: Pattern::Tls };
    assert!(Proof::default().check(&Workload::Primitive(primitive)).is_err());
}

#[test]
fn only_what_can_occur_together_is_coherent() {
    const TLS12: Params = Params { version: Version::Tls12, ..PARAMS };
    assert!(PARAMS.is_coherent());
    let odd = [
        TLS12,
        Params { group: None, ..PARAMS },
        Params { suite: Suite::EcdheRsaAes128Gcm, ..TLS12 },
        Params { suite: Suite::RsaAes128Gcm, key: Key::Rsa2048, ..TLS12 },
        Params { suite: Suite::EcdheEcdsaAes128Gcm, group: Some(Group::X25519MlKem768), ..TLS12 },
        Params { suite: Suite::DheRsaAes128Gcm, key: Key::Rsa2048, ..TLS12 },
    ];
    for params in odd {
        assert!(!params.is_coherent(), "{params:?}");
    }
    let transport = Params { suite: Suite::RsaAes128Gcm, group: None, key: Key::Rsa2048, ..TLS12 };
    assert!(transport.is_coherent());
}

#[test]
fn counts_beyond_all_measure_are_no_crash() {
    let most = Proof { resumed: u64::MAX, handshakes: u64::MAX, early: u64::MAX, ..Proof::default() };
    let mut kept = most.clone();
    kept.accept(most.clone()).unwrap();
    assert_eq!(kept, most);
}

#[test]
fn a_mixture_is_proved_within_a_margin() {
    let mixed = |resumed, handshakes| tlstax_spec::is_share(resumed, handshakes, 80);
    assert!(mixed(800, 1000) && mixed(790, 1000) && mixed(815, 1000) && mixed(3, 5));
    assert!(!mixed(700, 1000) && !mixed(1000, 1000) && !mixed(0, 1000));
    assert!(tlstax_spec::is_share(7, 7, 100) && !tlstax_spec::is_share(6, 7, 100));
    assert!(tlstax_spec::is_share(0, 7, 0) && !tlstax_spec::is_share(1, 7, 0));
}
