//! Handshakes beside the same ones as they were before post-quantum cryptography, and what that says of bytes and time.

use tlstax_doc::Metric;
use tlstax_spec::{Handshake, Params, Proof};

use crate::ask::Item;
use crate::label::key;
use crate::model::Quantity;
use crate::number;
use crate::phrase::few_or_extremes;
use crate::told::two_each;

pub(super) type Found<'a> = Item<'a, Handshake>;

/// A handshake beside the same one as it was before.
#[derive(Clone, Copy)]
pub(super) struct Pair<'a> {
    pub new: Found<'a>,
    pub old: Found<'a>,
}

/// The handshakes that have an older counterpart, those of all libraries for one way back together.
pub(super) fn pairs<'a>(items: &[Found<'a>], older: fn(&Params) -> Option<Params>) -> Vec<Pair<'a>> {
    let pair = |new: &Found<'a>| {
        let wanted = Handshake { params: older(&new.work.params)?, ..*new.work };
        Some(Pair { new: *new, old: new.partner(&wanted, items)? })
    };
    let mut pairs: Vec<Pair<'a>> = items.iter().filter_map(pair).collect();
    let firsts: Vec<&Handshake> = pairs.iter().map(|pair| pair.new.work).collect();
    let place = |pair: &Pair<'_>| firsts.iter().position(|first| **first == *pair.new.work);
    pairs.sort_by_key(place);
    pairs
}

impl Pair<'_> {
    /// How many more bytes one side sends.
    pub fn bytes(&self, count: fn(&Proof) -> u64) -> Option<i64> {
        let of = |item: &Found<'_>| i64::try_from(count(item.measurement.proof()?)).ok();
        Some(of(&self.new)? - of(&self.old)?)
    }
}

/// What the first handshake of a choice costs each side more than the older one.
pub(super) fn answer(pairs: &[Pair<'_>], name: fn(&Params) -> String) -> Option<String> {
    let first = pairs.first()?;
    let added = |pair: &Pair<'_>| {
        let side = |metric| pair.new.more_than(&pair.old, metric).ok();
        Some((pair.new.library().to_owned(), [side(Metric::Client)?, side(Metric::Server)?]))
    };
    let alike: Vec<&Pair<'_>> = pairs.iter().filter(|pair| pair.new.work == first.new.work).collect();
    let added = alike.iter().filter_map(|pair| added(pair)).collect();
    let said = two_each(added, ["for the client", "for the server"])?;
    let [new, old] = [first.new, first.old].map(|item| name(&item.work.params));
    let sent = bytes(&alike, |proof| proof.client_bytes).zip(bytes(&alike, |proof| proof.server_bytes));
    let sent = sent.map(|(client, server)| format!(", who send {client} and {server}")).unwrap_or_default();
    Some(format!("{new} in place of {old} adds to a full handshake {said}{sent}."))
}

/// The first handshake of a choice, with every library that made it; of many, the two that are furthest apart.
pub(super) fn sentence(
    pairs: &[Pair<'_>],
    name: fn(&Params) -> String,
    libraries: &[&str],
) -> Option<String> {
    let first = pairs.first()?;
    let alike: Vec<&Pair<'_>> = pairs.iter().filter(|pair| pair.new.work == first.new.work).collect();
    let of_library = |library: &&str| {
        let pair = alike.iter().find(|pair| pair.new.library() == *library)?;
        let server = pair.new.more_than(&pair.old, Metric::Server).ok()?;
        Some((server.value, format!("{} ({library})", costs(pair)?)))
    };
    let all = libraries.iter().filter_map(of_library).collect();
    let (costs, joint) = few_or_extremes(all, |(server, _)| *server, "; ", " to ");
    let costs: Vec<String> = costs.into_iter().map(|(_, costs)| costs).collect();
    let mut sentence = format!(
        "With {} instead of {}, the client sends {} and the server {}",
        name(&first.new.work.params),
        name(&first.old.work.params),
        bytes(&alike, |proof| proof.client_bytes)?,
        bytes(&alike, |proof| proof.server_bytes)?
    );
    if !costs.is_empty() {
        sentence += &format!("; a full handshake costs {}", costs.join(joint));
    }
    Some(sentence + ".")
}

/// What either side pays, where the interval shows whether it is more or less.
fn costs(pair: &Pair<'_>) -> Option<String> {
    let side = |metric: Metric| {
        let Quantity { value, low, high, .. } = pair.new.more_than(&pair.old, metric).ok()?;
        let more = match (low > 0.0, high < 0.0) {
            (true, _) => format!("{} µs more", number::within_interval(value, low, high)),
            (_, true) => format!("{} µs less", number::within_interval(-value, -high, -low)),
            _ => return None,
        };
        Some(format!("the {} {more}", metric.name()))
    };
    let sides: Vec<String> = [Metric::Client, Metric::Server].into_iter().filter_map(side).collect();
    (!sides.is_empty()).then(|| sides.join(" and "))
}

/// "1184 bytes more", or from the least to the most where the libraries differ.
fn bytes(alike: &[&Pair<'_>], count: fn(&Proof) -> u64) -> Option<String> {
    let counts: Vec<i64> = alike.iter().filter_map(|pair| pair.bytes(count)).collect();
    let (least, most) = (*counts.iter().min()?, *counts.iter().max()?);
    Some(match (least, most) {
        (0, 0) => "as many bytes".to_owned(),
        _ if most < 0 => format!("{} bytes less", range(-most, -least)),
        _ => format!("{} bytes more", range(least, most)),
    })
}

fn range(least: i64, most: i64) -> String {
    if least == most { least.to_string() } else { format!("{least} to {most}") }
}

/// The handshake whose server sends the most, if that is more than TCP lets through at once.
pub(super) fn window(items: &[Found<'_>]) -> Option<String> {
    let sent = |item: &&Found<'_>| item.measurement.proof().map_or(0, |proof| proof.server_bytes);
    let post_quantum = |item: &&Found<'_>| item.work.params.key.is_post_quantum();
    let largest = items.iter().filter(post_quantum).max_by_key(sent)?;
    let trips = largest.facts.network.more_round_trips(sent(&largest))?;
    Some(format!(
        "With {} and {} certificates in the chain the server sends {} bytes: {trips}.",
        key(largest.work.params.key),
        largest.work.chain,
        sent(&largest)
    ))
}
