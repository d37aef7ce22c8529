//! HTTP against HTTPS on a real server, by size and kind of page: how much slower, how much dearer, and why.

mod sentences;
mod tables;

use tlstax_spec::{Http, Load};

use crate::ask::{Facts, libraries};
use crate::label::{CLIENT, KEEPING, LOAD, Labels, SCHEME};
use crate::loads::{Ends, Found, Pair, by_ends, fitted, is_only_a_transfer, pairs, resumptions};
use crate::model::Section;

const INTRO: &str = "\
    Slower: requests per second over HTTP as a multiple of those over HTTPS, from request to request. CPU: the server's \
    CPU time of a request over HTTPS as a multiple of that over HTTP. New: each request on a connection of its own, with \
    a full handshake or one that resumes. Handshake: what HTTPS adds on a new connection beyond a kept one. Lost \
    sendfile: what HTTP costs more without it; encryption in the server cannot use it.";

pub(crate) fn section(facts: &Facts<'_>) -> Option<Section> {
    let mut items = facts.loads();
    // At an offered rate the elapsed time is given.
    items.retain(|item| facts.is_real_server(item.library()) && is_of_a_page(item.work));
    let all = comparable(pairs(&items));
    if all.is_empty() {
        return None;
    }
    let https: Vec<Found<'_>> = all.iter().map(|pair| pair.https).collect();
    let labels = Labels::except(&[CLIENT, KEEPING, SCHEME], LOAD, &https);
    let of_ends = |ends: &Ends<'_>| -> Vec<Pair<'_>> {
        all.iter().filter(|pair| Ends::of(&pair.https) == *ends).copied().collect()
    };
    let groups: Vec<_> = by_ends(&https).into_iter().map(|(ends, _)| (ends, of_ends(&ends))).collect();
    let intro = format!("{INTRO} {}. {}", labels.unsaid(), resumptions(&https));
    let mut section = Section::new("https", "HTTPS against HTTP", intro.trim_end());
    let mut charts = Vec::new();
    for (ends, own) in &groups {
        let (factors, chart) = tables::factors(own, &labels, ends);
        section = section.with(factors).with(tables::parts(own, ends));
        charts.extend(chart);
    }
    let section = section.with(fitted(&all, &libraries(&items))).with(charts);
    // The sentences say no more than the answers.
    Some(section.answering(sentences::answers(&all)).saying(sentences::sentences(&all)))
}

/// Whether a load is a request for a page over HTTP/1.1, as fast as it goes.
fn is_of_a_page(work: &Load) -> bool {
    work.http == Http::Http1 && work.rate == 0 && work.resumed_percent == 100 && !is_only_a_transfer(work)
}

/// Without the handshakes of which there is nothing but handshakes, where others were made on kept connections, too.
fn comparable(all: Vec<Pair<'_>>) -> Vec<Pair<'_>> {
    let same_ends = |a: &Pair<'_>, b: &Pair<'_>| {
        a.https.library() == b.https.library() && a.https.work.client == b.https.work.client
    };
    let is_kept = |pair: &Pair<'_>| pair.https.work.requests_per_connection == 0;
    let kept = |like: &Pair<'_>| all.iter().any(|pair| is_kept(pair) && same_ends(pair, like));
    let found = all.iter().filter(|pair| pair.kept(&all).is_some() || !kept(pair));
    found.copied().collect()
}
