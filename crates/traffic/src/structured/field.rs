//! [`Field`]: what a named value of a log stands for.

use tlstax_doc::Tell;

/// What a named value of a log stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// When it was.
    Time,
    /// The version of TLS; `none` for a connection without.
    Protocol,
    /// The cipher suite.
    Suite,
    /// The group of the key exchange.
    Group,
    /// The server's key, or the scheme that it signed with.
    Key,
    /// Whether the session was resumed, and how.
    Resumed,
    /// Whether early data was taken.
    EarlyData,
    /// The version of HTTP.
    Http,
    /// The first line of a request, which ends with the version of HTTP.
    RequestLine,
    /// The how many-th request of its connection it is, from 1.
    ConnectionRequest,
    /// The requests of a connection.
    Requests,
    /// Bytes of the response, headers among them.
    BytesOut,
    /// Bytes of the response without its headers.
    BodyOut,
    /// Bytes of the request, headers among them.
    BytesIn,
    /// Bytes of the request without its headers.
    BodyIn,
    /// The name that the client asked for; a class is made of it.
    ServerName,
    /// The class of the server's name.
    Class,
    /// Whether the handshake succeeded.
    Established,
    /// The protocols that Zeek found in a connection.
    Service,
    /// What a row of a table counts.
    What,
    /// How many a row of a table stands for.
    Count,
    /// How long the time of a row of a table is, seconds.
    Seconds,
}

impl Field {
    pub const ALL: [Self; 22] = [
        Self::Time,
        Self::Protocol,
        Self::Suite,
        Self::Group,
        Self::Key,
        Self::Resumed,
        Self::EarlyData,
        Self::Http,
        Self::RequestLine,
        Self::ConnectionRequest,
        Self::Requests,
        Self::BytesOut,
        Self::BodyOut,
        Self::BytesIn,
        Self::BodyIn,
        Self::ServerName,
        Self::Class,
        Self::Established,
        Self::Service,
        Self::What,
        Self::Count,
        Self::Seconds,
    ];

    /// Its name in the header of a table, and where a user maps a name of his own to it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Protocol => "protocol",
            Self::Suite => "suite",
            Self::Group => "group",
            Self::Key => "key",
            Self::Resumed => "resumed",
            Self::EarlyData => "early_data",
            Self::Http => "http",
            Self::RequestLine => "request_line",
            Self::ConnectionRequest => "connection_request",
            Self::Requests => "requests",
            Self::BytesOut => "bytes_out",
            Self::BodyOut => "body_out",
            Self::BytesIn => "bytes_in",
            Self::BodyIn => "body_in",
            Self::ServerName => "server_name",
            Self::Class => "class",
            Self::Established => "established",
            Self::Service => "service",
            Self::What => "what",
            Self::Count => "count",
            Self::Seconds => "seconds",
        }
    }

    /// The field of this word.
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|field| field.word() == word)
    }

    /// What a log with this field tells.
    pub const fn tell(self) -> Option<Tell> {
        match self {
            Self::Time => Some(Tell::Time),
            Self::Protocol => Some(Tell::Protocol),
            Self::Suite => Some(Tell::Suite),
            Self::Group => Some(Tell::Group),
            Self::Key => Some(Tell::Key),
            Self::Resumed => Some(Tell::Resumed),
            Self::Http | Self::RequestLine => Some(Tell::Http),
            Self::ConnectionRequest => Some(Tell::Connection),
            Self::Requests => Some(Tell::Requests),
            Self::BytesOut => Some(Tell::BytesOut),
            Self::BodyOut => Some(Tell::BodyOut),
            Self::BytesIn => Some(Tell::BytesIn),
            Self::BodyIn => Some(Tell::BodyIn),
            Self::ServerName | Self::Class => Some(Tell::Class),
            Self::EarlyData
            | Self::Established
            | Self::Service
            | Self::What
            | Self::Count
            | Self::Seconds => None,
        }
    }
}

/// Names that programs have for our fields, the best of each field first.
pub type Names = &'static [(&'static str, Field)];

/// Variables of nginx.
pub const NGINX: Names = &[
    ("msec", Field::Time),
    ("time_iso8601", Field::Time),
    ("time_local", Field::Time),
    ("ssl_protocol", Field::Protocol),
    ("ssl_cipher", Field::Suite),
    ("ssl_curve", Field::Group),
    ("ssl_sigalg", Field::Key),
    ("ssl_session_reused", Field::Resumed),
    ("ssl_early_data", Field::EarlyData),
    ("server_protocol", Field::Http),
    ("request", Field::RequestLine),
    ("connection_requests", Field::ConnectionRequest),
    ("bytes_sent", Field::BytesOut),
    ("body_bytes_sent", Field::BodyOut),
    ("request_length", Field::BytesIn),
    ("ssl_server_name", Field::ServerName),
];

/// Sample fetches and log aliases of HAProxy.
pub const HAPROXY: Names = &[
    ("Ts", Field::Time),
    ("T", Field::Time),
    ("trg", Field::Time),
    ("trl", Field::Time),
    ("Tl", Field::Time),
    ("tr", Field::Time),
    ("t", Field::Time),
    ("ssl_fc_protocol", Field::Protocol),
    ("sslv", Field::Protocol),
    ("ssl_fc_cipher", Field::Suite),
    ("sslc", Field::Suite),
    ("ssl_fc_curve", Field::Group),
    ("ssl_fc_is_resumed", Field::Resumed),
    ("ssl_fc_has_early", Field::EarlyData),
    ("HV", Field::Http),
    ("req.ver", Field::Http),
    ("r", Field::RequestLine),
    ("B", Field::BytesOut),
    ("bytes_read", Field::BytesOut),
    ("U", Field::BytesIn),
    ("bytes_uploaded", Field::BytesIn),
    ("ssl_fc_sni", Field::ServerName),
];

/// Command operators of Envoy, and the keys that its users give to them.
pub const ENVOY: Names = &[
    ("start_time", Field::Time),
    ("START_TIME", Field::Time),
    ("@timestamp", Field::Time),
    ("timestamp", Field::Time),
    ("downstream_tls_version", Field::Protocol),
    ("DOWNSTREAM_TLS_VERSION", Field::Protocol),
    ("tls_version", Field::Protocol),
    ("downstream_tls_cipher", Field::Suite),
    ("DOWNSTREAM_TLS_CIPHER", Field::Suite),
    ("tls_cipher", Field::Suite),
    ("protocol", Field::Http),
    ("PROTOCOL", Field::Http),
    ("downstream_wire_bytes_sent", Field::BytesOut),
    ("DOWNSTREAM_WIRE_BYTES_SENT", Field::BytesOut),
    ("bytes_sent", Field::BodyOut),
    ("BYTES_SENT", Field::BodyOut),
    ("downstream_wire_bytes_received", Field::BytesIn),
    ("DOWNSTREAM_WIRE_BYTES_RECEIVED", Field::BytesIn),
    ("bytes_received", Field::BodyIn),
    ("BYTES_RECEIVED", Field::BodyIn),
    ("requested_server_name", Field::ServerName),
    ("REQUESTED_SERVER_NAME", Field::ServerName),
];

/// What a program means by one of its names, which may stand as it does in a configuration: `$ssl_cipher`, `%[ssl_fc_cipher]`,
/// `%BYTES_SENT%`.
pub fn of_name(names: Names, name: &str) -> Option<Field> {
    let bare = name.trim_start_matches(['$', '%', '{', '[']).trim_end_matches(['%', '}', ']']);
    names.iter().find(|(known, _)| *known == bare).map(|(_, field)| *field)
}

/// Of the names that are there, the best of each field.
pub fn best(names: Names, is_there: impl Fn(&str) -> bool) -> Vec<(&'static str, Field)> {
    let mut found: Vec<(&'static str, Field)> = Vec::new();
    for (name, field) in names {
        if is_there(name) && !found.iter().any(|(_, known)| known == field) {
            found.push((name, *field));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_stand_in_the_order_of_their_numbers() {
        assert!(Field::ALL.into_iter().enumerate().all(|(place, field)| field as usize == place));
        assert!(Field::ALL.into_iter().all(|field| Field::of_word(field.word()) == Some(field)));
    }

    #[test]
    fn names_are_known_as_configurations_have_them() {
        assert_eq!(of_name(NGINX, "$ssl_cipher"), Some(Field::Suite));
        assert_eq!(of_name(HAPROXY, "%[ssl_fc_is_resumed]"), Some(Field::Resumed));
        assert_eq!(of_name(ENVOY, "%DOWNSTREAM_TLS_VERSION%"), Some(Field::Protocol));
        assert_eq!(of_name(NGINX, "$remote_addr"), None);
    }
}
