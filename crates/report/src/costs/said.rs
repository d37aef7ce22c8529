//! The answer of a model, in sentences.

use tlstax_doc::model::{Path, Term};
use tlstax_spec::{Http, Key, Resumption, Suite, Version};

use super::known::{Known, shown};
use crate::checked;
use crate::model::Quantity;
use crate::number;

/// Bytes of the unit in which the cost of bytes is told.
const MEGABYTE: f64 = 1e6;

/// What requests, handshakes, resumptions and bytes cost, and how right that is.
pub(super) fn sentences(known: &Known<'_>) -> Vec<String> {
    if known.model.terms.is_empty() {
        return vec!["Nothing was fitted.".to_owned()];
    }
    let handshakes = Version::ALL.iter().rev().filter_map(|version| handshakes(known, *version));
    let resumptions = Version::ALL.iter().rev().filter_map(|version| resumptions(known, *version));
    let requests = Http::ALL.iter().filter_map(|http| requests(known, *http));
    let bytes = Http::ALL.iter().filter_map(|http| bytes(known, *http)).chain(suites(known));
    let right = [checked::said(&known.model.checked), unexplained(known)];
    handshakes.chain(resumptions).chain(requests).chain(bytes).chain(right.into_iter().flatten()).collect()
}

fn handshakes(known: &Known<'_>, version: Version) -> Option<String> {
    let cost = |key: &Key| Some((key.name(), known.term(Term::Handshake { version, key: *key })?));
    let costs: Vec<_> = Key::ALL.iter().filter_map(cost).collect();
    Some(format!("A full handshake of {version} costs {}.", listed("with", &costs)?))
}

fn resumptions(known: &Known<'_>, version: Version) -> Option<String> {
    let cost = |way: &Resumption| Some((way.name(), known.term(Term::Resumption { version, way: *way })?));
    let costs: Vec<_> = Resumption::ALL.iter().filter_map(cost).collect();
    Some(format!("A resumption of {version} costs {}.", listed("by", &costs)?))
}

fn requests(known: &Known<'_>, http: Http) -> Option<String> {
    let cost = |(how, tls)| Some((how, known.term(Term::Request { http, tls })?));
    let costs: Vec<_> = [("TLS", true), ("TCP alone", false)].into_iter().filter_map(cost).collect();
    Some(format!("A request by {} without a body costs {}.", upper(http), listed("over", &costs)?))
}

fn bytes(known: &Known<'_>, http: Http) -> Option<String> {
    const WAYS: [(&str, Path); 3] =
        [("encrypted with AES-128-GCM", Path::Tls), ("by sendfile", Path::Sendfile), ("copied", Path::Copy)];
    let cost = |(how, path)| Some((how, megabyte(&known.byte(path, http)?)));
    let costs: Vec<_> = WAYS.into_iter().filter_map(cost).collect();
    Some(format!("A megabyte of a large body by {} costs {}.", upper(http), listed("", &costs)?))
}

/// What other suites add to that.
fn suites(known: &Known<'_>) -> Option<String> {
    let cost =
        |suite: &Suite| Some((suite.name(), megabyte(&known.term(Term::SuiteByte { suite: *suite })?)));
    let costs: Vec<_> = Suite::ALL.iter().filter_map(cost).collect();
    Some(format!("To a megabyte other suites add {}.", listed("with", &costs)?))
}

fn unexplained(known: &Known<'_>) -> Option<String> {
    let unexplained = known.model.unexplained;
    (unexplained > 0.0).then(|| {
        format!(
            "What the terms leave unexplained of the cost of a load has a standard deviation of {} %; it is in the intervals of plans.",
            number::significant(unexplained * 100.0, 2)
        )
    })
}

/// `51 µs [50, 52] with ecdsa-p256 and 410 µs [405, 415] with rsa-2048`; none where there is none.
fn listed(before: &str, costs: &[(&str, Quantity)]) -> Option<String> {
    let each = costs.iter().map(|(name, cost)| {
        let how = format!("{before} {name}");
        format!("{} {}", shown(cost), how.trim_start())
    });
    let each: Vec<String> = each.collect();
    let (last, first) = each.split_last()?;
    Some(if first.is_empty() { last.clone() } else { format!("{} and {last}", first.join(", ")) })
}

fn upper(http: Http) -> String {
    http.name().to_uppercase()
}

fn megabyte(byte: &Quantity) -> Quantity {
    Quantity::between(byte.value * MEGABYTE, byte.low * MEGABYTE, byte.high * MEGABYTE, byte.unit)
}
