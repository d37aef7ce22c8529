//! From what an entry says of each field to what was seen.

use tlstax_doc::{Bad, PassedOver};

use super::field::Field;
use super::time::Times;
use super::value::{Record, Value};
use super::words::{KIND, kind};
use crate::classes::Classes;
use crate::seen::{KindId, Seen, What};
use crate::tally::Tally;

/// What the entries of a source are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entries {
    /// Requests.
    Requests,
    /// Requests, of which those that say nothing of TLS came without it.
    RequestsPlainIfSilent,
    /// Connections that may have failed.
    Handshakes,
    /// Connections of any protocol, with their bytes; what is known of their TLS stands elsewhere.
    Volumes,
    /// Rows that say it themselves.
    Rows,
}

/// The most requests that a connection of a table can have.
const MOST_REQUESTS: u64 = 1_000_000;

/// What an entry has been seen to say; none where it is none of those that count.
///
/// # Errors
/// A value is none of its field.
pub fn seen(
    entries: Entries,
    record: &Record<'_>,
    classes: &Classes,
    times: &mut Times,
    tally: &mut Tally,
) -> Result<Option<Seen>, Bad> {
    let what = match entries {
        Entries::Requests | Entries::RequestsPlainIfSilent => request(record)?,
        Entries::Handshakes => handshake(record),
        Entries::Volumes => volume(record),
        Entries::Rows => row(record)?,
    };
    let what = match what {
        Ok(what) => what,
        Err(why) => {
            tally.pass_over(why);
            return Ok(None);
        }
    };
    let out = first_number(record, [Field::BytesOut, Field::BodyOut])?;
    let into = first_number(record, [Field::BytesIn, Field::BodyIn])?;
    let at = times.read(record.get(Field::Time))?;
    let times = record.get(Field::Count).number()?.unwrap_or(1);
    if let Some(seconds) = record.get(Field::Seconds).number()? {
        tally.widen(u32::try_from(seconds).map_err(|_| Bad::Number)?);
    }
    let kind = kind_of(entries, record, classes, tally);
    Ok(Some(Seen { kind, what, times, at, out, into }))
}

fn kind_of(entries: Entries, record: &Record<'_>, classes: &Classes, tally: &mut Tally) -> KindId {
    let is_plain = entries == Entries::RequestsPlainIfSilent;
    let mut places = [[0; 9]; KIND.len()];
    let mut words = [b"".as_slice(); KIND.len()];
    for ((word, place), field) in words.iter_mut().zip(&mut places).zip(KIND) {
        *word = match field {
            // Of a request line only its end is meant, and names of servers only where there are classes.
            Field::RequestLine => end(record.get(field)),
            Field::ServerName if classes.is_empty() => b"",
            field => record.get(field).word(place),
        };
    }
    tally.kind(&words, || kind(record, classes, is_plain))
}

/// The last word of a text.
fn end<'v>(value: &'v Value<'_>) -> &'v [u8] {
    let Value::Text(text) = value else { return b"" };
    memchr::memrchr(b' ', text).map_or(b"", |space| &text[space..])
}

fn first_number(record: &Record<'_>, fields: [Field; 2]) -> Result<Option<u64>, Bad> {
    match record.get(fields[0]).number()? {
        None => record.get(fields[1]).number(),
        known => Ok(known),
    }
}

fn request(record: &Record<'_>) -> Result<Result<What, PassedOver>, Bad> {
    // nginx and HAProxy log what came before any request, or instead of one.
    let is_none = |value: &Value<'_>| match value {
        Value::Text(text) => matches!(&**text, b"" | b"-") || text.ends_with(b"<BADREQ>"),
        _ => false,
    };
    // Envoy has null for the version of HTTP there.
    let http = record.get(Field::Http);
    if is_none(record.get(Field::RequestLine)) || is_none(http) || *http == Value::Null {
        return Ok(Err(PassedOver::NoRequest));
    }
    let ordinal = record.get(Field::ConnectionRequest).number()?.filter(|ordinal| *ordinal > 0);
    Ok(Ok(What::Request { ordinal }))
}

fn handshake(record: &Record<'_>) -> Result<What, PassedOver> {
    // TLS over datagrams is another protocol, with other costs.
    if matches!(record.get(Field::Protocol), Value::Text(version) if version.starts_with(b"DTLS")) {
        return Err(PassedOver::OtherProtocol);
    }
    match record.get(Field::Established) {
        Value::Bool(false) => Ok(What::FailedHandshake),
        Value::Text(text) if **text == *b"F" => Ok(What::FailedHandshake),
        _ => Ok(What::Connection { requests: None }),
    }
}

fn volume(record: &Record<'_>) -> Result<What, PassedOver> {
    let Value::Text(services) = record.get(Field::Service) else { return Err(PassedOver::NoRequest) };
    match services.split(|byte| *byte == b',').any(|service| service == b"ssl") {
        true => Ok(What::Volume),
        false => Err(PassedOver::NoRequest),
    }
}

fn row(record: &Record<'_>) -> Result<Result<What, PassedOver>, Bad> {
    if record.get(Field::Count).number()? == Some(0) {
        return Ok(Err(PassedOver::NoRequest));
    }
    let requests = record.get(Field::Requests).number()?;
    // Each of them is counted by its place.
    if requests.is_some_and(|requests| requests > MOST_REQUESTS) {
        return Err(Bad::Number);
    }
    let Value::Text(what) = record.get(Field::What) else {
        return match requests {
            Some(_) => Ok(Ok(What::Connection { requests })),
            None => request(record),
        };
    };
    match &**what {
        b"request" | b"" => request(record),
        b"connection" => Ok(Ok(What::Connection { requests })),
        b"failed-handshake" => Ok(Ok(What::FailedHandshake)),
        b"volume" => Ok(Ok(What::Volume)),
        _ => Err(Bad::OtherFormat),
    }
}
