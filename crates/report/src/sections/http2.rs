//! The same requests over HTTP/1.1 and HTTP/2, with TLS and without: what of the rise is which.

use tlstax_spec::{Http, Load};

use super::load::{Ends, Found, bound, by_ends, of_server, plain_over};
use super::transfers::is_only_a_transfer;
use crate::ask::Facts;
use crate::label::{Labels, PACED, way};
use crate::model::{Block, Cell, Chart, Column, Quantity, Row, Section, Series, Table};
use crate::number;

const INTRO: &str = "\
    CPU time of the server for one request. HTTP: HTTP/1.1 without TLS, HTTPS: HTTP/1.1 over TLS, h2c: HTTP/2 without \
    TLS, h2: HTTP/2 over TLS. At an offered rate, (%) is the server's share of its core: what a quiet site sees. \
    As fast as it goes: the next request waits for the last answer only.";

/// One request in all four ways.
struct Four<'a> {
    /// With TLS, over either version of HTTP: names the row.
    like: Found<'a>,
    http: Option<Found<'a>>,
    https: Option<Found<'a>>,
    h2c: Option<Found<'a>>,
    h2: Option<Found<'a>>,
}

impl<'a> Four<'a> {
    fn all(&self) -> [Option<Found<'a>>; 4] {
        [self.http, self.https, self.h2c, self.h2]
    }
}

/// The ways, in the order of [`Four::all`].
const WAYS: [(Http, bool); 4] =
    [(Http::Http1, false), (Http::Http1, true), (Http::Http2, false), (Http::Http2, true)];

/// Two ways of the same request, where they were measured.
type Two<'a> = (Option<Found<'a>>, Option<Found<'a>>);

type Pick = for<'a> fn(&Four<'a>) -> Two<'a>;

/// Differences between two ways, by what they tell. The second and the third add up to the first.
const DIFFERENCES: [(&str, Pick); 4] = [
    ("all", |four| (four.h2, four.http)),
    ("TLS", |four| (four.https, four.http)),
    ("HTTP/2", |four| (four.h2, four.https)),
    ("HTTP/2 without TLS", |four| (four.h2c, four.http)),
];

pub(crate) fn section(facts: &Facts<'_>) -> Option<Section> {
    let mut items = facts.loads();
    items.retain(|item| !is_only_a_transfer(item.work));
    if !items.iter().any(|item| item.work.http == Http::Http2) {
        return None;
    }
    let groups: Vec<(Ends<'_>, Vec<Four<'_>>)> = by_ends(&items)
        .into_iter()
        .map(|(ends, own)| (ends, fours(&own)))
        .filter(|(_, fours)| !fours.is_empty())
        .collect();
    let likes: Vec<Found<'_>> =
        groups.iter().flat_map(|(_, fours)| fours.iter().map(|four| four.like)).collect();
    if likes.is_empty() {
        return None;
    }
    let labels = Labels::of(PACED, &likes);
    let mut blocks = Vec::new();
    for (ends, fours) in &groups {
        blocks.push(Block::Table(costs(facts, fours, &labels, ends)));
        blocks.extend(differences(facts, fours, &labels, ends).map(Block::Table));
    }
    blocks.extend(groups.iter().map(|(ends, fours)| Block::Chart(chart(facts, fours, &labels, ends))));
    Some(Section {
        id: "http2".to_owned(),
        title: "HTTP/1.1 and HTTP/2".to_owned(),
        intro: format!("{INTRO} {}.", labels.unsaid()),
        blocks,
        sentences: groups
            .iter()
            .flat_map(|(ends, fours)| sentences(facts, fours, &labels, ends))
            .take(4)
            .collect(),
    })
}

/// The requests that were made over HTTP/2 and in at least one other way.
fn fours<'a>(items: &[Found<'a>]) -> Vec<Four<'a>> {
    let with = |like: &Found<'a>, http: Http| {
        let wanted = Load { http, ..like.work.clone() };
        let is_it = |item: &&Found<'_>| *item.work == wanted && item.case.threads == like.case.threads;
        items.iter().find(is_it).copied()
    };
    let mut fours: Vec<Four<'_>> = Vec::new();
    for like in items.iter().filter(|item| item.work.params.is_some()) {
        let [https, h2] = [Http::Http1, Http::Http2].map(|http| with(like, http));
        let [http, h2c] = [Http::Http1, Http::Http2].map(|http| plain_over(items, like, http, true));
        let found = Four { like: *like, http, https, h2c, h2 };
        let is_known = fours
            .iter()
            .any(|known| [known.https, known.h2].iter().flatten().any(|one| one.index == like.index));
        let is_compared =
            (found.h2.is_some() || found.h2c.is_some()) && found.all().iter().flatten().count() > 1;
        if is_compared && !is_known {
            fours.push(found);
        }
    }
    fours
}

fn costs(facts: &Facts<'_>, fours: &[Four<'_>], labels: &Labels<Load>, ends: &Ends<'_>) -> Table {
    let row = |four: &Four<'_>| {
        let each = four.all().map(|item| match item {
            Some(item) => Cell::of(of_server(facts, &item).map(|cost| cost.aside(busy(facts, &item)))),
            None => Cell::Empty,
        });
        Row::plain(std::iter::once(Cell::text(labels.name(&four.like))).chain(each).collect())
    };
    let columns = WAYS.map(|(http, has_tls)| Column::quantity(way(http, has_tls), "µs"));
    Table {
        caption: format!("{}: CPU time of the server for one request", ends.caption()),
        columns: std::iter::once(Column::label("requests")).chain(columns).collect(),
        rows: fours.iter().map(row).collect(),
    }
}

/// The server's share of its core at an offered rate.
fn busy(facts: &Facts<'_>, item: &Found<'_>) -> Option<String> {
    let bound = bound(facts, item).filter(|_| item.work.rate > 0)?;
    Some(number::percent(bound.server()))
}

/// What of the rise from HTTP/1.1 without TLS to HTTP/2 with it is which; only differences that some row has.
fn differences(
    facts: &Facts<'_>,
    fours: &[Four<'_>],
    labels: &Labels<Load>,
    ends: &Ends<'_>,
) -> Option<Table> {
    let all: Vec<(&str, Vec<Option<Quantity>>)> = DIFFERENCES
        .iter()
        .map(|(title, of)| (*title, fours.iter().map(|four| difference(facts, of(four))).collect::<Vec<_>>()))
        .filter(|(_, found)| found.iter().any(Option::is_some))
        .collect();
    let columns = all.iter().map(|(title, _)| Column::quantity(*title, "µs"));
    let row = |(place, four): (usize, &Four<'_>)| {
        let each = all.iter().map(|(_, found)| Cell::maybe(found[place].clone()));
        Row::plain(std::iter::once(Cell::text(labels.name(&four.like))).chain(each).collect())
    };
    (!all.is_empty()).then(|| Table {
        caption: format!(
            "{}: what of the rise is TLS (HTTPS less HTTP), and what is HTTP/2 (h2 less HTTPS; without TLS, h2c less \
             HTTP). All: h2 less HTTP",
            ends.caption()
        ),
        columns: std::iter::once(Column::label("requests")).chain(columns).collect(),
        rows: fours.iter().enumerate().map(row).collect(),
    })
}

/// The first of two ways less the second.
fn difference(facts: &Facts<'_>, (more, less): Two<'_>) -> Option<Quantity> {
    let cost = |item: Found<'_>| of_server(facts, &item).ok();
    Some(cost(more?)?.minus(&cost(less?)?))
}

fn chart(facts: &Facts<'_>, fours: &[Four<'_>], labels: &Labels<Load>, ends: &Ends<'_>) -> Chart {
    let point = |item: Option<Found<'_>>| item.map_or(Cell::Empty, |item| Cell::of(of_server(facts, &item)));
    let series = WAYS.iter().enumerate().map(|(place, (http, has_tls))| Series {
        name: way(*http, *has_tls).to_owned(),
        points: fours.iter().map(|four| point(four.all()[place])).collect(),
    });
    Chart {
        title: format!("{}: CPU time of the server for one request", ends.caption()),
        unit: "µs",
        log: false,
        labels: fours.iter().map(|four| labels.name(&four.like)).collect(),
        series: series.collect(),
    }
}

/// Where HTTP/2 over TLS costs more than HTTP/1.1 without: how much of that is which.
fn sentences(facts: &Facts<'_>, fours: &[Four<'_>], labels: &Labels<Load>, ends: &Ends<'_>) -> Vec<String> {
    let say = |four: &Four<'_>| {
        let all = difference(facts, (four.h2, four.http)).filter(|all| all.low > 0.0)?;
        let tls = difference(facts, (four.https, four.http))?;
        let http2 = difference(facts, (four.h2, four.https))?;
        Some(format!(
            "A request ({}) costs the server {} µs more over h2 than over HTTP ({}): TLS {}, HTTP/2 {}.",
            labels.name(&four.like),
            number::within_interval(all.value, all.low, all.high),
            ends.named(),
            change(&tls),
            change(&http2),
        ))
    };
    fours.iter().filter_map(say).collect()
}

/// What a part adds or saves, where its interval says which.
fn change(part: &Quantity) -> String {
    let told = number::within_interval(part.value.abs(), part.low, part.high);
    match part {
        part if part.low > 0.0 => format!("adds {told} µs"),
        part if part.high < 0.0 => format!("saves {told} µs"),
        _ => "adds nothing that can be told from noise".to_owned(),
    }
}
