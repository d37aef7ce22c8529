//! A model in words: the answer first, then each cost.

use tlstax_doc::model::{Bounds, Model, Origin, Term, TermCost};
use tlstax_plan::{Cost, Costs, Work, work_of};
use tlstax_spec::{Group, Http, Id, Key, Load, Params, Suite, Version};

pub fn text(model: &Model) -> String {
    let mut lines = vec![answer(model), String::new()];
    lines.extend(table(model));
    lines.push(String::new());
    lines.push(quality(model));
    lines.extend(model.holes.iter().map(|(case, why)| format!("no figure: {case}: {why}")));
    lines.extend(model.notes.iter().map(|note| match note.remedy.as_str() {
        "" => note.what.clone(),
        remedy => format!("{}: {remedy}", note.what),
    }));
    lines.extend(
        model
            .sharper
            .first()
            .map(|(case, share)| format!("sharper by {:.0} % with a load more: {case}", share * 100.0)),
    );
    lines.join("\n") + "\n"
}

/// What people ask first: a request, a handshake, a byte.
fn answer(model: &Model) -> String {
    let costs = Costs::of(model);
    let server = model.server_version.as_deref().unwrap_or(model.server.as_str());
    let mut said = Vec::new();
    let request = work_of(&kept(), &|path, http| costs.knots(path, http));
    if costs.missing(&request).is_empty() {
        let cost = bounds(costs.cost(&request).bounds());
        said.push(format!("a request of 1 KiB over a kept TLS 1.3 connection costs {server} {cost}"));
    }
    for term in model.terms.iter().map(|cost| cost.term) {
        if let Term::Handshake { version: Version::Tls13, key } = term {
            let cost = costs.cost(&Work::from_iter([(term, 1.0)]));
            said.push(format!("a full handshake of TLS 1.3 with {key} {}", bounds(cost.bounds())));
        }
    }
    let mut sentence = match said.is_empty() {
        true => format!("{} costs of {server} were found", model.terms.len()),
        false => said.join(", "),
    };
    if let Some(first) = sentence.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    sentence + "."
}

fn kept() -> Load {
    let (version, suite, key) = (Version::Tls13, Suite::Aes128Gcm, Key::EcdsaP256);
    let params = Params { version, suite, group: Some(Group::X25519), key };
    Load { http: Http::Http1, body: 1024, ..Load::new(Id::literal("lean"), Some(params)) }
}

fn table(model: &Model) -> Vec<String> {
    let costs = Costs::of(model);
    let row = |cost: &TermCost| {
        let deviation = costs.difference(&Work::from_iter([(cost.term, 1.0)])).deviation;
        let from = match &cost.origin {
            Origin::Loads => String::new(),
            Origin::InMemory { library, .. } => format!("  from {library} in memory"),
            Origin::Kin { of } => format!("  as {of}"),
        };
        (cost.term.to_string(), bounds(Cost { ns: cost.ns, deviation }.bounds()) + &from)
    };
    let rows: Vec<(String, String)> = model.terms.iter().map(row).collect();
    let width = rows.iter().map(|(term, _)| term.chars().count()).max().unwrap_or_default();
    rows.into_iter().map(|(term, cost)| format!("{term:width$}  {cost}")).collect()
}

/// How well the model predicts each load from the others.
fn quality(model: &Model) -> String {
    let mut missed: Vec<f64> = model
        .fitted
        .iter()
        .filter_map(|one| Some((one.without? / one.measured - 1.0).abs() * 100.0))
        .collect();
    missed.sort_by(f64::total_cmp);
    let about = format!(
        "fitted to {} loads; beside what they leave open, ±{:.1} % is unexplained",
        model.fitted.len(),
        196.0 * model.unexplained
    );
    match (missed.get(missed.len() / 2), missed.last()) {
        (Some(middle), Some(worst)) => format!(
            "{about}; {} of them are predicted from the others, to {middle:.1} % in the median and {worst:.1} % at worst",
            missed.len()
        ),
        _ => about,
    }
}

/// A cost with its interval, in the unit that suits it.
fn bounds(Bounds { value, low, high }: Bounds) -> String {
    let (unit, ns) = match value.abs() {
        ns if ns >= 1e6 => ("ms", 1e6),
        ns if ns >= 1e3 => ("us", 1e3),
        _ => ("ns", 1.0),
    };
    format!("{} {unit} [{} - {}]", figure(value / ns), figure(low / ns), figure(high / ns))
}

fn figure(value: f64) -> String {
    let digits = match value.abs() {
        large if large >= 100.0 => 0,
        middle if middle >= 10.0 => 1,
        one if one >= 1.0 => 2,
        _ => 3,
    };
    format!("{value:.digits$}")
}
