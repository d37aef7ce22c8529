//! The two tables of a library's suites, joined by their numbers: what each is, and what it costs.

use tlstax_doc::Metric;
use tlstax_spec::{Bulk, Handshake, Key, Suite, SuiteFacts};
use tlstax_stats::Estimate;

use super::list::{ListedSuite, SuiteList};
use crate::ask::{Facts, Item};
use crate::model::{Cell, Column, Row, Table};

/// A heading, whether the suite's own name says as much, and the fact.
type Fact = (&'static str, bool, fn(&SuiteFacts) -> String);

const FACTS: [Fact; 7] = [
    ("OpenSSL name", false, |facts| facts.openssl.clone().unwrap_or_default()),
    ("TLS", false, |facts| if facts.tls13 { "1.3" } else { "1.2" }.to_owned()),
    ("key exchange", true, |facts| facts.exchange.clone()),
    ("authentication", true, |facts| facts.authentication.clone()),
    ("forward secrecy", false, |facts| {
        facts.forward_secrecy.map_or("", |is_so| if is_so { "yes" } else { "no" }).to_owned()
    }),
    ("cipher", true, |facts| facts.cipher.clone()),
    ("MAC", true, |facts| facts.mac.clone()),
];

/// The last column, where any suite is weak.
const WEAK: Fact = ("weak today", false, |facts| {
    facts.weak.iter().map(|weakness| weakness.word()).collect::<Vec<_>>().join(", ")
});

/// The number and the name of a suite, before all else.
fn labels() -> [Column; 2] {
    [Column { numeric: true, ..Column::label("#") }, Column::label("suite")]
}

fn numbered(place: usize, name: &str) -> [Cell; 2] {
    [Cell::text((place + 1).to_string()), Cell::text(name)]
}

pub(super) fn fact_table(list: &SuiteList) -> Table {
    let facts: Vec<SuiteFacts> = list.suites.iter().map(|suite| SuiteFacts::of(&suite.name)).collect();
    let has_weak = facts.iter().any(|facts| !facts.weak.is_empty());
    let columns: Vec<Fact> = FACTS.into_iter().chain(has_weak.then_some(WEAK)).collect();
    let row = |(place, (suite, facts)): (usize, (&ListedSuite, &SuiteFacts))| {
        let cells = columns.iter().map(|(.., cell)| Cell::text(cell(facts)));
        Row::plain(numbered(place, &suite.name).into_iter().chain(cells).collect())
    };
    let column = |(title, is_in_name, _): &Fact| Column::words(*title).ranked(u8::from(*is_in_name));
    let count = list.suites.len();
    Table {
        caption: format!("{count} suite{}", if count == 1 { "" } else { "s" }),
        columns: labels().into_iter().chain(columns.iter().map(column)).collect(),
        rows: list.suites.iter().zip(&facts).enumerate().map(row).collect(),
    }
}

/// What each suite costs, under the shorter of its names: a row for each key that fits, or one with the reason why there is
/// none.
pub(super) fn cost_table(library: &str, list: &SuiteList, costs: &Costs<'_>) -> Table {
    let handshakes = ["server", "client"].map(|side| Column::quantity(format!("handshake {side}"), "µs"));
    let bulk = ["server sends", "client receives"].map(|side| Column::quantity(side, "s/GB"));
    let rows = list.suites.iter().enumerate().flat_map(|(place, suite)| {
        let name = SuiteFacts::of(&suite.name).openssl.unwrap_or_else(|| suite.name.clone());
        let row = move |cells| Row::plain(numbered(place, &name).into_iter().chain(cells).collect());
        costs_of(library, suite, costs).into_iter().map(row)
    });
    Table {
        caption: "CPU time: a full handshake, and bulk data".to_owned(),
        columns: labels().into_iter().chain([Column::words("key")]).chain(handshakes).chain(bulk).collect(),
        rows: rows.collect(),
    }
}

/// The key and the four costs, for each key that a suite was measured with.
fn costs_of(library: &str, listed: &ListedSuite, costs: &Costs<'_>) -> Vec<[Cell; 5]> {
    let hole = |reason: &str| {
        let hole = || Cell::Hole { reason: reason.to_owned() };
        vec![[Cell::Empty, hole(), hole(), hole(), hole()]]
    };
    let keys = match &listed.keys {
        Ok(keys) => keys,
        Err(why) => return hole(why),
    };
    let suite: Option<Suite> = listed.name.parse().ok();
    let row = |(nth, key): (usize, &Key)| {
        let handshake = suite.and_then(|suite| costs.handshake(library, suite, *key));
        // Bulk data were measured once: no key matters there.
        let bulk = suite.and_then(|suite| costs.bulk(library, suite)).filter(|_| nth == 0);
        let micros = |metric| handshake.map(|item| item.micros(metric)).into();
        let gigabyte = |metric| bulk.map(|item| item.per_gigabyte(metric, item.work.buffer)).into();
        let [server, client] = [Metric::Server, Metric::Client];
        [Cell::text(key.name()), micros(server), micros(client), gigabyte(server), gigabyte(client)]
    };
    keys.iter().enumerate().map(row).collect()
}

/// The handshakes and the transfers of suites among the measurements of a run.
pub(super) struct Costs<'a> {
    handshakes: Vec<Item<'a, Handshake>>,
    bulks: Vec<Item<'a, Bulk>>,
}

impl<'a> Costs<'a> {
    pub fn of(facts: &'a Facts<'a>) -> Self {
        Self { handshakes: facts.handshakes(), bulks: facts.bulks() }
    }

    pub fn handshake(&self, library: &str, suite: Suite, key: Key) -> Option<Item<'a, Handshake>> {
        let params = |item: &Item<'_, Handshake>| (item.work.params.suite, item.work.params.key);
        let is_it = |item: &&Item<'_, _>| item.library() == library && params(item) == (suite, key);
        self.handshakes.iter().find(is_it).copied()
    }

    pub fn bulk(&self, library: &str, suite: Suite) -> Option<Item<'a, Bulk>> {
        let is_it = |item: &&Item<'_, Bulk>| item.library() == library && item.work.params.suite == suite;
        self.bulks.iter().find(is_it).copied()
    }

    /// Nanoseconds of the server's CPU time for a byte.
    pub fn byte(&self, item: &Item<'_, Bulk>) -> Option<Estimate> {
        item.per_byte(Metric::Server, item.work.buffer).ok()
    }
}
