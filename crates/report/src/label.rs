//! What tells the rows of a table apart: fields that differ become columns, fields that do not go into the caption.

use tlstax_spec::{Bulk, Group, Handshake, Idle, Load, Params, Resumption, Suite};

use crate::facts::Item;
use crate::number;
use crate::view::{Cell, Column};

/// A field of a case as people read it.
pub(crate) struct Field<T: 'static> {
    title: &'static str,
    of: fn(&Item<'_, T>) -> String,
    /// What a column shows where the value is empty.
    blank: &'static str,
}

/// A field that a case does not have: plain HTTP has no cipher. It makes no difference to those that have it.
const NOT_APPLICABLE: &str = "—";

/// The fields of some items, split by whether they differ.
pub(crate) struct Labels<T: 'static> {
    differing: Vec<&'static Field<T>>,
    common: Vec<String>,
}

impl<T> Labels<T> {
    pub fn of(fields: &'static [Field<T>], items: &[Item<'_, T>]) -> Self {
        let mut labels = Self { differing: Vec::new(), common: Vec::new() };
        for field in fields {
            let mut values: Vec<String> =
                items.iter().map(field.of).filter(|v| v != NOT_APPLICABLE).collect();
            values.sort_unstable();
            values.dedup();
            match values.as_slice() {
                [] => {}
                [value] if value.is_empty() => {}
                [value] if field.title.is_empty() => labels.common.push(value.clone()),
                [value] => labels.common.push(format!("{} {value}", field.title)),
                _ => labels.differing.push(field),
            }
        }
        if labels.differing.is_empty()
            && let Some(first) = fields.first()
        {
            labels.differing.push(first);
            labels.common.retain(|common| !common.starts_with(first.title));
        }
        labels
    }

    /// Without a field that the table shows in another way, or that does not matter to it.
    pub fn without(mut self, title: &str) -> Self {
        self.differing.retain(|field| field.title != title);
        self.common.retain(|common| !common.starts_with(title));
        self
    }

    /// The columns that name the row.
    pub fn columns(&self) -> Vec<Column> {
        self.differing.iter().map(|field| Column::label(field.heading())).collect()
    }

    /// The cells that name the row.
    pub fn cells(&self, item: &Item<'_, T>) -> Vec<Cell> {
        self.differing.iter().map(|field| Cell::text(field.shown(item))).collect()
    }

    /// The row in one line, for charts and sentences.
    pub fn line(&self, item: &Item<'_, T>) -> String {
        let said = |field: &&Field<T>| match (field.of)(item) {
            value if value.parse::<u64>().is_ok() => format!("{} {value}", field.heading()),
            value => value,
        };
        let telling = |part: &String| !part.is_empty() && part != NOT_APPLICABLE;
        let parts: Vec<String> = self.differing.iter().map(said).filter(telling).collect();
        if parts.is_empty() { self.common.join(", ") } else { parts.join(" ") }
    }

    /// The caption with what all rows have in common.
    pub fn caption(&self, what: &str) -> String {
        match self.common.as_slice() {
            [] => what.to_owned(),
            common => format!("{what} ({})", common.join(", ")),
        }
    }
}

impl<T> Field<T> {
    const fn new(title: &'static str, of: fn(&Item<'_, T>) -> String) -> Self {
        Self { title, of, blank: "" }
    }

    const fn or(self, blank: &'static str) -> Self {
        Self { blank, ..self }
    }

    fn heading(&self) -> &'static str {
        if self.title.is_empty() { "connections" } else { self.title }
    }

    fn shown(&self, item: &Item<'_, T>) -> String {
        let value = (self.of)(item);
        if value.is_empty() { self.blank.to_owned() } else { value }
    }
}

pub(crate) static HANDSHAKE: &[Field<Handshake>] = &[
    Field::new("version", |item| item.work.params.version.to_string()),
    Field::new("cipher", |item| cipher(item.work.params.suite)),
    Field::new("group", |item| group(item.work.params)),
    Field::new("key", |item| item.work.params.key.to_string()),
    Field::new("chain", |item| item.work.chain.to_string()),
    Field::new("resumption", |item| item.work.resumption.to_string()),
    Field::new("client auth", |item: &Item<'_, Handshake>| yes(item.work.mutual, "mutual")).or("none"),
    Field::new("threads", |item: &Item<'_, _>| several(item.case.threads)).or("1"),
];

pub(crate) static BULK: &[Field<Bulk>] = &[
    Field::new("version", |item| item.work.params.version.to_string()),
    Field::new("cipher", |item| cipher(item.work.params.suite)),
    Field::new("group", |item| group(item.work.params)),
    Field::new("key", |item| item.work.params.key.to_string()),
    Field::new("direction", |item| item.work.direction.to_string()),
    Field::new("record", |item| number::bytes(item.work.record.into())),
    Field::new("write", |item| number::bytes(item.work.write.into())),
    Field::new("buffer", |item| number::bytes(item.work.buffer.into())),
    Field::new("threads", |item: &Item<'_, _>| several(item.case.threads)).or("1"),
];

pub(crate) static IDLE: &[Field<Idle>] = &[
    Field::new("library", |item| item.library().to_owned()),
    Field::new("version", |item| item.work.params.version.to_string()),
    Field::new("cipher", |item| cipher(item.work.params.suite)),
    Field::new("group", |item| group(item.work.params)),
    Field::new("key", |item| item.work.params.key.to_string()),
    Field::new("connections", |item| item.work.connections.to_string()),
];

pub(crate) static LOAD: &[Field<Load>] = &[
    Field::new("protocol", |item| protocol(item.work)),
    Field::new("client", |item| item.work.client.clone()),
    Field::new("cipher", |item| of_params(item.work, |params| cipher(params.suite))),
    Field::new("group", |item| of_params(item.work, group)),
    Field::new("key", |item| of_params(item.work, |params| params.key.to_string())),
    Field::new("", |item| keeping(item.work)),
    Field::new("open", |item| item.work.connections.to_string()),
    Field::new("body", |item| number::bytes(item.work.body.into())),
    Field::new("work", |item: &Item<'_, Load>| {
        yes(item.work.work_us > 0, &format!("{} µs", item.work.work_us))
    })
    .or("none"),
    Field::new("threads", |item: &Item<'_, _>| several(item.case.threads)).or("1"),
];

/// The part of a suite's name after the key exchange, which the group and the key tell.
pub(crate) fn cipher(suite: Suite) -> String {
    let name = suite.name();
    let tail = name.split_once("_WITH_").map_or_else(|| name.trim_start_matches("TLS_"), |(_, tail)| tail);
    tail.to_owned()
}

fn group(params: Params) -> String {
    params.group.map_or("RSA transport", Group::name).to_owned()
}

/// "http" or "https", with the version where there is one.
fn protocol(load: &Load) -> String {
    load.params.map_or_else(|| "http".to_owned(), |params| format!("https {}", params.version))
}

/// Whether connections are kept, and how new ones begin.
pub(crate) fn keeping(load: &Load) -> String {
    let resumed = match load.resumption {
        Resumption::Full => String::new(),
        _ if load.params.is_none() => String::new(),
        resumption => format!(", {resumption}"),
    };
    match load.requests_per_connection {
        0 => "keep-alive".to_owned(),
        1 => format!("new connection{resumed}"),
        requests => format!("{requests} requests{resumed}"),
    }
}

fn of_params(load: &Load, field: impl Fn(Params) -> String) -> String {
    load.params.map_or_else(|| NOT_APPLICABLE.to_owned(), field)
}

fn yes(condition: bool, word: &str) -> String {
    if condition { word.to_owned() } else { String::new() }
}

fn several(threads: u16) -> String {
    yes(threads > 1, &threads.to_string())
}
