//! The libraries that the user has added: blocks of `workers/own.toml`.

use toml::{Table, Value};

use super::entry::Entry;

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
