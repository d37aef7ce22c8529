//! Operations without a message size: signatures, key exchange, key derivation.

use tlstax_doc::Metric;
use tlstax_spec::{Algorithm, Class, Op, Pattern, Primitive};

use crate::ask::{Facts, Item, find, libraries, works};
use crate::grid::{Cross, Grid, Measure, too_many};
use crate::label::operation;
use crate::model::{Quantity, Section, Table};
use crate::notes::notes;
use crate::phrase;
use crate::told::one_each;

type Found<'a> = Item<'a, Primitive>;

/// Pairs that people choose between, for the sentences.
const CHOICES: &[(Algorithm, Algorithm, Op, &str)] = &[
    (Algorithm::Rsa2048, Algorithm::EcdsaP256, Op::Sign, "Signing"),
    (Algorithm::EcdsaP256, Algorithm::Rsa2048, Op::Verify, "Verifying"),
    (Algorithm::Rsa4096, Algorithm::Rsa2048, Op::Sign, "Signing"),
    (Algorithm::EcdhP256, Algorithm::X25519, Op::Derive, "Deriving"),
];

/// What a server and both sides do in the handshakes of most connections.
const USUAL: [(Algorithm, Op); 3] =
    [(Algorithm::EcdsaP256, Op::Sign), (Algorithm::Rsa2048, Op::Sign), (Algorithm::X25519, Op::Derive)];

/// Algorithms that stand in one table where there are many libraries.
const FAMILIES: &[(&str, &[Class])] = &[
    ("Signatures", &[Class::Signature]),
    ("Key exchange", &[Class::KeyAgreement, Class::Kem]),
    ("Key derivation", &[Class::Kdf]),
];

pub(crate) fn section(facts: &Facts<'_>) -> Option<Section> {
    let mut items = facts.primitives();
    items.retain(|item| {
        let class = item.work.algorithm.class();
        !class.is_sized() && class != Class::Setup && item.case.threads == 1 && !item.is_control()
    });
    if items.is_empty() {
        return None;
    }
    // In the order of the results, before the items are sorted.
    let libraries = libraries(&items);
    items.sort_by_key(|item| (item.work.algorithm, item.work.op, item.work.pattern));
    let tables = match too_many(&libraries) {
        true => by_family(&items, &libraries),
        false => by_operation(&items, &libraries).into_iter().collect(),
    };
    let costs = costs(&items, &libraries, |work| work.pattern == Pattern::Tls);
    let section = Section::new("public-keys", "Signatures and key exchange", intro(&items, &libraries))
        .with(tables)
        .with(costs.chart("CPU time of one operation", true))
        .with(notes(items.iter().map(|item| item.measurement)));
    Some(section.saying(sentences(&items, &libraries)).answering(answers(&items, &libraries)))
}

fn intro(items: &[Found<'_>], libraries: &[&str]) -> String {
    let rate = if too_many(libraries) { "" } else { ", and operations per second of one core" };
    let mut intro = format!(
        "CPU microseconds of one operation{rate}. A signature includes the hash of the transcript, as in TLS."
    );
    if items.iter().any(|item| item.work.pattern == Pattern::Speed) {
        intro += " (speed) marks the calls of openssl speed.";
    }
    intro
}

/// One row per operation, with the libraries beside each other.
fn by_operation<'a>(items: &[Found<'a>], libraries: &[&'a str]) -> Option<Table> {
    let first = *libraries.first()?;
    let of_library = |&library: &&'a str| {
        let made = move |library, like: &Found<'_>| like.by(library, items);
        let cost = move |like: &Found<'_>| Some(made(library, like)?.micros(Metric::Cpu));
        let rate = move |like: &Found<'_>| {
            let cost = made(library, like)?.cost(Metric::Cpu).ok()?;
            Some(Quantity::rate(1e9, &cost, "1/s"))
        };
        let speed = move |like: &Found<'_>| made(first, like)?.percent(&made(library, like)?, Metric::Cpu);
        let speed =
            (library != first).then(|| Measure::quantity(format!("of {first}"), "%", speed).ranked(1));
        let own = [Measure::quantity(library, "µs", cost), Measure::plain("", "1/s", rate).ranked(2)];
        own.into_iter().chain(speed)
    };
    let named = |item: Found<'a>| ([item.work.algorithm.name().to_owned(), operation(item.work)], item);
    let beside = if libraries.len() > 1 { format!("; % is the speed beside {first}") } else { String::new() };
    Grid::new(["algorithm", "operation"], works(items).into_iter().map(named))
        .measures(libraries.iter().flat_map(of_library))
        .table(format!("Public key operations and key derivation{beside}"))
}

fn by_family(items: &[Found<'_>], libraries: &[&str]) -> Vec<Table> {
    let of_family = |(caption, classes): &(&str, &[Class])| {
        let costs = costs(items, libraries, |work| classes.contains(&work.algorithm.class()));
        costs.by_library(*caption)
    };
    FAMILIES.iter().filter_map(of_family).collect()
}

/// What each library needs for the operations that are wanted.
fn costs<'a>(
    items: &[Found<'a>],
    libraries: &[&str],
    is_wanted: impl Fn(&Primitive) -> bool,
) -> Cross<'a, Found<'a>> {
    let wanted = works(items).into_iter().filter(|item| is_wanted(item.work));
    let named = wanted.map(|item| ([format!("{} {}", item.work.algorithm, operation(item.work))], item));
    Cross::new("operation", named, libraries, |library, like| like.by(library, items))
        .measure(Measure::micros("{}", Metric::Cpu))
}

/// What the usual operations take; where none of them was measured, what those that were take.
fn answers(items: &[Found<'_>], libraries: &[&str]) -> Vec<String> {
    let answer = |work: &Primitive| {
        let cost = |library: &&str| {
            Some(((*library).to_owned(), find(items, library, work)?.micros(Metric::Cpu).ok()?))
        };
        let costs = one_each(libraries.iter().filter_map(cost).collect())?;
        Some(format!("{} with {} takes {costs}.", doing(work.op), work.algorithm))
    };
    let usual = USUAL.map(|(algorithm, op)| Primitive { op, algorithm, size: 0, pattern: Pattern::Tls });
    let answers: Vec<String> = usual.iter().filter_map(answer).collect();
    match answers.is_empty() {
        true => works(items).iter().filter_map(|item| answer(item.work)).take(USUAL.len()).collect(),
        false => answers,
    }
}

fn doing(op: Op) -> &'static str {
    match op {
        Op::Sign => "Signing",
        Op::Verify => "Verifying",
        Op::Keygen => "Making a key",
        Op::Encapsulate => "Encapsulating",
        Op::Decapsulate => "Decapsulating",
        _ => "Deriving",
    }
}

fn sentences(items: &[Found<'_>], libraries: &[&str]) -> Vec<String> {
    let made = |library: &str, algorithm: Algorithm, op: Op| {
        find(items, library, &Primitive { op, algorithm, size: 0, pattern: Pattern::Tls })
    };
    let sentence = |&(a, b, op, doing): &(Algorithm, Algorithm, Op, &str)| {
        let ratio = |library: &str| made(library, a, op)?.ratio(&made(library, b, op)?, Metric::Cpu);
        phrase::by_library(libraries, ratio, a.name(), b.name(), |dear, multiple, cheap| {
            format!("{doing} with {dear} costs {multiple} {} with {cheap}", doing.to_lowercase())
        })
    };
    CHOICES.iter().filter_map(sentence).collect()
}
