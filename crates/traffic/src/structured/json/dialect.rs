//! [`DIALECTS`]: programs whose logs have keys of their own.

use super::super::entry::Entries;
use super::super::field::Field;

/// A program whose log has keys of its own.
#[derive(Debug)]
pub struct Dialect {
    /// Its word.
    pub name: &'static str,
    /// The word of its format in documents.
    pub format: &'static str,
    /// Where our fields stand.
    pub paths: &'static [(&'static str, Field)],
    pub entries: Entries,
    /// An object without one of these is of something else.
    pub needs: &'static [Field],
    /// Keys that only its objects have.
    pub marks: &'static [&'static str],
}

/// Programs whose logs have keys of their own.
pub const DIALECTS: [Dialect; 3] = [
    Dialect {
        name: "caddy",
        format: "caddy",
        paths: &[
            ("ts", Field::Time),
            ("request.proto", Field::Http),
            ("request.tls.version", Field::Protocol),
            ("request.tls.cipher_suite", Field::Suite),
            ("request.tls.resumed", Field::Resumed),
            ("request.tls.server_name", Field::ServerName),
            ("size", Field::BodyOut),
            ("bytes_read", Field::BodyIn),
        ],
        // An object `tls` is there where the request came over it.
        entries: Entries::RequestsPlainIfSilent,
        // Its log of errors has requests as well, which stand in the log of accesses, too.
        needs: &[Field::Http, Field::BodyOut],
        marks: &["request.proto", "logger"],
    },
    Dialect {
        name: "zeek-ssl",
        format: "zeek",
        paths: &[
            ("ts", Field::Time),
            ("version", Field::Protocol),
            ("cipher", Field::Suite),
            ("curve", Field::Group),
            ("resumed", Field::Resumed),
            ("next_protocol", Field::Http),
            ("server_name", Field::ServerName),
            ("established", Field::Established),
        ],
        entries: Entries::Handshakes,
        needs: &[Field::Established],
        marks: &["uid", "established"],
    },
    Dialect {
        name: "zeek-conn",
        format: "zeek",
        paths: &[
            ("ts", Field::Time),
            ("service", Field::Service),
            ("orig_bytes", Field::BytesIn),
            ("resp_bytes", Field::BytesOut),
        ],
        entries: Entries::Volumes,
        needs: &[],
        marks: &["uid", "conn_state"],
    },
];
