//! [`Form`]: what a person writes.

use std::collections::BTreeSet;

use serde::Deserialize;
use tlstax_doc::{HttpVersion, Kind, Protocol, Tell};
use tlstax_names::Aliased;
use tlstax_spec::{Authentication, Group, Key, Params, Suite, Version};

use super::parts::{Number, Resuming, Size};
use super::problem::Problem;
use super::shares::Shares;
use crate::vocabulary;

/// What a person writes. What is left out is not known.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Form {
    pub requests_per_second: Option<f64>,
    pub connections_per_second: Option<f64>,
    pub requests_per_connection: Option<Shares<Number>>,
    /// How long it goes on so, seconds.
    #[serde(default = "an_hour")]
    pub duration_s: f64,
    /// Of connections: a percentage, or shares of each way to resume.
    pub resumed: Option<Resuming>,
    pub protocols: Option<Shares<Protocol>>,
    pub suites: Option<Shares<Suite>>,
    pub groups: Option<Shares<Group>>,
    pub keys: Option<Shares<Key>>,
    pub http: Option<Shares<HttpVersion>>,
    /// Bytes of responses with their headers.
    pub response: Option<Shares<Size>>,
    /// Bytes of requests with their headers.
    pub request: Option<Shares<Size>>,
}

const fn an_hour() -> f64 {
    3_600.0
}

impl Form {
    /// The kinds of connection, and of a hundred how many are of each: what is not said to depend on each other does not, but
    /// for what cannot go together.
    pub fn kinds(&self) -> Result<Vec<(Kind, f64)>, Problem> {
        let mut kinds = match (&self.suites, &self.protocols) {
            (Some(_), Some(_)) => return Err(Problem::Protocols),
            (Some(suites), None) => self.kinds_of_suites(suites)?,
            (None, protocols) => self.kinds_of_protocols(protocols.as_ref()),
        };
        if let Some(http) = &self.http {
            kinds = product(kinds, &http.0, |kind, version| Kind { http: Some(*version), ..kind.clone() });
        }
        Ok(kinds.into_iter().flat_map(|(kind, share)| self.resumed_kinds(&kind, share)).collect())
    }

    fn kinds_of_protocols(&self, protocols: Option<&Shares<Protocol>>) -> Vec<(Kind, f64)> {
        let mut kinds = vec![(Kind::default(), 100.0)];
        if let Some(protocols) = protocols {
            kinds = product(kinds, &protocols.0, |kind, protocol| Kind {
                protocol: Some(*protocol),
                ..kind.clone()
            });
        }
        // Each of them with TLS.
        let is_tls = |kind: &Kind| kind.protocol.is_none_or(Protocol::is_tls);
        let (tls, mut all): (Vec<_>, Vec<_>) = kinds.into_iter().partition(|(kind, _)| is_tls(kind));
        let groups = self.groups.as_ref().map(|groups| groups.0.as_slice()).unwrap_or_default();
        let keys = self.keys.as_ref().map(|keys| keys.0.as_slice()).unwrap_or_default();
        let tls = product(tls, groups, |kind, group| Kind { group: Some(name(*group)), ..kind.clone() });
        all.extend(product(tls, keys, |kind, key| Kind { key: Some(name(*key)), ..kind.clone() }));
        all
    }

    fn kinds_of_suites(&self, suites: &Shares<Suite>) -> Result<Vec<(Kind, f64)>, Problem> {
        let mut kinds = Vec::new();
        for (suite, share) in &suites.0 {
            let protocol = if suite.version() == Version::Tls13 { Protocol::Tls13 } else { Protocol::Tls12 };
            let key = vocabulary::key_of_suite(suite.name()).map(str::to_owned);
            let kind = Kind { protocol: Some(protocol), suite: Some(name(*suite)), key, ..Kind::default() };
            let keys = fitting(self.keys.as_ref(), |key| suite.fits(*key));
            let keys = keys.ok_or_else(|| Problem::Key { suite: name(*suite) })?;
            let kinds_of_suite = vec![(kind, *share)];
            let with_key =
                product(kinds_of_suite, &keys, |kind, key| Kind { key: Some(name(*key)), ..kind.clone() });
            // Key transport has no group.
            if suite.authentication() == Authentication::Rsa {
                kinds.extend(with_key);
                continue;
            }
            let groups = fitting(self.groups.as_ref(), |group| has_group(*suite, *group));
            let groups = groups.ok_or_else(|| Problem::Group { suite: name(*suite) })?;
            kinds.extend(product(with_key, &groups, |kind, group| Kind {
                group: Some(name(*group)),
                ..kind.clone()
            }));
        }
        Ok(kinds)
    }

    fn resumed_kinds(&self, kind: &Kind, share: f64) -> Vec<(Kind, f64)> {
        let is_tls = kind.protocol.is_none_or(Protocol::is_tls);
        let ways = self.resumed.as_ref().filter(|_| is_tls).map(|resumed| resumed.ways(kind.protocol));
        product(vec![(kind.clone(), share)], &ways.unwrap_or_default(), |kind, way| Kind {
            resumed: Some(*way),
            ..kind.clone()
        })
    }

    /// What it tells.
    pub fn tells(&self) -> BTreeSet<Tell> {
        let has_rate_of_both = self.requests_per_connection.is_some()
            || (self.requests_per_second.is_some() && self.connections_per_second.is_some());
        let told = [
            (true, Tell::Time),
            (self.protocols.is_some() || self.suites.is_some(), Tell::Protocol),
            (self.suites.is_some(), Tell::Suite),
            (self.groups.is_some(), Tell::Group),
            (self.keys.is_some(), Tell::Key),
            (self.resumed.is_some(), Tell::Resumed),
            (self.http.is_some(), Tell::Http),
            (has_rate_of_both || self.connections_per_second.is_some(), Tell::Connection),
            (has_rate_of_both || self.requests_per_second.is_some(), Tell::Requests),
            (self.response.is_some(), Tell::BytesOut),
            (self.request.is_some(), Tell::BytesIn),
        ];
        told.into_iter().filter(|(is_told, _)| *is_told).map(|(_, tell)| tell).collect()
    }
}

/// Each kind with each of some parts; without parts, as it is.
fn product<T>(
    kinds: Vec<(Kind, f64)>,
    parts: &[(T, f64)],
    with: impl Fn(&Kind, &T) -> Kind,
) -> Vec<(Kind, f64)> {
    if parts.is_empty() {
        return kinds;
    }
    let each = |(kind, share): &(Kind, f64)| {
        let (kind, share) = (kind.clone(), *share);
        let all = parts.iter().filter(|(_, of)| *of > 0.0);
        all.map(|(part, of)| (with(&kind, part), share * of / 100.0)).collect::<Vec<_>>()
    };
    kinds.iter().flat_map(each).collect()
}

/// Those parts that fit, in proportion; none if there are some and none fits.
fn fitting<T: Copy>(shares: Option<&Shares<T>>, fits: impl Fn(&T) -> bool) -> Option<Vec<(T, f64)>> {
    let Some(shares) = shares else { return Some(Vec::new()) };
    let fitting: Vec<(T, f64)> = shares.0.iter().filter(|(part, _)| fits(part)).copied().collect();
    let sum: f64 = fitting.iter().map(|(_, share)| share).sum();
    (sum > 0.0).then(|| fitting.into_iter().map(|(part, share)| (part, share * 100.0 / sum)).collect())
}

/// Whether a suite is used with a group, whatever the key.
fn has_group(suite: Suite, group: Group) -> bool {
    let version = suite.version();
    Key::ALL.iter().any(|key| Params { version, suite, group: Some(group), key: *key }.is_coherent())
}

fn name<T: Aliased>(member: T) -> String {
    member.canonical_name().to_owned()
}
