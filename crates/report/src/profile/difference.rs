//! What changed between two profiles.

use tlstax_doc::{Class, Cost, Profile};

use super::account::{Account, is_any, is_tls};
use super::{rows, work};
use crate::grid::{Grid, Measure};
use crate::model::{Quantity, Section, Table, View};

/// The same classes in two profiles: shares of the processes' CPU time, and what changed in points. `names` are those of the files.
pub fn compare_profiles(names: [&str; 2], old: &Profile, new: &Profile) -> View {
    let (old, new) = (Account::of(old), Account::of(new));
    let tables = [table(names, &old, &new), by_request(names, &old, &new)];
    let section = Section::new(
        "profiles",
        "What changed",
        "A share can change because something else did: only costs for each request, where requests were counted, tell that apart.",
    )
    .with(tables.into_iter().flatten())
    .saying(sentence(&old, &new).into_iter().collect());
    View {
        title: "Two profiles".to_owned(),
        about: names.join(" and "),
        sections: vec![section],
        legend: String::new(),
        figures: Vec::new(),
        claims: Vec::new(),
        shares: [(names[0], &old), (names[1], &new)]
            .into_iter()
            .flat_map(|(name, account)| rows::rows(name, account))
            .collect(),
        traffic: Vec::new(),
        costs: Vec::new(),
    }
}

/// Some classes.
struct Classes(Box<dyn Fn(Class) -> bool>);

type Meant = (String, Classes);

/// TLS, and each cost that one of them has.
fn meant(old: &Account<'_>, new: &Account<'_>) -> Vec<Meant> {
    let is_found = |cost: &Cost| old.costs().chain(new.costs()).any(|found| found == *cost);
    let costs = Cost::ALL.iter().copied().filter(is_found);
    let of_cost = |cost: Cost| -> Meant {
        (cost.title().to_owned(), Classes(Box::new(move |class| class.cost == cost)))
    };
    let tls: Meant = ("TLS".to_owned(), Classes(Box::new(is_tls)));
    std::iter::once(tls).chain(costs.map(of_cost)).collect()
}

fn table([old_name, new_name]: [&str; 2], old: &Account<'_>, new: &Account<'_>) -> Option<Table> {
    let rows = meant(old, new).into_iter().map(|(name, is)| ([name], is));
    let share = |account: &Account<'_>, is: &dyn Fn(Class) -> bool| account.share(is, &is_any);
    let change =
        |is: &Classes| -> Option<Quantity> { Some(points(&share(new, &is.0)?.minus(&share(old, &is.0)?))) };
    Grid::new(["what for"], rows)
        .measure(Measure::quantity(old_name, "%", |is: &Classes| share(old, &is.0)))
        .measure(Measure::quantity(new_name, "%", |is: &Classes| share(new, &is.0)))
        .measure(Measure::quantity("change", "points", change))
        .measure(Measure::words("verdict", move |is| change(is).map(|change| verdict(&change))))
        .table("Shares of the observed processes' CPU time")
}

/// CPU time for a request; none where either profile does not say how many there were.
fn by_request([old_name, new_name]: [&str; 2], old: &Account<'_>, new: &Account<'_>) -> Option<Table> {
    let each = |account: &Account<'_>, is: &dyn Fn(Class) -> bool| -> Option<Quantity> {
        let requests = work::sum(account).requests.filter(|requests| *requests > 0)? as f64;
        let (seconds, share) = (account.seconds(is)?, account.share(is, &is_any)?);
        let micros = seconds * 1e6 / requests;
        let end = |end: f64| if share.value > 0.0 { micros * end / share.value } else { micros };
        Some(Quantity::between(micros, end(share.low), end(share.high), "µs"))
    };
    each(old, &is_any).and(each(new, &is_any))?;
    let rows = meant(old, new).into_iter().map(|(name, is)| ([name], is));
    let change = |is: &Classes| Some(each(new, &is.0)?.minus(&each(old, &is.0)?));
    Grid::new(["what for"], rows)
        .measure(Measure::quantity(old_name, "µs", |is: &Classes| each(old, &is.0)))
        .measure(Measure::quantity(new_name, "µs", |is: &Classes| each(new, &is.0)))
        .measure(Measure::quantity("change", "µs", change))
        .measure(Measure::words("verdict", move |is| change(is).map(|change| verdict(&change))))
        .table("CPU time of the observed processes for each request")
}

fn points(change: &Quantity) -> Quantity {
    Quantity { unit: "points", ..change.clone() }
}

/// What the interval of a change supports.
fn verdict(change: &Quantity) -> &'static str {
    match (change.low > 0.0, change.high < 0.0) {
        (true, _) => "more",
        (_, true) => "less",
        _ => "cannot tell",
    }
}

fn sentence(old: &Account<'_>, new: &Account<'_>) -> Option<String> {
    let [before, after] = [old.share(&is_tls, &is_any)?, new.share(&is_tls, &is_any)?];
    let change = after.minus(&before);
    let said = match verdict(&change) {
        "cannot tell" => {
            "whether TLS takes more or less of the CPU time than before cannot be told".to_owned()
        }
        more_or_less => format!(
            "TLS takes {more_or_less} of the CPU time than before: {:.1} % and {:.1} %, {:.1} points [{:.1}, {:.1}]",
            before.value, after.value, change.value, change.low, change.high
        ),
    };
    let mut letters = said.chars();
    let first = letters.next()?;
    Some(format!("{}{}.", first.to_uppercase(), letters.as_str()))
}
