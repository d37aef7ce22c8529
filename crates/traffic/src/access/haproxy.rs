//! HAProxy: `log-format`, and the formats of its options.

use super::error::Problem;
use super::field::{Escape, Field, Number, Word};
use super::layout::Layout;
use super::piece::Piece;
use super::server::Server;
use super::time::TimeForm;

/// `option httplog`
pub const HTTP: &str = "%ci:%cp [%tr] %ft %b/%s %TR/%Tw/%Tc/%Tr/%Ta %ST %B %CC %CS %tsc %ac/%fc/%bc/%sc/%rc %sq/%bq %hr %hs %{+Q}r";

/// `option httpslog`
pub const HTTPS: &str = "%ci:%cp [%tr] %ft %b/%s %TR/%Tw/%Tc/%Tr/%Ta %ST %B %CC %CS %tsc %ac/%fc/%bc/%sc/%rc %sq/%bq %hr %hs %{+Q}r \
     %[fc_err]/%[ssl_fc_err,hex]/%[ssl_c_err]/%[ssl_c_ca_err]/%[ssl_fc_is_resumed] %[ssl_fc_sni]/%sslv/%sslc";

/// `option tcplog`
pub const TCP: &str = "%ci:%cp [%t] %ft %b/%s %Tw/%Tc/%Tt %B %ts %ac/%fc/%bc/%sc/%rc %sq/%bq";

/// `option httplog clf`, to the last field that is always there
pub const CLF: &str = "%{+Q}o %{-Q}ci - - [%trg] %r %ST %B \"\" \"\" %cp %ms %ft %b %s %TR %Tw %Tc %Tr %Ta %tsc %ac %fc %bc %sc %rc \
     %sq %bq ";

/// The layout of a format string.
pub fn compile(format: &str) -> Result<Layout, Problem> {
    let mut reader =
        Reader { rest: format, flags: Flags::default(), pieces: Vec::new(), is_of_requests: false };
    while !reader.rest.is_empty() {
        reader.step()?;
    }
    let is_of_connections = !reader.is_of_requests;
    let has_open_end = format == CLF;
    Ok(Layout {
        is_of_connections,
        has_open_end,
        ..Layout::of(Server::HAProxy, Escape::None, reader.pieces)?
    })
}

/// What a variable is told of how to be written.
#[derive(Debug, Default, Clone, Copy)]
struct Flags {
    quoted: bool,
    in_hex: bool,
}

struct Reader<'f> {
    rest: &'f str,
    /// Those that `%o` has set for all that follow.
    flags: Flags,
    pieces: Vec<Piece>,
    is_of_requests: bool,
}

impl<'f> Reader<'f> {
    fn step(&mut self) -> Result<(), Problem> {
        let plain = self.rest.find(['%', '\\']).unwrap_or(self.rest.len());
        let (text, rest) = self.rest.split_at(plain);
        self.push_text(text);
        self.rest = rest;
        if let Some(escaped) = rest.strip_prefix('\\') {
            let length = escaped.chars().next().map_or(0, char::len_utf8);
            self.push_text(&escaped[..length]);
            self.rest = &escaped[length..];
        } else if let Some(rest) = rest.strip_prefix("%%") {
            self.push_text("%");
            self.rest = rest;
        } else if let Some(rest) = rest.strip_prefix('%') {
            self.rest = rest;
            self.variable()?;
        }
        Ok(())
    }

    /// Adds a text. Spaces that follow each other are one, and there is none at the beginning.
    fn push_text(&mut self, text: &str) {
        let mut joined = match self.pieces.pop() {
            Some(Piece::Text(known)) => known,
            Some(field) => {
                self.pieces.push(field);
                Vec::new()
            }
            None => Vec::new(),
        };
        for byte in text.bytes() {
            let is_first = self.pieces.is_empty() && joined.is_empty();
            if byte != b' ' || !(is_first || joined.last() == Some(&b' ')) {
                joined.push(byte);
            }
        }
        if !joined.is_empty() {
            self.pieces.push(Piece::Text(joined));
        }
    }

    /// Reads a variable: an optional name of its own, flags, and a name or an expression.
    fn variable(&mut self) -> Result<(), Problem> {
        if self.rest.starts_with('(') {
            self.bracketed(')')?;
        }
        let mut flags = self.flags;
        if self.rest.starts_with('{') {
            for flag in self.bracketed('}')?.split(',') {
                match flag.trim() {
                    "+Q" => flags.quoted = true,
                    "-Q" => flags.quoted = false,
                    "+X" => flags.in_hex = true,
                    "-X" => flags.in_hex = false,
                    "+json" => return Err(Problem::Named { what: "JSON", word: "haproxy-json" }),
                    _ => {}
                }
            }
        }
        if self.rest.starts_with('[') {
            let expression = self.bracketed(']')?;
            self.is_of_requests |= expression == "http_first_req";
            self.push(fetched(expression), format!("%[{expression}]"), flags);
            return Ok(());
        }
        let end = self.rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        self.rest = rest;
        if name == "o" {
            self.flags = flags;
        } else {
            self.is_of_requests |= OF_REQUESTS.contains(&name);
            self.push(named(name), format!("%{name}"), flags);
        }
        Ok(())
    }

    fn push(&mut self, field: Field, name: String, flags: Flags) {
        let is_number = matches!(field, Field::Number(_) | Field::Time(..));
        let field = if flags.in_hex && is_number { Field::Token } else { field };
        let is_text = name.starts_with("%[") || TEXTS.contains(&&name[1..]);
        let is_quoted = flags.quoted && is_text;
        let quote = if is_quoted { "\"" } else { "" };
        self.push_text(quote);
        self.pieces.push(Piece::Field(field, name));
        self.push_text(quote);
    }

    /// What is in brackets, of which the first one stands here.
    fn bracketed(&mut self, close: char) -> Result<&'f str, Problem> {
        let rest = self.rest;
        let open = rest.chars().next().unwrap_or_default();
        let mut depth = 0usize;
        for (at, sign) in rest.char_indices() {
            if sign == open {
                depth += 1;
            } else if sign == close {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    self.rest = &rest[at + close.len_utf8()..];
                    return Ok(&rest[open.len_utf8()..at]);
                }
            }
        }
        Err(Problem::Unclosed { what: format!("%{rest}") })
    }
}

/// Variables that exist for HTTP only: a line that has one is a request.
const OF_REQUESTS: [&str; 22] = [
    "r", "HM", "HP", "HPO", "HQ", "HU", "HV", "Ta", "Ti", "Tq", "TR", "Tr", "tr", "trg", "trl", "tsc", "CC",
    "CS", "hr", "hs", "hrl", "hsl",
];

/// Variables that are quoted where that is asked for: texts and addresses.
const TEXTS: [&str; 24] = [
    "r", "HM", "HP", "HPO", "HQ", "HU", "HV", "CC", "CS", "hrl", "hsl", "H", "ID", "b", "f", "ft", "s", "ci",
    "fi", "bi", "si", "sslc", "sslv", "hr",
];

/// What a variable says.
fn named(name: &str) -> Field {
    match name {
        "t" | "tr" => Field::Time(TimeForm::CommonMillis, false),
        "T" | "Tl" | "trg" | "trl" => Field::Time(TimeForm::Common, false),
        "Ts" => Field::Time(TimeForm::Epoch(1), false),
        "ST" => Field::Number(Number::Status),
        "B" => Field::Number(Number::BytesOut),
        "U" => Field::Number(Number::BytesIn),
        "r" => Field::Request,
        "HV" => Field::Word(Word::Http),
        "sslv" => Field::Word(Word::Protocol),
        "sslc" => Field::Word(Word::Suite),
        "hr" | "hs" => Field::Captures,
        "CC" | "CS" | "HP" | "HPO" | "HQ" | "HU" | "hrl" | "hsl" | "H" => Field::Text,
        _ => Field::Token,
    }
}

/// What an expression fetches. One that is converted is some other text.
fn fetched(expression: &str) -> Field {
    match expression {
        "ssl_fc_protocol" => Field::Word(Word::Protocol),
        "ssl_fc_cipher" => Field::Word(Word::Suite),
        "ssl_fc_curve" => Field::Word(Word::Group),
        "ssl_fc_is_resumed" => Field::Word(Word::Resumed),
        "ssl_fc_has_early" => Field::Word(Word::EarlyData),
        "ssl_fc_sni" => Field::Word(Word::Server),
        "http_first_req" => Field::Number(Number::IsFirst),
        "date" => Field::Time(TimeForm::Epoch(1), false),
        "fc_err" | "ssl_fc_err,hex" | "ssl_c_err" | "ssl_c_ca_err" => Field::Token,
        _ => Field::Text,
    }
}
