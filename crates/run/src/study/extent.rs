//! The full form of a study and its quick one.

/// How much of a study is measured.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Extent {
    #[default]
    Full,
    /// What fits into two minutes, as its own `quick` keys say.
    Quick,
}

/// How long a study may take when it is to be quick, unless it says so itself.
const QUICK_BUDGET_S: f64 = 120.0;

/// The quick form of a study: a matrix with `quick = false` is left out, the keys of a table `quick = { .. }` in a matrix, or in the
/// study itself, replace those beside it.
pub(super) fn quick(mut study: toml::Table) -> toml::Table {
    let long =
        study.get("budget_s").and_then(toml::Value::as_float).is_none_or(|budget| budget > QUICK_BUDGET_S);
    if long {
        study.insert("budget_s".to_owned(), QUICK_BUDGET_S.into());
    }
    shorten(&mut study);
    for (_, value) in study.iter_mut() {
        let toml::Value::Array(matrices) = value else { continue };
        matrices.retain_mut(|matrix| matrix.as_table_mut().is_none_or(shorten));
    }
    study.retain(|_, value| !value.as_array().is_some_and(Vec::is_empty));
    study
}

/// Applies the `quick` key of a table; whether the table is to stay.
fn shorten(table: &mut toml::Table) -> bool {
    match table.remove("quick") {
        Some(toml::Value::Table(shorter)) => {
            table.extend(shorter);
            true
        }
        Some(toml::Value::Boolean(stays)) => stays,
        _ => true,
    }
}
