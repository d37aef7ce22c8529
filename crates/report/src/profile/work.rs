//! What a handshake, a request and a gigabyte cost the observed server, where somebody says how many there were.

use tlstax_doc::{Class, Cost, Work};

use super::account::{Account, is_any, is_tls};
use crate::grid::{Grid, Measure};
use crate::model::{Quantity, Table};

/// What is done in a handshake and nowhere else.
fn is_of_handshakes(class: Class) -> bool {
    use Cost::{Certificate, KeyExchange, KeySchedule, Session, Signature, Verification};
    matches!(class.cost, Signature | Verification | KeyExchange | KeySchedule | Certificate | Session)
}

/// What is done for the bytes of records.
fn is_of_records(class: Class) -> bool {
    matches!(class.cost, Cost::RecordCipher | Cost::RecordCopy)
}

/// The sum of what was counted beside the captures; what not all of them have is none.
pub(super) fn sum(account: &Account<'_>) -> Work {
    let total = |of: fn(&Work) -> Option<u64>| -> Option<u64> {
        account.captures.iter().map(|capture| capture.work.as_ref().and_then(of)).sum()
    };
    Work {
        requests: total(|work| work.requests),
        handshakes: total(|work| work.handshakes),
        bytes: total(|work| work.bytes),
    }
}

/// One unit of work: how many there were, and how a cost is shown.
struct Per {
    count: f64,
    name: &'static str,
}

pub(super) fn table(account: &Account<'_>) -> Option<Table> {
    let work = sum(account);
    let gigabytes = work.bytes.map(|bytes| bytes as f64 / 1e9);
    let units = [
        work.handshakes.map(|count| Per { count: count as f64, name: "handshake" }),
        work.requests.map(|count| Per { count: count as f64, name: "request" }),
        gigabytes.map(|count| Per { count, name: "GB" }),
    ];
    let rows =
        units.into_iter().flatten().filter(|per| per.count > 0.0).map(|per| ([per.name.to_owned()], per));
    let cost = |is: fn(Class) -> bool| {
        move |per: &Per| -> Option<Quantity> {
            // The count has no interval; that of the cost is that of its share.
            let (seconds, share) = (account.seconds(&is)?, account.share(&is, &is_any)?);
            let (scale, unit) = if per.name == "GB" { (1.0, "s") } else { (1e6, "µs") };
            let each = seconds / per.count * scale;
            let reach = |end: f64| if share.value > 0.0 { each * end / share.value } else { each };
            Some(Quantity::between(each, reach(share.low), reach(share.high), unit))
        }
    };
    Grid::new(["for one"], rows)
        .measure(Measure::quantity("all CPU", "µs", cost(is_any)))
        .measure(Measure::quantity("TLS", "µs", cost(is_tls)))
        .measure(Measure::quantity("of it handshakes", "µs", cost(is_of_handshakes)))
        .measure(Measure::quantity("of it records", "µs", cost(is_of_records)))
        .table(
            "CPU time of the observed processes for each handshake, request and gigabyte of the same minutes",
        )
}
