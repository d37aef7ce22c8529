//! What a load is: its two ends, whether it moves a large file, and how its connections begin.

use tlstax_spec::{Load, Resumption};
use tlstax_stats::{Percent, Ratio};

use crate::ask::{Item, grouped};
use crate::model::Quantity;

pub(crate) type Found<'a> = Item<'a, Load>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ends<'a> {
    pub server: &'a str,
    pub client: &'a str,
}

impl<'a> Ends<'a> {
    pub fn of(item: &Found<'a>) -> Self {
        Self { server: item.library(), client: &item.work.client }
    }

    pub fn caption(&self) -> String {
        format!("{} as the server, {} as the client", self.server, self.client)
    }

    /// Both in brackets after a sentence.
    pub fn named(&self) -> String {
        format!("server {}, client {}", self.server, self.client)
    }

    /// Both where space is short: one name for a library that is its own client.
    pub fn title(&self) -> String {
        if self.server == self.client { self.server.to_owned() } else { self.named() }
    }
}

pub(crate) fn by_ends<'a>(items: &[Found<'a>]) -> Vec<(Ends<'a>, Vec<Found<'a>>)> {
    grouped(items.iter().copied(), Ends::of)
}

/// Bytes from which on a body is a large file.
const LARGE: u32 = 1 << 20;

/// Bytes from which on a request stands among the transfers only, and not among the requests.
const HUGE: u32 = 16 << 20;

/// Whether a load moves a large file over a connection that is kept, or one file at a time.
pub(crate) fn is_transfer(work: &Load) -> bool {
    work.body >= LARGE
        && work.rate == 0
        && work.work_us == 0
        && (work.requests_per_connection == 0 || work.connections == 1)
}

pub(crate) fn is_only_a_transfer(work: &Load) -> bool {
    is_transfer(work) && work.body >= HUGE
}

pub(crate) fn is_null(work: &Load) -> bool {
    work.params.is_some_and(|params| params.suite.name().contains("_WITH_NULL_"))
}

/// The column of [`hit_rate`], in an introduction.
pub(crate) const HIT_RATE: &str =
    "Resumed: the share of handshakes that the server, or both sides, say were resumed.";

/// What the kinds of resumption among some loads mean; empty where there are none.
pub(crate) fn resumptions(items: &[Found<'_>]) -> String {
    let kinds = RESUMPTIONS.iter().filter(|(kind, _)| {
        items.iter().any(|item| item.work.params.is_some() && item.work.resumption == *kind)
    });
    kinds.map(|(kind, meaning)| format!("{kind}: {meaning}.")).collect::<Vec<_>>().join(" ")
}

const RESUMPTIONS: [(Resumption, &str); 4] = [
    (Resumption::SessionId, "resumes from the server's cache (TLS 1.2)"),
    (Resumption::Ticket, "resumes by a ticket that the client keeps (TLS 1.2)"),
    (Resumption::Psk, "resumes by a pre-shared key from a ticket (TLS 1.3)"),
    (Resumption::EarlyData, "resumes, with the request in the first flight (TLS 1.3, 0-RTT)"),
];

pub(crate) fn resumes(item: &Found<'_>) -> bool {
    item.work.params.is_some() && item.work.resumption != Resumption::Full
}

/// Of all handshakes so many resumed, in percent; none where none was to resume.
pub(crate) fn hit_rate(item: &Found<'_>) -> Option<Quantity> {
    let proof = item.measurement.proof().filter(|proof| resumes(item) && proof.handshakes > 0)?;
    let Percent(resumed) = Ratio(proof.resumed as f64 / proof.handshakes as f64).percent();
    Some(Quantity::exact(resumed, "%"))
}
