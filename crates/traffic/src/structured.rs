//! Logs that name their fields: lines of JSON, Zeek, tables.

mod detect;
mod entry;
mod field;
mod json;
mod memory;
mod reader;
mod table;
mod tells;
mod time;
mod value;
mod words;
mod zeek;

pub use self::detect::detect;
pub use self::field::Field;
pub use self::json::{BadField, Dialect, JsonLog};
pub use self::memory::Memory;
pub use self::reader::Structured;
pub use self::table::{Table, TableError};
pub use self::zeek::{ZeekError, ZeekLog};
