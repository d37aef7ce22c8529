//! From the text of a claims file to its claims.

use std::ops::Range;

use tlstax_spec::Id;
use toml::de::DeTable;

use crate::case::{Template, id};
use crate::claim::{Claim, Kind, There};
use crate::error::Problem;
use crate::read_check::{Cases, checks};
use crate::table::{Table, Value};
use crate::unit::Unit;

/// More claims than this nobody reads, and no file is so long by accident.
const MOST: usize = 1000;

pub(crate) fn claims(text: &str) -> Result<Vec<Claim>, Problem> {
    let document = DeTable::parse(text).map_err(|error| malformed(&error, text))?;
    let file = Table::new("a claims file", document.get_ref(), 0..0);
    let blocks = file.need("claim")?;
    file.finish()?;
    let blocks = blocks.list()?;
    if blocks.len() > MOST {
        return Err(blocks[MOST].problem(format!("a claims file has {MOST} claims at most; split it")));
    }
    let mut claims: Vec<Claim> = Vec::new();
    for block in blocks {
        let claim = claim(&block.table("a claim")?, &claims)?;
        claims.push(claim);
    }
    Ok(claims)
}

fn malformed(error: &toml::de::Error, text: &str) -> Problem {
    let at = error.span().unwrap_or(text.len()..text.len());
    Problem::new(&at, format!("this is no TOML: {}", error.message().replace('\n', ", ")))
}

fn claim(table: &Table<'_>, before: &[Claim]) -> Result<Claim, Problem> {
    let name = table.need("id")?;
    let id = id(&name)?;
    // Claims are chosen whatever the capitals.
    if before.iter().any(|claim| claim.id.eq_ignore_ascii_case(&id)) {
        return Err(name.problem(format!("the id '{id}' stands there twice; give one of the claims another")));
    }
    let source = table.need("source")?.text()?.to_owned();
    let words = table.need("words")?.text()?.to_owned();
    let kind = table.need("kind")?.member("kind of claim", &Kind::ALL, Kind::name)?;
    let there = blocks(table.get("there"))?.iter().map(there).collect::<Result<_, _>>()?;
    let libraries = libraries(table.get("libraries"))?;
    let templates = templates(table.get("case"))?;
    let check = table.need("check")?;
    table.finish()?;
    let checks = checks(&check, &Cases { libraries, templates }, kind)?;
    if checks.iter().all(|check| check.aside) {
        return Err(check.problem("every check of the claim is aside: one has to decide"));
    }
    Ok(Claim { id, source, words, kind, there, checks })
}

/// The tables of an array of them; none where there is no such key.
fn blocks(value: Option<Value<'_>>) -> Result<Vec<Value<'_>>, Problem> {
    value.map_or(Ok(Vec::new()), |value| value.list())
}

fn there(block: &Value<'_>) -> Result<There, Problem> {
    let table = block.table("a figure of a claim")?;
    let machine = table.need("machine")?.text()?.to_owned();
    let (low, high) = figure(&table.need("figure")?)?;
    let unit =
        table.get("unit").map_or(Ok(Unit::Times), |unit| unit.member("unit", &Unit::ALL, Unit::name))?;
    let words = table.get("words").map_or(Ok(""), |words| words.text())?.to_owned();
    table.finish()?;
    Ok(There { machine, low, high, unit, words })
}

/// A number, or a list of the lower and the upper end.
fn figure(value: &Value<'_>) -> Result<(f64, f64), Problem> {
    if !value.is_list() {
        return value.number().map(|figure| (figure, figure));
    }
    match value.list()?.as_slice() {
        [low, high] if low.number()? <= high.number()? => Ok((low.number()?, high.number()?)),
        _ => Err(value.problem("a figure is one number, or a range of two in their order: [3.9, 8.6]")),
    }
}

/// One id, or a list of them.
fn libraries(value: Option<Value<'_>>) -> Result<Vec<Id>, Problem> {
    let Some(value) = value else { return Ok(Vec::new()) };
    match value.is_list() {
        true => value.list()?.iter().map(id).collect(),
        false => Ok(vec![id(&value)?]),
    }
}

/// The cases of a claim, each after the one that it is like.
fn templates(value: Option<Value<'_>>) -> Result<Vec<Template>, Problem> {
    let Some(value) = value else { return Ok(Vec::new()) };
    let cases = value.table("the cases of a claim")?;
    let mut waiting = Vec::new();
    for ((name, at), value) in cases.entries() {
        named(name, &at)?;
        waiting.push((name, at, value.table("a case")?));
    }
    let mut templates: Vec<Template> = Vec::new();
    while !waiting.is_empty() {
        let is_ready = |(_, _, table): &(&str, Range<usize>, Table<'_>)| {
            let like = table.get("like").and_then(|like| like.text().ok());
            like.is_none_or(|like| templates.iter().any(|known| known.name == like))
        };
        // Where none is ready, the first says why.
        let next = waiting.iter().position(is_ready).unwrap_or(0);
        let (name, at, table) = waiting.remove(next);
        templates.push(Template::read(name, &at, &table, &templates)?);
    }
    Ok(templates)
}

/// A name can stand in an expression.
fn named(name: &str, at: &Range<usize>) -> Result<(), Problem> {
    let begins = name.starts_with(|one: char| one.is_ascii_alphabetic() || one == '_');
    let fits = name.bytes().all(|one| one.is_ascii_alphanumeric() || one == b'_');
    match begins && fits {
        true => Ok(()),
        false => Err(Problem::new(
            at,
            format!("'{name}' is no name of a case: letters, digits and _, a letter first"),
        )),
    }
}
