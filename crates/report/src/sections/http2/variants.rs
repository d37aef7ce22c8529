//! [`Variants`]: one request over either version of HTTP, with TLS and without, and what that says of either.

use tlstax_doc::Metric;
use tlstax_spec::{Http, Load};

use crate::label::{Labels, way};
use crate::loads::{Ends, Found, plain_over};
use crate::model::Quantity;
use crate::number;
use crate::told::told;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Variant {
    Http,
    Https,
    H2c,
    H2,
}

impl Variant {
    pub const ALL: [Self; 4] = [Self::Http, Self::Https, Self::H2c, Self::H2];

    pub fn name(self) -> &'static str {
        match self {
            Self::Http => way(Http::Http1, false),
            Self::Https => way(Http::Http1, true),
            Self::H2c => way(Http::Http2, false),
            Self::H2 => way(Http::Http2, true),
        }
    }
}

/// Differences between two variants, by what they are due to. The second and the third add up to the first.
pub(super) const DIFFERENCES: [(&str, Variant, Variant); 4] = [
    ("all", Variant::H2, Variant::Http),
    ("TLS", Variant::Https, Variant::Http),
    ("HTTP/2", Variant::H2, Variant::Https),
    ("HTTP/2 without TLS", Variant::H2c, Variant::Http),
];

#[derive(Clone, Copy)]
pub(super) struct Variants<'a> {
    /// With TLS, over either version of HTTP: names the row.
    pub like: Found<'a>,
    /// In the order of [`Variant::ALL`].
    found: [Option<Found<'a>>; 4],
}

impl<'a> Variants<'a> {
    pub fn get(&self, variant: Variant) -> Option<Found<'a>> {
        self.found[variant as usize]
    }

    /// What the server spends more on one variant than on the other.
    pub fn difference(&self, more: Variant, less: Variant) -> Option<Quantity> {
        self.get(more)?.more_than(&self.get(less)?, Metric::Server).ok()
    }
}

/// The requests that were made over HTTP/2 and in at least one other variant.
pub(super) fn variants<'a>(items: &[Found<'a>]) -> Vec<Variants<'a>> {
    let of = |like: &Found<'a>| {
        let with_tls = |http| like.partner(&Load { http, ..like.work.clone() }, items);
        let plain = |http| plain_over(items, like, http, true);
        let found = [plain(Http::Http1), with_tls(Http::Http1), plain(Http::Http2), with_tls(Http::Http2)];
        Variants { like: *like, found }
    };
    let mut all: Vec<Variants<'_>> = Vec::new();
    for one in items.iter().filter(|item| item.work.params.is_some()).map(of) {
        let has_http2 = one.get(Variant::H2).or(one.get(Variant::H2c)).is_some();
        let is_compared = has_http2 && one.found.iter().flatten().count() > 1;
        let with_tls = |known: &Variants<'a>| [known.get(Variant::Https), known.get(Variant::H2)];
        let is_known = all.iter().flat_map(with_tls).flatten().any(|known| known.index == one.like.index);
        if is_compared && !is_known {
            all.push(one);
        }
    }
    all
}

/// The sentences with the interval of each figure.
pub(super) fn answers(groups: &[(Ends<'_>, Vec<Variants<'_>>)], labels: &Labels<Load>) -> Vec<String> {
    said(groups, labels, |cost| match cost.value < 0.0 {
        true => told(&Quantity { value: -cost.value, low: -cost.high, high: -cost.low, ..cost.clone() }),
        false => told(cost),
    })
}

/// At most four: where HTTP/2 over TLS costs more than HTTP/1.1 without, how much of that is which.
pub(super) fn sentences(groups: &[(Ends<'_>, Vec<Variants<'_>>)], labels: &Labels<Load>) -> Vec<String> {
    said(groups, labels, |cost| {
        format!("{} µs", number::within_interval(cost.value.abs(), cost.low, cost.high))
    })
}

fn said(
    groups: &[(Ends<'_>, Vec<Variants<'_>>)],
    labels: &Labels<Load>,
    shown: impl Fn(&Quantity) -> String,
) -> Vec<String> {
    let sentence = |ends: &Ends<'_>, request: &Variants<'_>| {
        let less = |more, less| request.difference(more, less);
        let all = less(Variant::H2, Variant::Http).filter(|all| all.low > 0.0)?;
        let tls = less(Variant::Https, Variant::Http)?;
        let http2 = less(Variant::H2, Variant::Https)?;
        Some(format!(
            "A request ({}) costs the server {} more over h2 than over HTTP ({}): TLS {}, HTTP/2 {}.",
            labels.name(&request.like),
            shown(&all),
            ends.named(),
            change(&tls, &shown),
            change(&http2, &shown),
        ))
    };
    let of_group = |(ends, requests): &(Ends<'_>, Vec<Variants<'_>>)| {
        requests.iter().filter_map(|request| sentence(ends, request)).collect::<Vec<_>>()
    };
    groups.iter().flat_map(of_group).take(4).collect()
}

/// What a part adds or saves, where its interval decides which.
fn change(part: &Quantity, shown: impl Fn(&Quantity) -> String) -> String {
    match part {
        part if part.low > 0.0 => format!("adds {}", shown(part)),
        part if part.high < 0.0 => format!("saves {}", shown(part)),
        _ => "adds nothing that can be told from noise".to_owned(),
    }
}
