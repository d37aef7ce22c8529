//! Logs that name their fields: lines of JSON, Zeek, tables.
