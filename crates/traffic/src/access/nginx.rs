//! nginx: `log_format`.

use super::error::Problem;
use super::field::{Escape, Field, Number, Word};
use super::layout::Layout;
use super::piece::Piece;
use super::server::Server;
use super::time::TimeForm;

/// The layout of a format string.
pub fn compile(format: &str, escape: Escape) -> Result<Layout, Problem> {
    let mut pieces = pieces(format, field)?;
    prefer_one_name(
        &mut pieces,
        &["ssl_server_name", "ssl_preread_server_name", "host", "http_host", "server_name"],
    );
    let is_of_stream = |piece: &Piece| matches!(piece, Piece::Field(_, name) if matches!(name.as_str(), "$session_time" | "$bytes_received"));
    let is_of_connections = pieces.iter().any(is_of_stream);
    Ok(Layout { is_of_connections, ..Layout::of(Server::Nginx, escape, pieces)? })
}

/// The escaping that `escape=` names.
pub fn escape(word: &str) -> Escape {
    if word == "none" { Escape::None } else { Escape::Backslash }
}

/// What a variable says.
fn field(name: &str) -> Field {
    match name {
        "request" => Field::Request,
        "time_local" => Field::Time(TimeForm::Common, false),
        "time_iso8601" => Field::Time(TimeForm::Iso, false),
        "msec" => Field::Time(TimeForm::Epoch(1), false),
        "status" => Field::Number(Number::Status),
        "bytes_sent" => Field::Number(Number::BytesOut),
        "body_bytes_sent" => Field::Number(Number::BodyOut),
        "request_length" | "bytes_received" => Field::Number(Number::BytesIn),
        "connection_requests" => Field::Number(Number::Ordinal),
        "server_protocol" => Field::Word(Word::Http),
        "ssl_protocol" => Field::Word(Word::Protocol),
        "ssl_cipher" => Field::Word(Word::Suite),
        "ssl_curve" => Field::Word(Word::Group),
        "ssl_sigalg" => Field::Word(Word::Key),
        "ssl_session_reused" => Field::Word(Word::Resumed),
        "ssl_early_data" => Field::Word(Word::EarlyData),
        "ssl_server_name" | "ssl_preread_server_name" | "host" | "http_host" | "server_name" => {
            Field::Word(Word::Server)
        }
        "remote_addr"
        | "remote_port"
        | "realip_remote_addr"
        | "realip_remote_port"
        | "proxy_protocol_addr"
        | "proxy_protocol_port"
        | "server_addr"
        | "server_port"
        | "connection"
        | "connection_time"
        | "pid"
        | "pipe"
        | "request_id"
        | "request_time"
        | "request_method"
        | "scheme"
        | "https"
        | "http2"
        | "http3"
        | "gzip_ratio"
        | "hostname"
        | "nginx_version"
        | "session_time"
        | "protocol"
        | "content_length"
        | "ssl_session_id"
        | "ssl_alpn_protocol"
        | "limit_rate"
        | "uid_got"
        | "uid_set" => Field::Token,
        _ => Field::Text,
    }
}

/// The pieces of a string with variables: `$name` or `${name}`.
pub fn pieces(format: &str, field: impl Fn(&str) -> Field) -> Result<Vec<Piece>, Problem> {
    let mut pieces = Vec::new();
    let mut parts = format.split('$');
    let first = parts.next().unwrap_or_default();
    pieces.push(Piece::Text(first.as_bytes().to_vec()));
    for part in parts {
        let (name, rest) = match part.strip_prefix('{') {
            Some(braced) => {
                braced.split_once('}').ok_or_else(|| Problem::Unclosed { what: format!("${{{braced}") })?
            }
            None => part
                .split_at(part.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(part.len())),
        };
        if name.is_empty() {
            pieces.push(Piece::Text(format!("${rest}").into_bytes()));
            continue;
        }
        pieces.push(Piece::Field(field(name), format!("${name}")));
        pieces.push(Piece::Text(rest.as_bytes().to_vec()));
    }
    pieces.retain(|piece| !matches!(piece, Piece::Text(text) if text.is_empty()));
    Ok(pieces)
}

/// Of several names of a server, the one that comes first here is the name; others are texts.
pub fn prefer_one_name(pieces: &mut [Piece], names: &[&str]) {
    let rank = |name: &str| names.iter().position(|known| name.trim_start_matches(['$', '%']) == *known);
    let is_name = |piece: &Piece| match piece {
        Piece::Field(Field::Word(Word::Server), name) => Some(rank(name).unwrap_or(usize::MAX)),
        _ => None,
    };
    let best = pieces.iter().enumerate().filter_map(|(at, piece)| Some((is_name(piece)?, at))).min();
    for (at, piece) in pieces.iter_mut().enumerate() {
        if is_name(piece).is_some()
            && best.is_some_and(|(_, best)| best != at)
            && let Piece::Field(field, _) = piece
        {
            *field = Field::Text;
        }
    }
}
