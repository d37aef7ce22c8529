//! From what the fields of a line say to what was seen.

use tlstax_doc::{Bad, HttpVersion, Kind, PassedOver, Protocol, Resumed};
use tlstax_spec::SuiteFacts;

use super::field::{Number, Word};
use super::log::AccessLog;
use super::odd::Odd;
use super::server::Server;
use super::values::Values;
use crate::seen::{Seen, What};
use crate::tally::Tally;
use crate::vocabulary;

impl AccessLog {
    /// What was seen; none of a line without a request whose connection has been counted, or cannot be.
    pub(super) fn seen(&self, values: &Values<'_>, tally: &mut Tally) -> Result<Option<Seen>, Bad> {
        let Some(what) = self.what(values) else {
            tally.pass_over(PassedOver::NoRequest);
            return Ok(None);
        };
        let at = self.at(values.at)?;
        let mut words: [&[u8]; Word::COUNT] = [b""; Word::COUNT];
        for (place, word) in words.iter_mut().zip(&self.words) {
            *place = values.word(*word);
        }
        let kind = tally.kind(&words[..self.words.len()], || self.kind(values));
        let out = values.number(Number::BytesOut);
        let out = out.or(values.number(Number::BodyOut)).or_else(|| self.body(values));
        Ok(Some(Seen { kind, what, times: 1, at, out, into: values.number(Number::BytesIn) }))
    }

    /// What a line is that is no entry: a handshake that did not succeed, of which nothing else is known, or nothing that counts.
    pub(super) fn odd(&self, odd: Odd, tally: &mut Tally) -> Option<Seen> {
        let at = match odd {
            Odd::FailedHandshake(at) => at.and_then(|at| u64::try_from(at - self.offset).ok()),
            Odd::Empty => {
                tally.pass_over(PassedOver::Empty);
                return None;
            }
            Odd::Other => {
                tally.pass_over(PassedOver::NoRequest);
                return None;
            }
        };
        let kind = tally.known_kind(Kind::default());
        Some(Seen { kind, what: What::FailedHandshake, times: 1, at, out: None, into: None })
    }

    #[inline]
    fn what(&self, values: &Values<'_>) -> Option<What> {
        if self.layout.is_of_connections {
            return Some(What::Connection { requests: None });
        }
        let ordinal = self.ordinal(values);
        if !values.has_request {
            // The client came, and went without a request.
            return (ordinal == Some(1)).then_some(What::Connection { requests: Some(0) });
        }
        let is_later = values.number(Number::IsFirst) == Some(0) && !is_multiplexed(values.word(Word::Http));
        Some(if ordinal.is_none() && is_later { What::LaterRequest } else { What::Request { ordinal } })
    }

    #[inline]
    fn ordinal(&self, values: &Values<'_>) -> Option<u64> {
        if let Some(ordinal) = values.number(Number::Ordinal) {
            return (ordinal > 0).then_some(ordinal);
        }
        if let Some(before) = values.number(Number::OrdinalFromZero) {
            return self.ordinal_from_zero(before, values);
        }
        values.number(Number::IsFirst).filter(|first| *first == 1)
    }

    fn ordinal_from_zero(&self, before: u64, values: &Values<'_>) -> Option<u64> {
        match (is_multiplexed(values.word(Word::Http)), self.layout.server) {
            (false, _) => Some(before.saturating_add(1)),
            // Its preface is the first request of a connection of HTTP/2 to lighttpd.
            (true, Server::Lighttpd) => Some(before),
            // To Apache, each stream is a connection of its own.
            (true, _) => None,
        }
    }

    /// Bytes of a body for which a dash stands if there are none.
    #[inline]
    fn body(&self, values: &Values<'_>) -> Option<u64> {
        self.layout.has_dash_for_none.then(|| values.number(Number::BodyOutOrDash).unwrap_or(0))
    }

    #[inline]
    fn at(&self, at: i64) -> Result<Option<u64>, Bad> {
        if !self.layout.is_dated {
            return Ok(None);
        }
        let offset = if self.layout.is_zoned { 0 } else { self.offset };
        u64::try_from(at - offset).map(Some).map_err(|_| Bad::Time)
    }

    /// What the words of a line stand for.
    fn kind(&self, values: &Values<'_>) -> Kind {
        let has = |word: Word| self.layout.has(word).then(|| values.word(word));
        let suite = has(Word::Suite).and_then(vocabulary::suite);
        let class =
            has(Word::Server).and_then(|name| self.classify.as_ref().and_then(|classify| classify(name)));
        let http = vocabulary::http(values.word(Word::Http));
        let protocol = match has(Word::Protocol) {
            // It knows the variables of TLS for requests of CGI only.
            Some(b"-") if self.layout.server == Server::Lighttpd => None,
            Some(word) => vocabulary::protocol(word),
            None => suite.as_deref().filter(|suite| SuiteFacts::of(suite).tls13).map(|_| Protocol::Tls13),
        };
        if protocol == Some(Protocol::None) {
            return Kind { class, protocol, http, ..Kind::default() };
        }
        let by_suite = || suite.as_deref().and_then(vocabulary::key_of_suite).map(str::to_owned);
        let key = has(Word::Key).and_then(vocabulary::key).or_else(by_suite);
        let group = has(Word::Group).and_then(vocabulary::group);
        let is_resumed = has(Word::Resumed).and_then(|word| is_resumed(self.layout.server, word));
        let resumed = resumed(is_resumed, has(Word::EarlyData), protocol);
        Kind { class, protocol, suite, group, key, resumed, http }
    }
}

/// Whether requests are streams of a connection. Not all servers number those.
fn is_multiplexed(word: &[u8]) -> bool {
    matches!(vocabulary::http(word), Some(HttpVersion::Http2 | HttpVersion::Http3))
}

/// Whether a session was resumed, in the server's own words: those of another server mean that the line is of that one.
fn is_resumed(server: Server, word: &[u8]) -> Option<bool> {
    let [full, resumed]: [&[u8]; 2] = match server {
        Server::Nginx => [b".", b"r"],
        Server::HAProxy => [b"0", b"1"],
        Server::Apache | Server::Lighttpd | Server::Any => [b"Initial", b"Resumed"],
        Server::Alb => return None,
    };
    (word == full || word == resumed).then_some(word == resumed)
}

fn resumed(is_resumed: Option<bool>, early: Option<&[u8]>, protocol: Option<Protocol>) -> Option<Resumed> {
    if early == Some(b"1") {
        return Some(Resumed::EarlyData);
    }
    Some(match is_resumed? {
        false => Resumed::Full,
        // TLS 1.3 resumes in this way only.
        true if protocol == Some(Protocol::Tls13) => Resumed::Psk,
        true => Resumed::Resumed,
    })
}
