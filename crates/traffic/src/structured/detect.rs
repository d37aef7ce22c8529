//! [`detect`]: which log with named fields some lines are of.

use std::collections::BTreeSet;

use serde_json::Value as Json;

use super::field::{ENVOY, Field, HAPROXY, NGINX, Names, best};
use super::json::{DIALECTS, JsonLog};
use super::memory::Memory;
use super::reader::Structured;
use super::table::Table;
use super::zeek::ZeekLog;
use crate::line::Lines;
use crate::tally::Tally;

/// A log that lines may be of.
#[derive(Debug, Clone)]
pub struct Candidate {
    pub reader: Structured,
    /// How many of the lines it can read.
    pub fits: usize,
}

/// Keys whose meaning no other program gives them: their presence says whose log it is.
const OF_ENVOY: [&str; 9] = [
    "start_time",
    "START_TIME",
    "response_flags",
    "upstream_cluster",
    "upstream_host",
    "route_name",
    "downstream_remote_address",
    "downstream_tls_version",
    "requested_server_name",
];

/// The logs with named fields that the first lines of a file may be of, those that can read most of them first; none where none
/// can read any.
pub fn detect(lines: &[&[u8]]) -> Vec<Candidate> {
    let mut candidates: Vec<Candidate> = readers(lines)
        .into_iter()
        .map(|reader| Candidate { fits: fits(&reader, lines), reader })
        .filter(|candidate| candidate.fits > 0)
        .collect();
    candidates.sort_by_key(|candidate| std::cmp::Reverse(candidate.fits));
    candidates
}

fn readers(lines: &[&[u8]]) -> Vec<Structured> {
    if let Ok(log) = ZeekLog::of_header(lines.iter().copied()) {
        return vec![Structured::Zeek(log)];
    }
    let keys = keys(lines);
    if !keys.is_empty() {
        return json_logs(&keys).into_iter().map(Structured::Json).collect();
    }
    let header = lines.iter().find(|line| !line.is_empty());
    let table = header.and_then(|header| Table::of_header(header).ok());
    table.map(Structured::Table).into_iter().collect()
}

fn fits(reader: &Structured, lines: &[&[u8]]) -> usize {
    let (mut memory, mut tally) = (Memory::default(), Tally::default());
    let seen = lines.iter().filter(|line| matches!(reader.read(line, &mut memory, &mut tally), Ok(Some(_))));
    // A table that is empty is one.
    seen.count().max(usize::from(matches!(reader, Structured::Table(_)) && lines.len() == 1))
}

/// The keys of all objects of the lines: those of an object within, with a dot before them.
fn keys(lines: &[&[u8]]) -> BTreeSet<String> {
    let mut keys = BTreeSet::new();
    for line in lines {
        let object = memchr::memchr(b'{', line).map_or(b"".as_slice(), |at| &line[at..]);
        // Other bytes than those of UTF-8 occur in texts that are not looked at.
        if let Ok(Json::Object(object)) = serde_json::from_str::<Json>(&String::from_utf8_lossy(object)) {
            for (key, value) in object {
                let within = value.as_object().into_iter().flatten();
                keys.extend(within.map(|(below, _)| format!("{key}.{below}")));
                keys.insert(key);
            }
        }
    }
    keys
}

fn json_logs(keys: &BTreeSet<String>) -> Vec<JsonLog> {
    let has = |mark: &&str| keys.contains(*mark);
    if let Some(dialect) = DIALECTS.iter().find(|dialect| dialect.marks.iter().all(has)) {
        return vec![JsonLog::of_dialect(dialect)];
    }
    let is_envoys = OF_ENVOY.iter().any(has);
    let named = |names: Names| best(names, |name| has(&name));
    let mut logs = Vec::new();
    for (format, names) in [("nginx", NGINX), ("haproxy", HAPROXY), ("envoy", ENVOY)] {
        let found = named(names);
        // The time alone is told by all.
        let tells = |field: &Field| !matches!(field, Field::Time | Field::BytesOut | Field::BodyOut);
        let is_wanted = (format == "envoy") == is_envoys;
        if is_wanted && found.iter().any(|(_, field)| tells(field)) {
            logs.push(JsonLog::of_keys(format, found));
        }
    }
    logs
}

#[cfg(test)]
mod tests;
