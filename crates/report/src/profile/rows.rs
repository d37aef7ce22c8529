//! Every share as a flat row, for data frames.

use tlstax_doc::Class;

use super::account::{Account, is_any, is_tls};
use crate::model::{Quantity, Share};

pub(super) fn rows(name: &str, account: &Account<'_>) -> Vec<Share> {
    let of_class = |(meant, weight): (&Class, &u64)| -> Vec<Share> {
        let is = |class: Class| class == *meant;
        let of_tls = meant.cost.is_tls().then(|| account.share(&is, &is_tls)).flatten();
        let wholes =
            [("tls", of_tls), ("process", account.share(&is, &is_any)), ("machine", account.of_machine(&is))];
        let row = |(of, share): (&'static str, Option<Quantity>)| {
            share.map(|share| Share {
                profile: name.to_owned(),
                cost: meant.cost.word(),
                algorithm: meant.algorithm.map_or("", |algorithm| algorithm.word()),
                of,
                value: share.value,
                low: share.low,
                high: share.high,
                weight: *weight,
                unit: account.profile.unit.word(),
            })
        };
        wholes.into_iter().filter_map(row).collect()
    };
    account.totals.iter().flat_map(of_class).collect()
}
