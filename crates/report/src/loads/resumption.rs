//! Loads whose connections resume: how many did, and what the kinds mean.

use tlstax_spec::Resumption;
use tlstax_stats::{Percent, Ratio};

use super::item::Found;
use crate::model::Quantity;

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

/// Whether connections of a load are to resume a session.
pub(crate) fn resumes(item: &Found<'_>) -> bool {
    item.work.params.is_some() && item.work.resumption != Resumption::Full
}

/// Of all handshakes so many resumed, in percent; none where none was to resume.
pub(crate) fn hit_rate(item: &Found<'_>) -> Option<Quantity> {
    let proof = item.measurement.proof().filter(|proof| resumes(item) && proof.handshakes > 0)?;
    let Percent(resumed) = Ratio(proof.resumed as f64 / proof.handshakes as f64).percent();
    Some(Quantity::exact(resumed, "%"))
}
