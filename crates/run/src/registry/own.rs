//! The libraries that the user has added: blocks of `workers/own.toml`.

use tlstax_spec::{Id, Switch};
use toml::{Table, Value};

use super::entry::{Entry, LIBRARY_MARK, WITHOUT};
use super::file::GROUPS;

impl Entry {
    /// The block of a registry that reads as this entry; what is as usual is left out.
    pub fn block(&self) -> String {
        let table = |entry: &Self| {
            Table::try_from(entry)
                .unwrap_or_else(|error| unreachable!("every key of a block is text: {error}"))
        };
        let mut usual = table(&Self::new(self.id.clone(), ""));
        usual.remove("id");
        let mut block = table(self);
        block.retain(|key, value| usual.get(key) != Some(value));
        let library = Table::from_iter([("library".to_owned(), Value::Array(vec![Value::Table(block)]))]);
        format!("{library}\n")
    }
}

/// Why no library of a registry may be called so, although it is an id; none where it may.
pub(super) fn reserved(id: &Id) -> Option<String> {
    if GROUPS.contains(&id.as_str()) {
        return Some(format!(
            "has the name of a group of libraries ({}); give it another id",
            GROUPS.join(", ")
        ));
    }
    if let Some(mark) = id.chars().find(|one| !one.is_ascii_alphanumeric() && !matches!(one, '.' | '-' | '_'))
    {
        let means = if mark == LIBRARY_MARK { ", which names a server with another library" } else { "" };
        return Some(format!(
            "has a '{mark}' in its id{means}; give it another id, of letters, digits, '.', '-' and '_'"
        ));
    }
    // A build of its own may be called after what it was built without; no other library is without it.
    let name = id.strip_suffix(Switch::Asm.name()).and_then(|rest| rest.strip_suffix(WITHOUT)).unwrap_or(id);
    asks_for_less(name)
}

/// Why an id may not be that of a library: with such a mark it asks for a library with something switched off.
pub(super) fn asks_for_less(id: &str) -> Option<String> {
    let problem =
        format!("has '{WITHOUT}' in its id, which asks for another library with something switched off");
    id.contains(WITHOUT).then(|| format!("{problem}; give it another id"))
}
