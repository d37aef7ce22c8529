//! HTTPS loads with the plain ones that are the same in all else.

use tlstax_doc::Metric;
use tlstax_spec::{Http, Load, Params, Resumption, Tuning};

use super::item::Found;
use crate::label::{CLIENT, LOAD, Labels};
use crate::model::Quantity;

/// An HTTPS load with the HTTP load that is the same in all else.
#[derive(Clone, Copy)]
pub(crate) struct Pair<'a> {
    pub https: Found<'a>,
    pub http: Found<'a>,
    /// The same HTTP load without sendfile.
    pub copied: Option<Found<'a>>,
    pub params: Params,
}

pub(crate) fn pairs<'a>(items: &[Found<'a>]) -> Vec<Pair<'a>> {
    let pair = |https: &Found<'a>| {
        let params = https.work.params?;
        let http = plain(items, https, true)?;
        Some(Pair { https: *https, http, copied: plain(items, https, false), params })
    };
    items.iter().filter_map(pair).collect()
}

/// The plain load that is like another in all that plain connections have.
pub(crate) fn plain<'a>(items: &[Found<'a>], like: &Found<'_>, sendfile: bool) -> Option<Found<'a>> {
    plain_over(items, like, like.work.http, sendfile)
}

pub(crate) fn plain_over<'a>(
    items: &[Found<'a>],
    like: &Found<'_>,
    http: Http,
    sendfile: bool,
) -> Option<Found<'a>> {
    let bare = |load: &Load| Load {
        params: None,
        // A plain connection has nothing to resume, whichever kind its case names.
        resumption: Resumption::Full,
        resumed_percent: 100,
        tuning: Tuning { tls_buffer: 0, sessions: Tuning::default().sessions, ..load.tuning },
        ..load.clone()
    };
    let wanted = Load { http, tuning: Tuning { sendfile, ..bare(like.work).tuning }, ..bare(like.work) };
    let is_it = |http: &&Found<'_>| {
        http.work.params.is_none()
            && http.library() == like.library()
            && http.case.threads == like.case.threads
            && bare(http.work) == wanted
    };
    items.iter().find(is_it).copied()
}

/// Whether two loads are the same but for their servers, each with the same client or with its own library as the
/// client.
pub(crate) fn alike(a: &Found<'_>, b: &Found<'_>) -> bool {
    same_client(a, b)
        && a.case.threads == b.case.threads
        && Load { client: a.work.client.clone(), ..b.work.clone() } == *a.work
}

/// Whether two loads have the same client, or each its own.
pub(crate) fn same_client(a: &Found<'_>, b: &Found<'_>) -> bool {
    let own = |item: &Found<'_>| item.work.client == item.library();
    a.work.client == b.work.client || (own(a) && own(b))
}

/// The labels of some loads without the fields of these titles; the client has no part in them where it goes with the
/// server.
pub(crate) fn labels(items: &[Found<'_>], except: &[&str]) -> Labels<Load> {
    let mut titles = except.to_vec();
    if items.iter().all(|item| same_client(&items[0], item)) {
        titles.push(CLIENT);
    }
    Labels::except(&titles, LOAD, items)
}

impl<'a> Pair<'a> {
    pub fn alike(&self, other: &Pair<'_>) -> bool {
        alike(&self.https, &other.https)
    }

    /// The same pair with another library as the server, and as the client if it was its own client.
    pub fn with_library<'p, 'b>(&self, library: &str, pairs: &'p [Pair<'b>]) -> Option<&'p Pair<'b>> {
        pairs.iter().find(|pair| pair.https.library() == library && pair.alike(self))
    }

    /// What HTTPS adds to the server's CPU time of one request.
    pub fn added(&self) -> Option<Quantity> {
        self.https.more_than(&self.http, Metric::Server).ok()
    }

    /// What plain HTTP would cost more without sendfile, which encryption does without.
    pub fn sendfile(&self) -> Option<Quantity> {
        self.copied?.more_than(&self.http, Metric::Server).ok()
    }

    /// The same request on a connection that is kept.
    pub fn kept<'p>(&self, pairs: &'p [Pair<'a>]) -> Option<&'p Pair<'a>> {
        let is_it = |pair: &&Pair<'_>| {
            let (own, other) = (self.https, pair.https);
            other.work.requests_per_connection == 0
                && other.library() == own.library()
                && other.case.threads == own.case.threads
                && of_connection(other.work) == of_connection(own.work)
        };
        pairs.iter().find(is_it)
    }
}

/// The load as it would be if its connection were kept: how that began does not matter any more.
fn of_connection(load: &Load) -> Load {
    Load {
        requests_per_connection: 0,
        resumption: Resumption::Full,
        resumed_percent: 100,
        tuning: Tuning { sessions: Tuning::default().sessions, ..load.tuning },
        ..load.clone()
    }
}
