//! [`Change`]: something that is done otherwise, as people write it.

use std::fmt;
use std::str::FromStr;

use tlstax_names::{bytes, did_you_mean, lookup};
use tlstax_spec::{Group, Http, Key, Suite, Version};

/// Something that is done otherwise.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// The key of the certificate.
    Cert(Key),
    Tickets(bool),
    /// The share of connections that resume, 0 to 1.
    Resumed(f64),
    Suite(Suite),
    Group(Group),
    Version(Version),
    Http(Http),
    RequestsPerConnection(f64),
    /// The most bytes that the server encrypts into a record.
    Record(u32),
    Sendfile(bool),
    /// Another library, by another model.
    Library(String),
}

/// Why a text is no change.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadChange {
    #[error("'{0}' is no change: write NAME=VALUE, as in cert=ecdsa-p256; the names: {names}", names = NAMES.join(", "))]
    Form(String),
    #[error("there is no change '{name}';{meant} the names: {names}", names = NAMES.join(", "))]
    Name { name: String, meant: String },
    #[error("{change}: {why}")]
    Value { change: String, why: String },
}

/// The names of changes.
pub const NAMES: [&str; 11] = [
    "cert",
    "tickets",
    "resumed",
    "suite",
    "group",
    "version",
    "http",
    "requests-per-connection",
    "record",
    "sendfile",
    "library",
];

/// Limits of what is thinkable.
const REQUESTS: std::ops::RangeInclusive<f64> = 1.0..=1e6;
const RECORD: std::ops::RangeInclusive<u64> = 512..=16_384;

impl FromStr for Change {
    type Err = BadChange;

    fn from_str(text: &str) -> Result<Self, BadChange> {
        let form = || BadChange::Form(text.to_owned());
        let (name, value) = text.split_once('=').ok_or_else(form)?;
        let (name, value) = (name.trim(), value.trim());
        if value.is_empty() {
            return Err(form());
        }
        let wrong = |why: String| BadChange::Value { change: text.to_owned(), why };
        match name {
            "cert" => lookup(value).map(Self::Cert).map_err(|error| error.to_string()),
            "suite" => lookup(value).map(Self::Suite).map_err(|error| error.to_string()),
            "group" => lookup(value).map(Self::Group).map_err(|error| error.to_string()),
            "version" => lookup(value).map(Self::Version).map_err(|error| error.to_string()),
            "http" => lookup(value).map(Self::Http).map_err(|error| error.to_string()),
            "tickets" => on_or_off(value).map(Self::Tickets),
            "sendfile" => on_or_off(value).map(Self::Sendfile),
            "resumed" => share(value).map(Self::Resumed),
            "requests-per-connection" => number(value, REQUESTS).map(Self::RequestsPerConnection),
            "record" => record(value).map(Self::Record),
            "library" => Ok(Self::Library(value.to_owned())),
            _ => {
                let meant = did_you_mean(name, NAMES.into_iter());
                return Err(BadChange::Name { name: name.to_owned(), meant });
            }
        }
        .map_err(wrong)
    }
}

fn on_or_off(value: &str) -> Result<bool, String> {
    match value {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err("write on or off".to_owned()),
    }
}

/// A share as 80% or 0.8.
fn share(value: &str) -> Result<f64, String> {
    let is = || "write a share of connections from 0% to 100%, or from 0 to 1".to_owned();
    let share = match value.strip_suffix('%') {
        Some(percent) => percent.trim().parse::<f64>().map_err(|_| is())? / 100.0,
        None => value.parse::<f64>().map_err(|_| is())?,
    };
    (0.0..=1.0).contains(&share).then_some(share).ok_or_else(is)
}

fn number(value: &str, limits: std::ops::RangeInclusive<f64>) -> Result<f64, String> {
    let number = value.parse::<f64>().ok().filter(|number| limits.contains(number));
    number.ok_or_else(|| format!("write a number from {} to {}", limits.start(), limits.end()))
}

fn record(value: &str) -> Result<u32, String> {
    let size = bytes(value).map_err(|error| error.to_string())?;
    let size = Some(size).filter(|size| RECORD.contains(size)).and_then(|size| u32::try_from(size).ok());
    size.ok_or_else(|| format!("write a size from {} to {} bytes", RECORD.start(), RECORD.end()))
}

impl Change {
    /// Which of the [`NAMES`] it has.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Cert(_) => "cert",
            Self::Tickets(_) => "tickets",
            Self::Resumed(_) => "resumed",
            Self::Suite(_) => "suite",
            Self::Group(_) => "group",
            Self::Version(_) => "version",
            Self::Http(_) => "http",
            Self::RequestsPerConnection(_) => "requests-per-connection",
            Self::Record(_) => "record",
            Self::Sendfile(_) => "sendfile",
            Self::Library(_) => "library",
        }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name();
        let switch = |is_on: &bool| if *is_on { "on" } else { "off" };
        match self {
            Self::Cert(key) => write!(f, "{name}={key}"),
            Self::Tickets(is_on) | Self::Sendfile(is_on) => write!(f, "{name}={}", switch(is_on)),
            // A share in percent with as many digits as it has.
            Self::Resumed(share) => write!(f, "{name}={}%", (share * 1e6).round() / 1e4),
            Self::Suite(suite) => write!(f, "{name}={suite}"),
            Self::Group(group) => write!(f, "{name}={group}"),
            Self::Version(version) => write!(f, "{name}={version}"),
            Self::Http(http) => write!(f, "{name}={http}"),
            Self::RequestsPerConnection(requests) => write!(f, "{name}={requests}"),
            Self::Record(size) => write!(f, "{name}={size}"),
            Self::Library(library) => write!(f, "{name}={library}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_read_as_people_write_them() {
        for (text, expected) in [
            ("cert=p256", "cert=ecdsa-p256"),
            ("resumed=80%", "resumed=80%"),
            ("resumed=0.8", "resumed=80%"),
            ("http=http2", "http=h2"),
            ("group=x25519mlkem768", "group=X25519MLKEM768"),
            ("record=4k", "record=4096"),
            ("suite=aes-256-gcm", "suite=TLS_AES_256_GCM_SHA384"),
            ("version=1.3", "version=TLSv1.3"),
            ("requests-per-connection=12.5", "requests-per-connection=12.5"),
        ] {
            let change: Change = text.parse().unwrap();
            assert_eq!(change.to_string(), expected);
            assert_eq!(expected.parse(), Ok(change));
        }
    }

    #[test]
    fn what_is_no_change_is_refused_with_what_to_write() {
        for (text, part) in [
            ("cert", "write NAME=VALUE"),
            ("cert=", "write NAME=VALUE"),
            ("certs=rsa-2048", "did you mean cert"),
            ("cert=rsa-1", "unknown certificate key"),
            ("resumed=120%", "from 0% to 100%"),
            ("resumed=-1", "from 0% to 100%"),
            ("resumed=nan", "from 0% to 100%"),
            ("requests-per-connection=0", "from 1 to 1000000"),
            ("record=1", "from 512 to 16384"),
            ("tickets=perhaps", "on or off"),
        ] {
            let error = text.parse::<Change>().unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
