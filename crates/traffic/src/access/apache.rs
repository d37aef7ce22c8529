//! Apache and lighttpd: `LogFormat`, `accesslog.format`.

use super::error::Problem;
use super::field::{Escape, Field, Number, Word};
use super::layout::Layout;
use super::nginx::prefer_one_name;
use super::piece::Piece;
use super::server::Server;
use super::time::{TimeForm, items};

/// The layout of a format string, as it is without the escapes of the configuration.
pub fn compile(format: &str, server: Server) -> Result<Layout, Problem> {
    let mut pieces = pieces(format)?;
    if server != Server::Lighttpd {
        pass_over_bytes_of_the_network(&mut pieces);
    }
    prefer_one_name(&mut pieces, &["{SSL_TLS_SNI}x", "{SSL_TLS_SNI}e", "{Host}i", "V", "v"]);
    Layout::of(server, Escape::Backslash, pieces)
}

/// Apache's mod_logio counts below TLS: the first request of a connection has the bytes of the handshake in it, and each has those of
/// records. What there is of bodies is exact.
fn pass_over_bytes_of_the_network(pieces: &mut [Piece]) {
    let is = |piece: &Piece, wanted: Number| matches!(piece, Piece::Field(Field::Number(number), _) if *number == wanted);
    let has_body = pieces.iter().any(|piece| is(piece, Number::BodyOut) || is(piece, Number::BodyOutOrDash));
    for piece in pieces {
        if (is(piece, Number::BytesIn) || (has_body && is(piece, Number::BytesOut)))
            && let Piece::Field(field, _) = piece
        {
            *field = Field::Token;
        }
    }
}

fn pieces(format: &str) -> Result<Vec<Piece>, Problem> {
    let mut pieces = Vec::new();
    let mut rest = format;
    while !rest.is_empty() {
        let plain = rest.find(['%', '\\']).unwrap_or(rest.len());
        if plain > 0 {
            pieces.push(Piece::Text(rest.as_bytes()[..plain].to_vec()));
        }
        rest = &rest[plain..];
        if rest.starts_with('\\') {
            let (text, length) = escaped(rest);
            pieces.push(Piece::Text(text));
            rest = &rest[length..];
        } else if rest.starts_with('%') {
            let length = directive(rest, &mut pieces)?;
            rest = &rest[length..];
        }
    }
    Ok(pieces)
}

/// What a backslash and the sign behind it stand for, and their length.
fn escaped(text: &str) -> (Vec<u8>, usize) {
    let Some(sign) = text[1..].chars().next() else { return (b"\\".to_vec(), 1) };
    let length = 1 + sign.len_utf8();
    let text = match sign {
        't' => "\t",
        'n' => "\n",
        'r' => "\r",
        '\\' | '"' | '\'' => &text[1..2],
        _ => &text[..length],
    };
    (text.as_bytes().to_vec(), length)
}

/// Adds a directive, `%>s` or `%{SSL_PROTOCOL}x`; its length.
fn directive(text: &str, pieces: &mut Vec<Piece>) -> Result<usize, Problem> {
    let bytes = text.as_bytes();
    let mut at = 1;
    // Conditions and the choice of a request that was redirected: they change whether and of what, and not how it is written.
    while bytes.get(at).is_some_and(|byte| matches!(byte, b'!' | b'<' | b'>' | b',' | b'0'..=b'9')) {
        at += 1;
    }
    let mut argument = None;
    if bytes.get(at) == Some(&b'{') {
        let Some(length) = text[at..].find('}') else {
            return Err(Problem::Unclosed { what: format!("%{}", &text[at..]) });
        };
        argument = Some(&text[at + 1..at + length]);
        at += length + 1;
    }
    // Two letters are behind this one.
    if bytes.get(at) == Some(&b'^') {
        at += 2;
    }
    let Some(letter) = text.get(at..).and_then(|rest| rest.chars().next()) else {
        return Err(Problem::Unclosed { what: text.to_owned() });
    };
    let end = at + letter.len_utf8();
    let name = match argument {
        Some(argument) => format!("%{{{argument}}}{letter}"),
        None => format!("%{letter}"),
    };
    match (letter, argument) {
        ('%', _) => pieces.push(Piece::Text(b"%".to_vec())),
        ('t', None) => {
            let time = Piece::Field(Field::Time(TimeForm::Common, false), name);
            pieces.extend([Piece::Text(b"[".to_vec()), time, Piece::Text(b"]".to_vec())]);
        }
        _ => pieces.push(Piece::Field(field(letter, argument), name)),
    }
    Ok(end)
}

/// What a directive says.
fn field(letter: char, argument: Option<&str>) -> Field {
    match (letter, argument) {
        ('r', _) => Field::Request,
        ('t', Some(form)) => time(form),
        ('s', _) => Field::Number(Number::Status),
        ('O', None) => Field::Number(Number::BytesOut),
        ('B', _) => Field::Number(Number::BodyOut),
        ('b', _) => Field::Number(Number::BodyOutOrDash),
        ('I', None) => Field::Number(Number::BytesIn),
        ('k', _) => Field::Number(Number::OrdinalFromZero),
        ('H', _) => Field::Word(Word::Http),
        ('v' | 'V', _) => Field::Word(Word::Server),
        ('i', Some(header)) if header.eq_ignore_ascii_case("host") => Field::Word(Word::Server),
        ('x' | 'e' | 'c', Some(name)) => variable(name),
        ('h' | 'a' | 'A' | 'p' | 'P' | 'l' | 'D' | 'T' | 'm' | 'L' | 'S' | 'X', _) => Field::Token,
        _ => Field::Text,
    }
}

/// A variable of mod_ssl, whichever of its ways into the log it takes.
fn variable(name: &str) -> Field {
    match name {
        "SSL_PROTOCOL" | "version" => Field::Word(Word::Protocol),
        "SSL_CIPHER" | "SSL_CIPHER_NAME" | "cipher" => Field::Word(Word::Suite),
        "SSL_SESSION_RESUMED" => Field::Word(Word::Resumed),
        "SSL_TLS_SNI" => Field::Word(Word::Server),
        _ => Field::Text,
    }
}

/// `%{...}t`
fn time(form: &str) -> Field {
    let form = form.strip_prefix("begin:").or_else(|| form.strip_prefix("end:")).unwrap_or(form);
    match form {
        "sec" => Field::Time(TimeForm::Epoch(1), false),
        "msec" => Field::Time(TimeForm::Epoch(1_000), false),
        "usec" => Field::Time(TimeForm::Epoch(1_000_000), false),
        "msec_frac" | "usec_frac" => Field::Token,
        _ => items(form).map_or(Field::Text, |items| Field::Time(TimeForm::Pattern(items), false)),
    }
}
