//! What HTTP/2 and TLS add to a request, in words.

use tlstax_spec::Load;

use super::variants::{Variant, Variants};
use crate::label::Labels;
use crate::loads::Ends;
use crate::model::Quantity;
use crate::number;

/// At most four: where HTTP/2 over TLS costs more than HTTP/1.1 without, how much of that is which.
pub(super) fn sentences(groups: &[(Ends<'_>, Vec<Variants<'_>>)], labels: &Labels<Load>) -> Vec<String> {
    let sentence = |ends: &Ends<'_>, request: &Variants<'_>| {
        let less = |more, less| request.difference(more, less);
        let all = less(Variant::H2, Variant::Http).filter(|all| all.low > 0.0)?;
        let tls = less(Variant::Https, Variant::Http)?;
        let http2 = less(Variant::H2, Variant::Https)?;
        Some(format!(
            "A request ({}) costs the server {} µs more over h2 than over HTTP ({}): TLS {}, HTTP/2 {}.",
            labels.name(&request.like),
            number::within_interval(all.value, all.low, all.high),
            ends.named(),
            change(&tls),
            change(&http2),
        ))
    };
    let of_group = |(ends, requests): &(Ends<'_>, Vec<Variants<'_>>)| {
        requests.iter().filter_map(|request| sentence(ends, request)).collect::<Vec<_>>()
    };
    groups.iter().flat_map(of_group).take(4).collect()
}

/// What a part adds or saves, where its interval decides which.
fn change(part: &Quantity) -> String {
    let micros = number::within_interval(part.value.abs(), part.low, part.high);
    match part {
        part if part.low > 0.0 => format!("adds {micros} µs"),
        part if part.high < 0.0 => format!("saves {micros} µs"),
        _ => "adds nothing that can be told from noise".to_owned(),
    }
}
