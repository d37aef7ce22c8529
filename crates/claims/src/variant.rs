//! [`Variant`]: the cases of a check with one of several values of a field, as `each`, `any` and `quick` name them.

use std::collections::HashSet;

use crate::case::Template;
use crate::error::Problem;
use crate::size::shown;
use crate::table::Value;

/// The cases of a check.
pub(crate) struct Variant {
    pub templates: Vec<Template>,
    /// The value that makes it one of several, as people read it; empty where there is only one.
    pub of: String,
}

/// The cases with each value that the key has for a field; as they are where there is no such key.
pub(crate) fn variants(
    key: &str,
    value: Option<&Value<'_>>,
    templates: &[Template],
) -> Result<Vec<Variant>, Problem> {
    let Some(value) = value else {
        return Ok(vec![Variant { templates: templates.to_vec(), of: String::new() }]);
    };
    let table = value.table("a field with its values")?;
    let mut entries = table.entries();
    let (Some(((field, at), values)), None) = (entries.next(), entries.next()) else {
        return Err(value.problem(format!(
            "'{key}' has one field of a case with a list of values: {{ size = [16, 1024] }}"
        )));
    };
    if !templates.iter().any(|template| template.has(field)) {
        return Err(Problem::new(&at, format!("no case of this check has a field '{field}'")));
    }
    let with = |value: &Value<'_>| {
        let mut templates = templates.to_vec();
        for template in templates.iter_mut().filter(|template| template.has(field)) {
            template.set(field, &at, value)?;
        }
        Ok(Variant { templates, of: shown(field, &value.as_written()?) })
    };
    values.list()?.iter().map(with).collect()
}

/// Which of the variants the quick form measures, by what is said of them: all, none, or those with some of the values.
pub(crate) fn quick_form(
    value: Option<&Value<'_>>,
    all: &[Variant],
    templates: &[Template],
) -> Result<HashSet<String>, Problem> {
    let said = |some: &[Variant]| some.iter().map(|one| one.of.clone()).collect::<HashSet<_>>();
    match value {
        None => Ok(said(all)),
        Some(value) if value.is_table() => {
            let (some, all) = (said(&variants("quick", Some(value), templates)?), said(all));
            match some.is_subset(&all) {
                true => Ok(some),
                false => Err(value.problem("'quick' has values that 'each' has not: name some of those")),
            }
        }
        Some(value) => Ok(if value.truth()? { said(all) } else { HashSet::new() }),
    }
}
