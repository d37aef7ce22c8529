//! Values of fields as people read them.

use tlstax_names::Written;
use tlstax_spec::Bytes;

/// Fields of cases that are numbers of bytes.
const SIZES: [&str; 7] = ["size", "body", "record", "write", "buffer", "response_headers", "tls_buffer"];

/// The value of a field in a sentence: "1 KiB", or with its field where it says nothing by itself.
pub(crate) fn shown(field: &str, value: &str) -> String {
    match (SIZES.contains(&field), Bytes::parse(value, None)) {
        (true, Ok(Bytes(bytes))) => bytes_shown(bytes),
        _ => format!("{} {value}", field.replace('_', " ")),
    }
}

/// Words about something with the value of a field that it has; the words alone where it has none.
pub(crate) fn with_value(words: &str, value: &str) -> String {
    if value.is_empty() { words.to_owned() } else { format!("{words}, {value}") }
}

fn bytes_shown(bytes: u64) -> String {
    match bytes {
        bytes if bytes >= 1 << 30 && bytes.is_multiple_of(1 << 30) => format!("{} GiB", bytes >> 30),
        bytes if bytes >= 1 << 20 && bytes.is_multiple_of(1 << 20) => format!("{} MiB", bytes >> 20),
        bytes if bytes >= 1 << 10 && bytes.is_multiple_of(1 << 10) => format!("{} KiB", bytes >> 10),
        bytes => format!("{bytes} B"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_they_are_written() {
        assert_eq!(shown("size", "16"), "16 B");
        assert_eq!(shown("body", "1k"), "1 KiB");
        assert_eq!(shown("size", "1350"), "1350 B");
        assert_eq!(shown("buffer", "64M"), "64 MiB");
        assert_eq!(shown("body", "1G"), "1 GiB");
        assert_eq!(shown("threads", "2"), "threads 2");
        assert_eq!(shown("requests_per_connection", "0"), "requests per connection 0");
    }
}
