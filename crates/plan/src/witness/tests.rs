//! What a model whose costs are round numbers says to claims.

use tlstax_doc::Tool;
use tlstax_doc::model::parse_model;
use tlstax_traffic::by_hand;

use super::*;
use crate::workload::rate::Rate;
use crate::workload::{Offered, traffic as asked_by};

fn traffic(text: &str) -> Vec<Demand> {
    let tool = Tool { name: "tlstax".to_owned(), version: "0".to_owned(), reference_kernels: 0 };
    let workload = by_hand(text, "by-hand.toml", tool).unwrap();
    let found = asked_by(&workload, Offered::AsCounted(Rate::Mean)).unwrap();
    found.kinds.into_iter().map(|kind| kind.demand).collect()
}

fn witness() -> ModelWitness {
    ModelWitness {
        model: parse_model(include_str!("../../tests/model.json"), "model.json".as_ref()).unwrap(),
        before: traffic(include_str!("../../../../docs/plan-explain-before.toml")),
        after: traffic(include_str!("../../../../docs/plan-explain-after.toml")),
    }
}

fn asked(witness: &ModelWitness, ask: &str) -> Result<Span, String> {
    witness.figure(Verb::Plan, ask).unwrap_or_else(|| panic!("nobody asks {ask}"))
}

#[test]
fn a_handshake_is_as_dear_as_so_many_bytes() {
    let mut witness = witness();
    // Without steps at records the costs are on lines.
    let record = witness.model.terms.iter_mut().find(|cost| cost.term == tlstax_doc::model::Term::Record);
    record.unwrap().ns = 0.0;
    let bulk = asked(&witness, "break-even-bytes").unwrap();
    // Beyond a megabyte 917504 bytes cost 315 us more with TLS: 900 us are 360 us and 1.573 MB more.
    let slope = (410_000.0 - 95_000.0) / 917_504.0;
    let expected = 1_048_576.0 + (900_000.0 - 360_000.0) / slope;
    assert!((bulk.value - expected).abs() < 2.0, "{bulk:?} {expected}");
    assert!(bulk.low < bulk.value && bulk.value < bulk.high && bulk.high < 1.2 * bulk.value, "{bulk:?}");
    // What TLS adds to a request beside its body counts, too: 4 us.
    let half = asked(&witness, "break-even-body").unwrap();
    assert!((bulk.value - half.value - 4_000.0 / slope).abs() < 2.0, "{half:?}");
}

#[test]
fn a_handshake_that_weighs_nothing_breaks_even_at_nothing() {
    let mut witness = witness();
    for cost in &mut witness.model.terms {
        if matches!(cost.term, tlstax_doc::model::Term::Handshake { .. }) {
            cost.ns = 100.0;
        }
    }
    assert_eq!(asked(&witness, "break-even-body").unwrap().value, 0.0);
    witness.model.terms.iter_mut().for_each(|cost| cost.ns *= 1e6);
    let endless = asked(&witness, "break-even-bytes").unwrap();
    assert!(endless.is_finite(), "{endless:?}");
    for cost in &mut witness.model.terms {
        if matches!(cost.term, tlstax_doc::model::Term::Handshake { .. }) {
            cost.ns = 1e30;
        }
    }
    let refused = asked(&witness, "break-even-bytes").unwrap_err();
    assert!(refused.contains("knows nothing beyond"), "{refused}");
}

#[test]
fn a_small_site_is_asked_after_as_a_whole() {
    let witness = witness();
    let longer = asked(&witness, "explain").unwrap();
    assert!(longer.low > 0.0 && longer.high < 1.0, "percent: {longer:?}");
    // Of 18 requests 10 KB each, half of them after a full handshake.
    let bulk = asked(&witness, "bulk-to-handshakes").unwrap();
    assert!(bulk.value > 0.1 && bulk.value < 0.3, "{bulk:?}");
}

#[test]
fn what_is_not_its_own_is_left_to_others() {
    let witness = witness();
    assert!(witness.figure(Verb::Observe, "explain").is_none());
    assert!(witness.figure(Verb::Plan, "tls-share").is_none());
}

#[test]
fn a_model_without_what_is_asked_says_so() {
    let mut witness = witness();
    witness.model.terms.clear();
    witness.model.covariance.clear();
    for question in QUESTIONS {
        assert!(asked(&witness, question.ask).unwrap_err().contains("model"), "{}", question.ask);
    }
}
