//! Large files in words: what sendfile is worth, what encryption adds, how ciphers and clients differ.

use tlstax_doc::Metric;
use tlstax_spec::{Direction, Load, Suite};

use crate::ask::furthest;
use crate::label::{cipher, version};
use crate::loads::{Ends, Found, Pair, is_null, pairs};
use crate::model::Quantity;
use crate::number;
use crate::phrase;
use crate::told::told;

/// At most four, each of the first server and client whose intervals support it.
pub(super) fn sentences(items: &[Found<'_>]) -> Vec<String> {
    let pairs = pairs(items);
    let encrypted: Vec<&Pair<'_>> = pairs
        .iter()
        .filter(|pair| !is_null(pair.https.work) && pair.https.work.direction == Direction::Download)
        .collect();
    let all = [
        encrypted.iter().find_map(|pair| sendfile(pair)),
        encrypted.iter().find_map(|pair| encryption(pair)),
        items.iter().filter(|item| is_null(item.work)).find_map(|null| mac(items, null)),
        clients(items),
    ];
    all.into_iter().flatten().collect()
}

/// What a gigabyte costs the server with TLS and without, and what line a core of it feeds, by the encrypted download that costs its
/// client least, from a server that people run if there is one; how much ciphers differ.
pub(super) fn answers(items: &[Found<'_>]) -> Vec<String> {
    let answer = |pair: &Pair<'_>| {
        let is_download = pair.https.work.direction == Direction::Download && !is_null(pair.https.work);
        let (https, http) = (server(&pair.https).filter(|_| is_download)?, server(&pair.http)?);
        let what = format!("{} with {}", version(pair.params.version), cipher(pair.params.suite));
        let [with, without] = [&https, &http].map(|cost| told(&Quantity { unit: "s", ..cost.clone() }));
        let ends = Ends::of(&pair.https).named();
        Some(vec![
            format!(
                "A gigabyte costs the server {with} of CPU time over {what} and {without} over HTTP ({ends})."
            ),
            format!(
                "One core of the server feeds a line of {} over {what} and of {} over HTTP ({ends}).",
                told(&line(&https)),
                told(&line(&http))
            ),
        ])
    };
    let mut pairs = pairs(items);
    let client = |pair: &Pair<'_>| pair.https.cost(Metric::Client).map_or(f64::INFINITY, |cost| cost.value);
    pairs.sort_by(|a, b| client(a).total_cmp(&client(b)));
    pairs.sort_by_key(|pair| !pair.https.facts.is_real_server(pair.https.library()));
    let answers: Vec<String> = pairs.iter().find_map(answer).unwrap_or_default();
    answers.into_iter().chain(ciphers(&pairs)).collect()
}

/// The cheapest and the dearest cipher of the downloads that one server sends to one client, for either side.
fn ciphers(pairs: &[Pair<'_>]) -> Option<String> {
    let first = pairs.iter().find(|pair| pair.https.work.direction == Direction::Download)?.https;
    let alike = |item: &Found<'_>| {
        item.library() == first.library()
            && is_same_but_for_params(item.work, first.work)
            && !is_null(item.work)
    };
    let sides = |pair: &Pair<'_>| {
        let item = Some(pair.https).filter(alike)?;
        let client = item.per_gigabyte(Metric::Client, item.work.body).ok()?;
        let name = format!("{} with {}", version(pair.params.version), cipher(pair.params.suite));
        Some((name, [server(&item)?, client].map(|cost| Quantity { unit: "s", ..cost })))
    };
    let mut costs: Vec<_> = pairs.iter().filter_map(sides).collect();
    costs.sort_by(|(_, [a, _]), (_, [b, _])| a.value.total_cmp(&b.value));
    let [(cheap, least), .., (dear, most)] = costs.as_slice() else { return None };
    Some(format!(
        "The cheapest suite costs the server {} a gigabyte and the client {} ({cheap}), the dearest {} and {} ({dear}; {}).",
        told(&least[0]),
        told(&least[1]),
        told(&most[0]),
        told(&most[1]),
        Ends::of(&first).named()
    ))
}

/// The line that a side fills which is busy for so many seconds with each gigabyte.
fn line(cost: &Quantity) -> Quantity {
    let [value, low, high] = [cost.value, cost.high, cost.low].map(|seconds| 8.0 / seconds);
    Quantity { value, low, high, unit: "Gbit/s", ..cost.clone() }
}

fn seconds(cost: &Quantity) -> String {
    number::within_interval(cost.value, cost.low, cost.high)
}

fn server(item: &Found<'_>) -> Option<Quantity> {
    item.per_gigabyte(Metric::Server, item.work.body).ok()
}

/// What HTTP without sendfile costs.
fn sendfile(pair: &Pair<'_>) -> Option<String> {
    let copied = pair.copied?;
    let ratio = copied.ratio(&pair.http, Metric::Server)?;
    let dearer = phrase::dearer(&ratio, "HTTP without sendfile", "HTTP with sendfile", "costs the server")?;
    Some(format!("On this machine {dearer} for a large file ({}).", Ends::of(&pair.http).named()))
}

/// What encryption adds to that, in seconds for a gigabyte.
fn encryption(pair: &Pair<'_>) -> Option<String> {
    let (https, http) = (server(&pair.https)?, server(&pair.http)?);
    let added = https.minus(&http);
    // A difference that may be nothing is not worth a sentence.
    (added.low > 0.0).then_some(())?;
    let lost = pair.copied.and_then(|copied| server(&copied)).map(|copied| copied.minus(&http));
    let parts = lost.filter(|lost| lost.low > 0.0).map(|lost| {
        let rest = added.minus(&lost);
        let rest = if rest.low > 0.0 { seconds(&rest) } else { "little".to_owned() };
        format!(
            ": {} of it are the loss of sendfile, {rest} the records and their encryption",
            seconds(&lost)
        )
    });
    let what = format!("{} with {}", version(pair.params.version), cipher(pair.params.suite));
    Some(format!(
        "{what} adds {} s of server CPU to the {} s that a gigabyte costs over HTTP ({}){}.",
        seconds(&added),
        seconds(&http),
        Ends::of(&pair.https).named(),
        parts.unwrap_or_default()
    ))
}

/// A suite that encrypts nothing beside AES-GCM of the same kind.
fn mac(items: &[Found<'_>], null: &Found<'_>) -> Option<String> {
    let alike = |item: &&Found<'_>| {
        let is_gcm = item.work.params.is_some_and(|params| cipher(params.suite).starts_with("AES_128_GCM"));
        is_gcm && item.library() == null.library() && is_same_but_for_params(item.work, null.work)
    };
    let gcm = items.iter().find(alike)?;
    let ratio = null.ratio(gcm, Metric::Server)?;
    let [null_suite, gcm_suite] =
        [null, gcm].map(|item| cipher(suite(item.work).unwrap_or(Suite::Aes128Gcm)));
    let dearer = phrase::dearer(&ratio, &null_suite, &gcm_suite, "costs the server")?;
    Some(format!(
        "{dearer} ({}), although it encrypts nothing: it makes a message authentication code of every byte.",
        Ends::of(null).named()
    ))
}

fn suite(work: &Load) -> Option<Suite> {
    work.params.map(|params| params.suite)
}

fn is_same_but_for_params(a: &Load, b: &Load) -> bool {
    Load { params: a.params, ..b.clone() } == *a
}

/// The two clients that are furthest apart for the same encrypted file.
fn clients(items: &[Found<'_>]) -> Option<String> {
    let first = items.iter().find(|item| item.work.params.is_some() && !is_null(item.work))?;
    let alike = |item: &&Found<'_>| {
        let same = Load { client: first.work.client.clone(), ..item.work.clone() } == *first.work;
        same && item.library() == first.library() && item.case.threads == first.case.threads
    };
    let names: Vec<&str> = items.iter().filter(alike).map(|item| item.work.client.as_str()).collect();
    let by = |client: &str| items.iter().filter(alike).find(|item| item.work.client == client).copied();
    let (a, b, ratio) = furthest(&names, Metric::Client, by)?;
    let what = format!("a large {} with {}", first.work.direction, cipher(suite(first.work)?));
    phrase::libraries(&ratio, &what, a, b, "costs, in CPU time,")
}
