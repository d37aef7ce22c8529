//! What a client program cannot do of a load, in the same words for all.

use tlstax_names::openssl;
use tlstax_spec::{Direction, Http, Load, Params, Resumption, Suite, Version};

/// What a client program can do beyond downloads over HTTP/1.1 in a closed loop, on one connection that is kept alive or
/// for one request on each connection.
#[derive(Debug, Clone, Copy)]
pub struct Ability {
    pub client: &'static str,
    /// Several connections at the same time.
    pub connections: bool,
    /// Several requests on a connection, and then a new one.
    pub requests: bool,
    pub http2: bool,
    /// Uploads of a file by PUT.
    pub upload: bool,
    /// Uploads of a file in a form, by POST.
    pub form: bool,
}

impl Ability {
    /// A client that can do nothing beyond.
    pub const fn of(client: &'static str) -> Self {
        Self { client, connections: false, requests: false, http2: false, upload: false, form: false }
    }

    /// What is not there of a load, one sentence; none if it can be done.
    pub fn lacks(&self, load: &Load) -> Option<String> {
        let client = self.client;
        let reason = if load.connections != 1 && !self.connections {
            format!("{client} makes one request after the other, on one connection")
        } else if load.http == Http::Http2 && !self.http2 {
            format!("{client} does not speak HTTP/2")
        } else if load.http == Http::Http2 && load.requests_per_connection > 0 {
            format!("{client} keeps an HTTP/2 connection until it ends")
        } else if load.requests_per_connection > 1 && !self.requests {
            format!("{client} keeps a connection for all its requests, or for one")
        } else if load.resumption != Resumption::Full {
            format!(
                "{client} forgets its sessions when it ends, so that the first handshakes of each run would be full; \
                 a library in a worker, or lean, resumes them all"
            )
        } else if load.rate > 0 {
            format!("{client} waits for its answers; lean has an open loop")
        } else if load.direction == Direction::Upload && !self.upload {
            format!("{client} uploads nothing without a script")
        } else if load.form && !self.form {
            format!("{client} makes no form of a file; curl does")
        } else if load.direction == Direction::Upload && load.body == 0 {
            // Some say then that there is no body, and some that it has no bytes.
            format!("{client} uploads files, and none without contents")
        } else {
            return None;
        };
        Some(reason)
    }
}

/// Whether OpenSSL offers a suite when nobody tells it which.
pub fn is_offered_by_openssl(suite: Suite) -> bool {
    !["NULL", "RC4", "3DES", "CCM"].iter().any(|word| suite.name().contains(word))
}

/// Options of a client with OpenSSL, and what they are to be; `groups` is its option for groups.
pub fn openssl_options(params: Params, groups: &'static str) -> Vec<(&'static str, String)> {
    let suite = openssl::suite(params.suite);
    let ciphers = match params.version {
        Version::Tls13 => ("--tls13-ciphers", suite),
        _ => ("--ciphers", format!("{suite}:@SECLEVEL=0")),
    };
    let groups = openssl::groups(params).map(|value| (groups, value));
    [Some(ciphers), groups].into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use tlstax_spec::Id;

    use super::*;

    #[test]
    fn everything_has_its_sentence() {
        let empty = Load { connections: 1, ..Load::new(Id::literal("x"), None) };
        let one = Load { body: 1, ..empty.clone() };
        let least = Ability::of("x");
        let most =
            Ability { connections: true, requests: true, http2: true, upload: true, form: true, ..least };
        let words = |ability: Ability, load: &Load| ability.lacks(load).unwrap_or_default();
        assert_eq!((least.lacks(&one), most.lacks(&one)), (None, None));
        for (load, reason) in [
            (Load { connections: 2, ..one.clone() }, "one connection"),
            (Load { http: Http::Http2, ..one.clone() }, "HTTP/2"),
            (Load { requests_per_connection: 2, ..one.clone() }, "or for one"),
            (Load { direction: Direction::Upload, ..one.clone() }, "script"),
            (Load { form: true, ..one.clone() }, "no form"),
        ] {
            assert!(words(least, &load).contains(reason), "{load:?}");
            assert_eq!(most.lacks(&load), None);
        }
        for (load, reason) in [
            (Load { http: Http::Http2, requests_per_connection: 1, ..one.clone() }, "until it ends"),
            (Load { resumption: Resumption::Psk, ..one.clone() }, "forgets its sessions"),
            (Load { rate: 5, ..one }, "open loop"),
            (Load { direction: Direction::Upload, ..empty }, "without contents"),
        ] {
            assert!(words(most, &load).contains(reason), "{load:?}");
        }
    }
}
