//! What the values of a log mean, in the words of documents. A word that is in no vocabulary means nothing: what was said is not
//! known.

use tlstax_doc::{HttpVersion, Kind, Protocol, Resumed};
use tlstax_spec::SuiteFacts;

use super::field::Field;
use super::value::{Record, Value, digits};
use crate::classes::Classes;
use crate::vocabulary;

/// The fields that make up a kind.
pub const KIND: [Field; 10] = [
    Field::Protocol,
    Field::Suite,
    Field::Group,
    Field::Key,
    Field::Resumed,
    Field::EarlyData,
    Field::Http,
    Field::RequestLine,
    Field::ServerName,
    Field::Class,
];

/// The kind of connection that an entry is about. One that says nothing of TLS has none, where that is how its source says so.
pub fn kind(record: &Record<'_>, classes: &Classes, silence_is_plain: bool) -> Kind {
    let suite = suite(record.get(Field::Suite));
    let protocol = match record.get(Field::Protocol) {
        Value::Absent if silence_is_plain => Some(Protocol::None),
        Value::Absent => {
            suite.as_deref().filter(|suite| SuiteFacts::of(suite).tls13).map(|_| Protocol::Tls13)
        }
        value => protocol(value),
    };
    let http = http(record.get(Field::Http)).or_else(|| http_of_line(record.get(Field::RequestLine)));
    let class = class(record, classes);
    if protocol == Some(Protocol::None) {
        return Kind { class, protocol, http, ..Kind::default() };
    }
    let key = key(record.get(Field::Key));
    let of_suite = || suite.as_deref().and_then(vocabulary::key_of_suite).map(str::to_owned);
    Kind {
        class,
        protocol,
        key: key.or_else(of_suite),
        suite,
        group: group(record.get(Field::Group)),
        resumed: way(record, protocol),
        http,
    }
}

fn protocol(value: &Value<'_>) -> Option<Protocol> {
    match value {
        Value::Absent => None,
        // What logs what a connection has says so that it has no TLS.
        Value::Null => Some(Protocol::None),
        Value::Whole(_) => vocabulary::protocol_of_code(code(value)?),
        Value::Text(text) if **text == *b"none" => Some(Protocol::None),
        Value::Text(text) => {
            vocabulary::protocol(text).or_else(|| vocabulary::protocol_of_code(code(value)?))
        }
        Value::Real(_) | Value::Bool(_) | Value::Other => None,
    }
}

fn suite(value: &Value<'_>) -> Option<String> {
    match value {
        Value::Text(text) => vocabulary::suite(text).or_else(|| vocabulary::suite_of_code(code(value)?)),
        _ => vocabulary::suite_of_code(code(value)?),
    }
}

fn group(value: &Value<'_>) -> Option<String> {
    match value {
        Value::Text(text) => vocabulary::group(text).or_else(|| vocabulary::group_of_code(code(value)?)),
        _ => vocabulary::group_of_code(code(value)?),
    }
}

/// A code point of a registry: a number, or its digits, also after `0x`.
fn code(value: &Value<'_>) -> Option<u16> {
    match value {
        Value::Whole(number) => u16::try_from(*number).ok(),
        Value::Text(text) => match text.strip_prefix(b"0x").or_else(|| text.strip_prefix(b"0X")) {
            Some(hex) => u16::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok(),
            None => u16::try_from(digits(text).ok()?).ok(),
        },
        _ => None,
    }
}

fn key(value: &Value<'_>) -> Option<String> {
    let Value::Text(text) = value else { return None };
    vocabulary::key(text)
}

fn resumed(value: &Value<'_>) -> Option<Resumed> {
    match value {
        Value::Bool(true) | Value::Whole(1) => Some(Resumed::Resumed),
        Value::Bool(false) | Value::Whole(0) => Some(Resumed::Full),
        Value::Text(text) => match &**text {
            b"r" | b"T" | b"1" | b"true" | b"t" | b"yes" | b"Resumed" | b"resumed" => Some(Resumed::Resumed),
            b"." | b"F" | b"0" | b"false" | b"f" | b"no" | b"Initial" | b"full" => Some(Resumed::Full),
            b"session-id" => Some(Resumed::SessionId),
            b"ticket" => Some(Resumed::Ticket),
            b"psk" => Some(Resumed::Psk),
            b"early-data" => Some(Resumed::EarlyData),
            _ => None,
        },
        _ => None,
    }
}

/// In TLS 1.3 there is one way to resume, perhaps with early data.
fn way(record: &Record<'_>, protocol: Option<Protocol>) -> Option<Resumed> {
    if resumed(record.get(Field::EarlyData)) == Some(Resumed::Resumed) {
        return Some(Resumed::EarlyData);
    }
    match (resumed(record.get(Field::Resumed))?, protocol) {
        (Resumed::Resumed, Some(Protocol::Tls13)) => Some(Resumed::Psk),
        (how, _) => Some(how),
    }
}

fn http(value: &Value<'_>) -> Option<HttpVersion> {
    let Value::Text(text) = value else { return None };
    vocabulary::http(text).or(match &**text {
        b"1.0" => Some(HttpVersion::Http10),
        b"1.1" => Some(HttpVersion::Http11),
        b"2" | b"2.0" => Some(HttpVersion::Http2),
        b"3" | b"3.0" => Some(HttpVersion::Http3),
        _ => None,
    })
}

fn http_of_line(value: &Value<'_>) -> Option<HttpVersion> {
    let Value::Text(line) = value else { return None };
    // One word alone is no line of a request.
    vocabulary::http(&line[memchr::memrchr(b' ', line)? + 1..])
}

fn class(record: &Record<'_>, classes: &Classes) -> Option<String> {
    let text = |field| match record.get(field) {
        Value::Text(text) if record.get(field).says() => Some(text),
        _ => None,
    };
    match text(Field::Class) {
        Some(class) => classes.known(class),
        None => classes.of(text(Field::ServerName)?),
    }
}
