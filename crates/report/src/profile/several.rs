//! Several profiles beside each other: the hosts of a fleet, a column for each.

use tlstax_doc::{Cost, Profile};

use super::account::{Account, is_any, is_tls};
use super::{rows, said};
use crate::grid::{Grid, Measure};
use crate::model::{Quantity, Section, Table, View};

/// The view of several profiles, each under a name of its own, such as that of its file.
pub fn profiles_side_by_side(profiles: &[(String, &Profile)]) -> View {
    let accounts: Vec<(&str, Account<'_>)> =
        profiles.iter().map(|(name, profile)| (name.as_str(), Account::of(profile))).collect();
    let section = Section::new("profiles", "Profiles", "Shares of the CPU time of the observed processes.")
        .with(shares(&accounts))
        .saying(sentences(&accounts));
    View {
        title: "What of servers' CPU time is TLS".to_owned(),
        about: accounts.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", "),
        sections: vec![section],
        legend: String::new(),
        figures: Vec::new(),
        claims: Vec::new(),
        shares: accounts.iter().flat_map(|(name, account)| rows::rows(name, account)).collect(),
        traffic: Vec::new(),
        costs: Vec::new(),
    }
}

/// Costs down the side, TLS as a whole first.
fn shares(accounts: &[(&str, Account<'_>)]) -> Option<Table> {
    let is_found =
        |cost: &Cost| accounts.iter().any(|(_, account)| account.costs().any(|found| found == *cost));
    let costs = Cost::ALL.iter().copied().filter(is_found).map(Some);
    let rows = std::iter::once(None).chain(costs);
    let rows = rows.map(|cost: Option<Cost>| ([cost.map_or("TLS", |cost| cost.title()).to_owned()], cost));
    let share = |account: &Account<'_>, cost: Option<Cost>| -> Option<Quantity> {
        match cost {
            None => account.share(&is_tls, &is_any),
            Some(meant) => account.share(&|class| class.cost == meant, &is_any),
        }
    };
    let measures = accounts.iter().map(|(name, account)| {
        Measure::quantity(*name, "%", move |cost: &Option<Cost>| share(account, *cost))
    });
    Grid::new(["what for"], rows).measures(measures).table("Share of the observed processes' CPU time")
}

fn sentences(accounts: &[(&str, Account<'_>)]) -> Vec<String> {
    let share = |(name, account): &(&str, Account<'_>)| {
        let share = account.share(&is_tls, &is_any)?;
        Some((share.value, format!("{} in {name}", said::shown(&share))))
    };
    let mut shares: Vec<(f64, String)> = accounts.iter().filter_map(share).collect();
    shares.sort_by(|a, b| a.0.total_cmp(&b.0));
    match (shares.first(), shares.last()) {
        (Some((_, least)), Some((_, most))) if shares.len() > 1 => {
            vec![format!("TLS takes from {least} to {most}.")]
        }
        _ => Vec::new(),
    }
}
