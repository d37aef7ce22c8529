//! Requests over loopback: how many, who was the limit, and what HTTPS adds to HTTP.

mod answers;
mod latency;
mod requests;
mod sentences;
mod side_by_side;

use tlstax_spec::{Http, Load};
use tlstax_stats::Percent;

use crate::ask::{Facts, libraries};
use crate::label::{CLIENT, LOAD, Labels};
use crate::loads::{
    Found, HIT_RATE, SATURATED, by_ends, fitted, has_own_core, is_only_a_transfer, pairs, remarks, resumes,
    resumptions,
};
use crate::model::Section;

pub(crate) fn section(facts: &Facts<'_>) -> Option<Section> {
    let mut items = facts.loads();
    items.retain(|item| !is_only_a_transfer(item.work));
    if items.is_empty() {
        return None;
    }
    let mut embedded = items.clone();
    embedded.retain(|item| !item.is_control() && !facts.is_real_server(item.library()));
    let (pairs, embedded) = (pairs(&embedded), libraries(&embedded));
    let labels = Labels::except(&[CLIENT], LOAD, &items);
    let groups = by_ends(&items);
    let section = Section::new("load", "Requests", intro(&items, &labels))
        .with(groups.iter().filter_map(|(ends, own)| requests::table(own, ends, &labels)))
        .with(side_by_side::tables(&items))
        .with(side_by_side::differences(&pairs, &embedded))
        .with(fitted(&pairs, &embedded))
        .with(side_by_side::chart(&items))
        .with(remarks(&items));
    Some(section.saying(sentences::sentences(&pairs, &embedded)).answering(answers::answers(&items)))
}

const CLOSED: &str = "Closed loop: the next request waits for the last answer.";

const OPEN: &str = "\
    Open loop: requests are begun at the offered rate, answered or not, and their latency counts from when they were \
    due (corrected for coordinated omission).";

const HTTP2: &str = "h2: HTTP/2 over TLS; h2c: HTTP/2 without TLS.";

const ALL_CORES: &str = "\
    A server of several workers, or not pinned, has all cores, the client's too: \"all\" where both together take as \
    much of them.";

/// What the reader has to know of these loads, and of no others.
fn intro(items: &[Found<'_>], labels: &Labels<Load>) -> String {
    let any = |is_it: &dyn Fn(&Found<'_>) -> bool| items.iter().any(is_it);
    let has_http2 = any(&|item| item.work.http == Http::Http2);
    let what = if has_http2 { "Requests" } else { "HTTP/1.1" };
    let common = labels.unsaid();
    let Percent(percent) = SATURATED.percent();
    let parts = [
        (true, format!("{what} over loopback, server and client each on a core of its own: {common}.")),
        (true, "New: a connection per request.".to_owned()),
        (any(&|item| item.work.rate == 0), CLOSED.to_owned()),
        (any(&|item| item.work.rate > 0), OPEN.to_owned()),
        (has_http2, HTTP2.to_owned()),
        (
            true,
            format!(
                "Busy: server's / client's share of the elapsed time, * where {percent:.0} % or more and so the \
                 limit."
            ),
        ),
        (any(&|item| !has_own_core(item.work)), ALL_CORES.to_owned()),
        (any(&resumes), format!("{} {HIT_RATE}", resumptions(items))),
        (any(&latency::is_recorded), "Latency includes connecting.".to_owned()),
        (true, "(sys%) is the kernel's part.".to_owned()),
    ];
    parts.into_iter().filter_map(|(applies, part)| applies.then_some(part)).collect::<Vec<_>>().join(" ")
}
