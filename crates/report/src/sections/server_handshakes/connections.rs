//! Which connections to one server are compared, and with what.

use tlstax_doc::Metric;
use tlstax_spec::{Direction, Load, Page};

use crate::loads::Found;

/// The HTTPS connections with one request of the smallest body, where there is something to compare.
pub(super) fn compared<'a>(own: &[Found<'a>]) -> Option<Vec<Found<'a>>> {
    let one = |item: &&Found<'_>| {
        let Load { params, requests_per_connection, rate, page, work_us, direction, .. } = item.work;
        let is_small = *page == Page::Static && *work_us == 0 && *direction == Direction::Download;
        params.is_some() && *requests_per_connection == 1 && *rate == 0 && is_small
    };
    let body = own.iter().filter(one).map(|item| item.work.body).min()?;
    let found: Vec<Found<'_>> =
        own.iter().filter(one).filter(|item| item.work.body == body).copied().collect();
    let kind = |work: &Load| (work.params, work.resumption, work.resumed_percent);
    let differ = found.iter().any(|item| kind(item.work) != kind(found[0].work));
    differ.then_some(found)
}

/// What the others are held against: the first that has a figure.
pub(super) fn first<'a>(items: &[Found<'a>]) -> Option<Found<'a>> {
    items.iter().find(|item| item.cost(Metric::Server).is_ok()).copied()
}
