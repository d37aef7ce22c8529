//! Requests over loopback: how many, who was the limit, and what HTTPS adds to HTTP.

mod difference;
mod latency;
mod requests;
mod sentences;
mod side_by_side;

use tlstax_spec::{Http, Load};
use tlstax_stats::Percent;

use crate::ask::Facts;
use crate::label::{CLIENT, LOAD, Labels};
use crate::loads::{
    Found, HIT_RATE, SATURATED, by_ends, fitted, has_own_core, is_only_a_transfer, pairs, remarks, resumes,
    resumptions,
};
use crate::model::{Block, Section};

pub(crate) fn section(facts: &Facts<'_>) -> Option<Section> {
    let mut items = facts.loads();
    items.retain(|item| !is_only_a_transfer(item.work));
    if items.is_empty() {
        return None;
    }
    let mut embedded = facts.libraries(&items);
    embedded.retain(|library| !facts.is_real_server(library));
    let mut of_embedded = items.clone();
    of_embedded.retain(|item| embedded.contains(&item.library()));
    let pairs = pairs(&of_embedded);
    let labels = Labels::except(&[CLIENT], LOAD, &items);
    let groups = by_ends(&items);
    let requests = groups.iter().filter_map(|(ends, own)| requests::table(facts, own, ends, &labels));
    let tables = requests
        .chain(side_by_side::tables(facts, &items))
        .chain(difference::table(facts, &pairs, &embedded))
        .chain(fitted(facts, &pairs, &embedded));
    let mut blocks: Vec<Block> = tables.map(Block::Table).collect();
    blocks.extend(side_by_side::chart(facts, &items).map(Block::Chart));
    blocks.extend(remarks(facts, &items));
    Some(Section {
        id: "load".to_owned(),
        title: "Requests".to_owned(),
        intro: intro(&items, &labels),
        sentences: sentences::sentences(facts, &pairs, &embedded),
        blocks,
    })
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
