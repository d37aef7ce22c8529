//! Why no combination of a matrix exists: which of its lists contradict each other.

use std::fmt::Display;

use tlstax_spec::{Authentication, Bytes, Group, Key, Params, Resumption, Suite, Version};

use super::form::Origin;
use super::matrices::{BulkMatrix, HandshakeMatrix, IdleMatrix, LoadMatrix, PrimitiveMatrix};
use super::matrix::Matrix;
use super::params::params;

/// A matrix that can say why nothing comes of it.
pub(super) trait Explain: Matrix {
    /// The reason in the words of where the matrix was written.
    fn explain(&self, origin: Origin) -> String;
}

/// The name of a list: its key in a file, or its flag.
#[derive(Clone, Copy)]
struct List(&'static str, &'static str);

impl List {
    fn of(self, origin: Origin) -> &'static str {
        match origin {
            Origin::File => self.0,
            Origin::Flags => self.1,
        }
    }
}

const OPS: List = List("ops", "--op");
const VERSIONS: List = List("versions", "--tls");
const SUITES: List = List("suites", "--suite");
const GROUPS: List = List("groups", "--group");
const KEYS: List = List("keys", "--key");
const RESUMPTIONS: List = List("resumptions", "--resumption");

const EMPTY: &str = "one of its lists is empty";

impl Explain for PrimitiveMatrix {
    fn explain(&self, origin: Origin) -> String {
        let has = |algorithm: &tlstax_spec::Algorithm| format!("{algorithm} has {}", listed(algorithm.ops()));
        let is_of_none =
            self.algorithms.iter().all(|algorithm| !algorithm.ops().iter().any(|op| self.ops.contains(op)));
        match self.ops.is_empty() || self.algorithms.is_empty() || !is_of_none {
            true => EMPTY.to_owned(),
            false => {
                let algorithms = self.algorithms.iter().map(has).collect::<Vec<_>>().join(", ");
                format!("{algorithms}, and {} names {}", OPS.of(origin), listed(&self.ops))
            }
        }
    }
}

impl Explain for HandshakeMatrix {
    fn explain(&self, origin: Origin) -> String {
        let lists = Negotiated::new(&self.versions, &self.suites, &self.groups, &self.keys, origin);
        lists.contradiction(&self.resumptions).unwrap_or_else(|| EMPTY.to_owned())
    }
}

impl Explain for BulkMatrix {
    fn explain(&self, origin: Origin) -> String {
        let lists = Negotiated::new(&self.versions, &self.suites, &self.groups, &self.keys, origin);
        lists.contradiction(&[Resumption::Full]).unwrap_or_else(|| EMPTY.to_owned())
    }
}

impl Explain for IdleMatrix {
    fn explain(&self, origin: Origin) -> String {
        let lists = Negotiated::new(&self.versions, &self.suites, &self.groups, &self.keys, origin);
        lists.contradiction(&[Resumption::Full]).unwrap_or_else(|| EMPTY.to_owned())
    }
}

impl Explain for LoadMatrix {
    fn explain(&self, origin: Origin) -> String {
        let why = self.contradiction(origin).or_else(|| self.idle_variable(origin));
        why.unwrap_or_else(|| EMPTY.to_owned())
    }
}

impl LoadMatrix {
    /// What contradicts what among the lists of HTTPS, if it is asked for: beside plain HTTP it would be missed without a word.
    pub(super) fn contradiction(&self, origin: Origin) -> Option<String> {
        let lists = Negotiated::new(&self.versions, &self.suites, &self.groups, &self.keys, origin);
        let is_plain_only = self.plain && self.versions.is_empty();
        if is_plain_only { None } else { lists.contradiction(&self.resumptions) }
    }

    /// The variable that changes nothing in any load of the matrix, so that no case has it.
    fn idle_variable(&self, origin: Origin) -> Option<String> {
        let none_resumes = self.resumptions.iter().all(|kind| *kind == Resumption::Full);
        let variables = [
            (List("sendfile", "--sendfile"), !self.sendfile.contains(&true), "matters to plain HTTP only"),
            (
                List("resumed_percent", "--resumed"),
                none_resumes && !self.resumed_percent.contains(&100),
                "needs a resumption",
            ),
            (
                List("sessions", "--sessions"),
                none_resumes && !self.sessions.contains(&tlstax_spec::Sessions::Shared),
                "needs a resumption",
            ),
            (
                List("tls_buffers", "--tls-buffer"),
                !self.tls_buffers.contains(&Bytes(0)),
                "matters to HTTPS only",
            ),
        ];
        let idle = variables.into_iter().find(|(_, is_idle, _)| *is_idle);
        idle.map(|(list, _, why)| format!("{} {why}, and there is none", list.of(origin)))
    }
}

/// The lists of what a connection negotiates.
struct Negotiated<'a> {
    versions: &'a [Version],
    suites: &'a [Suite],
    groups: &'a [Group],
    keys: &'a [Key],
    origin: Origin,
}

impl<'a> Negotiated<'a> {
    const fn new(
        versions: &'a [Version],
        suites: &'a [Suite],
        groups: &'a [Group],
        keys: &'a [Key],
        origin: Origin,
    ) -> Self {
        Self { versions, suites, groups, keys, origin }
    }

    /// What contradicts what, looked for in the order in which a connection is settled.
    fn contradiction(&self, resumptions: &[Resumption]) -> Option<String> {
        self.an_empty_list(resumptions)
            .or_else(|| self.versions_and_suites())
            .or_else(|| self.suites_and_keys())
            .or_else(|| self.suites_and_groups())
            .or_else(|| self.versions_and_resumptions(resumptions))
    }

    fn an_empty_list(&self, resumptions: &[Resumption]) -> Option<String> {
        let lists = [
            (VERSIONS, self.versions.is_empty()),
            (SUITES, self.suites.is_empty()),
            (KEYS, self.keys.is_empty()),
            (RESUMPTIONS, resumptions.is_empty()),
        ];
        let (list, _) = lists.into_iter().find(|(_, is_empty)| *is_empty)?;
        Some(format!("{} is empty", list.of(self.origin)))
    }

    /// The suites of the versions.
    fn of_versions(&self) -> Vec<Suite> {
        self.suites.iter().copied().filter(|suite| self.versions.contains(&suite.version())).collect()
    }

    fn versions_and_suites(&self) -> Option<String> {
        self.of_versions().is_empty().then(|| {
            let suites = self.suites.iter().map(|suite| format!("{suite} is a suite of {}", suite.version()));
            let suites = suites.collect::<Vec<_>>().join(", ");
            format!("{suites}, and {} names {} only", VERSIONS.of(self.origin), listed(self.versions))
        })
    }

    fn suites_and_keys(&self) -> Option<String> {
        let suites = self.of_versions();
        let fits = |suite: &Suite| self.keys.iter().any(|key| suite.fits(*key));
        (!suites.iter().any(fits)).then(|| {
            let needs = suites.iter().map(|suite| format!("{suite} needs {}", needed_key(*suite)));
            let needs = needs.collect::<Vec<_>>().join(", ");
            format!("{needs}, and {} names {}", KEYS.of(self.origin), listed(self.keys))
        })
    }

    fn suites_and_groups(&self) -> Option<String> {
        self.params().is_empty().then(|| {
            let suites = self.of_versions();
            let fit = suites.iter().filter(|suite| self.keys.iter().any(|key| suite.fits(*key)));
            let needs = fit.map(|suite| format!("{suite} needs {}", needed_group(*suite)));
            let needs = needs.collect::<Vec<_>>().join(", ");
            format!("{needs}, and {} names {}", GROUPS.of(self.origin), listed(self.groups))
        })
    }

    fn versions_and_resumptions(&self, resumptions: &[Resumption]) -> Option<String> {
        let params = self.params();
        let fits = |kind: &Resumption| params.iter().any(|params| kind.fits(params.version));
        (!resumptions.iter().any(fits)).then(|| {
            let of = |kind: &Resumption| {
                let versions: Vec<Version> =
                    Version::ALL.iter().copied().filter(|version| kind.fits(*version)).collect();
                format!("{kind} is a resumption of {}", listed(&versions))
            };
            let kinds = resumptions.iter().map(of).collect::<Vec<_>>().join(", ");
            let mut versions: Vec<Version> = params.iter().map(|params| params.version).collect();
            versions.dedup();
            format!("{kinds}, and {} comes to {} only", VERSIONS.of(self.origin), listed(&versions))
        })
    }

    fn params(&self) -> Vec<Params> {
        params(self.versions, self.suites, self.groups, self.keys)
    }
}

fn needed_key(suite: Suite) -> &'static str {
    match suite.authentication() {
        Authentication::Any => "any key",
        Authentication::EcdheEcdsa => "an ECDSA or Ed25519 key",
        Authentication::EcdheRsa | Authentication::DheRsa | Authentication::Rsa => "an RSA key",
    }
}

fn needed_group(suite: Suite) -> &'static str {
    match suite.authentication() {
        Authentication::Any => "any group",
        Authentication::DheRsa => "a finite field (ffdhe2048, ffdhe3072)",
        Authentication::Rsa => "none",
        Authentication::EcdheEcdsa | Authentication::EcdheRsa => {
            "an elliptic curve: post-quantum groups exist in TLS 1.3 only"
        }
    }
}

/// Names in a sentence.
fn listed(names: &[impl Display]) -> String {
    names.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
