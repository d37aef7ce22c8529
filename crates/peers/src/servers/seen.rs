//! What a server of the user's negotiates and answers, as a few connections have found it.

use tlstax_spec::wire::Sight;
use tlstax_spec::{Direction, Load, Resumption, Version};

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Seen {
    /// Over plain HTTP, if it speaks that.
    pub plain: Option<Sight>,
    /// Over TLS, once for each version that it has, the newest first.
    pub tls: Vec<Sight>,
}

impl Seen {
    /// What was seen with this version, or else with the newest.
    pub fn with(&self, version: Version) -> Option<&Sight> {
        self.tls.iter().find(|sight| sight.version == Some(version)).or_else(|| self.tls.first())
    }

    /// What to do about a load that the server does not answer as it was asked to; none where it fits what was seen.
    pub fn advice(&self, load: &Load) -> Option<String> {
        let Some(params) = load.params else {
            let is_tls = self.plain.is_none() && !self.tls.is_empty();
            return is_tls.then(|| "the port speaks TLS: leave plain HTTP out with --no-plain".to_owned());
        };
        let Some(sight) = self.with(params.version) else {
            return self.plain.is_some().then(|| {
                "the port speaks plain HTTP: leave --tls, --suite, --group, --key and --no-plain away"
                    .to_owned()
            });
        };
        let version = sight.version.filter(|version| *version != params.version);
        let key = sight.key.filter(|key| *key != params.key);
        let suite = sight.suite.filter(|suite| *suite != params.suite);
        let group = sight.group.filter(|group| Some(*group) != params.group);
        let resumption = Some(load.resumption).filter(|kind| !sight.resumptions.contains(kind));
        let flags = [
            version.map(|version| format!("--tls {version}")),
            suite.map(|suite| format!("--suite {suite}")),
            group.map(|group| format!("--group {group}")),
            key.map(|key| format!("--key {key}")),
            resumption.map(|_| format!("--resumption {}", resumptions(sight))),
        ];
        let flags: Vec<String> = flags.into_iter().flatten().collect();
        let is_download = load.direction == Direction::Download;
        match (flags.is_empty(), &sight.problem) {
            (false, _) => Some(format!("when looked at, the server took {}", flags.join(" "))),
            (true, Some(_)) if is_download => Some("name what to ask for with --path".to_owned()),
            _ => None,
        }
    }
}

/// The best kind of resumption that worked; full where none did.
fn resumptions(sight: &Sight) -> Resumption {
    sight.resumptions.iter().copied().find(|kind| *kind != Resumption::Full).unwrap_or(Resumption::Full)
}

#[cfg(test)]
mod tests {
    use tlstax_spec::{Group, Id, Key, Params, Suite};

    use super::super::tests::TLS_13 as PARAMS;
    use super::*;

    fn sight(version: Version) -> Sight {
        Sight {
            version: Some(version),
            suite: Some(PARAMS.suite),
            group: PARAMS.group,
            key: Some(PARAMS.key),
            resumptions: vec![Resumption::Full, Resumption::SessionId],
            ..Sight::default()
        }
    }

    fn advice(seen: &Seen, params: Option<Params>) -> String {
        seen.advice(&Load::new(Id::literal("lean"), params)).unwrap_or_default()
    }

    #[test]
    fn d25_a_port_that_speaks_tls_is_distinguished_from_a_plain_one() {
        let tls = Seen { tls: vec![sight(Version::Tls12)], plain: None };
        assert!(advice(&tls, None).contains("--no-plain"));
        assert!(advice(&tls, Some(PARAMS)).contains("--tls TLSv1.2"));
        assert_eq!(advice(&tls, Some(Params { version: Version::Tls12, ..PARAMS })), "");
        let plain = Seen { plain: Some(Sight::default()), tls: Vec::new() };
        assert_eq!(advice(&plain, None), "");
        assert!(advice(&plain, Some(PARAMS)).contains("plain HTTP"));
    }

    #[test]
    fn d25_what_differs_from_what_was_negotiated_is_named_with_its_flag() {
        let seen = Seen { tls: vec![sight(Version::Tls13)], plain: None };
        let other =
            Params { suite: Suite::Aes256Gcm, group: Some(Group::Secp256r1), key: Key::Rsa2048, ..PARAMS };
        let advised = advice(&seen, Some(other));
        for flag in ["--suite TLS_AES_128_GCM_SHA256", "--group X25519", "--key ecdsa-p256"] {
            assert!(advised.contains(flag), "{advised}");
        }
        let load = Load { resumption: Resumption::Psk, ..Load::new(Id::literal("lean"), Some(PARAMS)) };
        assert!(seen.advice(&load).is_some_and(|advised| advised.contains("--resumption session-id")));
    }
}
