//! Why no combination of a matrix exists: which of its lists contradict each other.

use std::fmt::Display;

use tlstax_spec::{
    Authentication, Bytes, Compression, Content, Direction, Resumption, Sessions, Suite, Version,
};

use super::form::Origin;
use super::matrices::{BulkMatrix, LoadMatrix, PrimitiveMatrix};
use super::params::Negotiated;

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
const COMPRESSIONS: List = List("compressions", "--compression");
const CONTENTS: List = List("contents", "--content");
const SENDFILE: List = List("sendfile", "--sendfile");
const RESUMED: List = List("resumed_percent", "--resumed");
const SESSIONS: List = List("sessions", "--sessions");
const FORM: List = List("form", "--form");
const TLS_BUFFERS: List = List("tls_buffers", "--tls-buffer");

impl PrimitiveMatrix {
    pub(super) fn contradiction(&self, origin: Origin) -> Option<String> {
        let has = |algorithm: &tlstax_spec::Algorithm| format!("{algorithm} has {}", listed(algorithm.ops()));
        let is_of_none =
            self.algorithms.iter().all(|algorithm| !algorithm.ops().iter().any(|op| self.ops.contains(op)));
        (!self.ops.is_empty() && !self.algorithms.is_empty() && is_of_none).then(|| {
            let algorithms = self.algorithms.iter().map(has).collect::<Vec<_>>().join(", ");
            format!("{algorithms}, and {} names {}", OPS.of(origin), listed(&self.ops))
        })
    }
}

impl BulkMatrix {
    pub(super) fn contradiction(&self, origin: Origin) -> Option<String> {
        let lists = self.negotiated().contradiction(&[Resumption::Full], origin);
        lists.or_else(|| self.versions_and_compressions(origin))
    }

    /// Where there are versions to negotiate, only those that compress nothing contradict what is to be compressed.
    fn versions_and_compressions(&self, origin: Origin) -> Option<String> {
        let methods = listed(&self.compressions);
        let fits = |version: &Version| self.compressions.iter().any(|method| method.fits(*version));
        if !self.versions.iter().any(fits) {
            let (compressions, versions) = (COMPRESSIONS.of(origin), listed(self.versions.as_slice()));
            return Some(format!("{versions} has no compression, and {compressions} names {methods}"));
        }
        let compresses = self.compressions.iter().any(|method| *method != Compression::None);
        (!compresses && !self.contents.contains(&Content::Text))
            .then(|| format!("{} matters to what is compressed only, and nothing is", CONTENTS.of(origin)))
    }
}

impl LoadMatrix {
    /// What contradicts what among the lists of HTTPS, if it is asked for: beside plain HTTP it would be missed without a word.
    pub(super) fn contradiction(&self, origin: Origin) -> Option<String> {
        let is_plain_only = self.plain && self.versions.is_empty();
        if is_plain_only { None } else { self.negotiated().contradiction(&self.resumptions, origin) }
    }

    /// The variable that changes nothing in any load of the matrix, so that no case has it.
    pub(super) fn idle_variable(&self, origin: Origin) -> Option<String> {
        let none_resumes = self.resumptions.iter().all(|kind| *kind == Resumption::Full);
        let nothing_is_sent = !self.directions.contains(&Direction::Upload);
        let variables = [
            (FORM, nothing_is_sent && !self.form.contains(&false), "matters to uploads only"),
            (SENDFILE, !self.sendfile.contains(&true), "matters to plain HTTP only"),
            (RESUMED, none_resumes && !self.resumed_percent.contains(&100), "needs a resumption"),
            (SESSIONS, none_resumes && !self.sessions.contains(&Sessions::Shared), "needs a resumption"),
            (TLS_BUFFERS, !self.tls_buffers.contains(&Bytes(0)), "matters to HTTPS only"),
        ];
        let idle = variables.into_iter().find(|(_, is_idle, _)| *is_idle);
        idle.map(|(list, _, why)| format!("{} {why}, and there is none", list.of(origin)))
    }
}

impl Negotiated<'_> {
    /// What contradicts what, looked for in the order in which a connection is settled.
    pub(super) fn contradiction(&self, resumptions: &[Resumption], origin: Origin) -> Option<String> {
        self.an_empty_list(resumptions, origin)
            .or_else(|| self.versions_and_suites(origin))
            .or_else(|| self.suites_and_keys(origin))
            .or_else(|| self.suites_and_groups(origin))
            .or_else(|| self.versions_and_resumptions(resumptions, origin))
    }

    fn an_empty_list(&self, resumptions: &[Resumption], origin: Origin) -> Option<String> {
        let lists = [
            (VERSIONS, self.versions.is_empty()),
            (SUITES, self.suites.is_empty()),
            (KEYS, self.keys.is_empty()),
            (RESUMPTIONS, resumptions.is_empty()),
        ];
        let (list, _) = lists.into_iter().find(|(_, is_empty)| *is_empty)?;
        Some(format!("{} is empty", list.of(origin)))
    }

    fn of_versions(&self) -> Vec<Suite> {
        let exists = |suite: &Suite| self.versions.iter().any(|version| suite.exists_in(*version));
        self.suites.iter().copied().filter(exists).collect()
    }

    fn versions_and_suites(&self, origin: Origin) -> Option<String> {
        self.of_versions().is_empty().then(|| {
            let suites = self.suites.iter().map(|suite| format!("{suite} is a suite of {}", suite.version()));
            let suites = suites.collect::<Vec<_>>().join(", ");
            format!("{suites}, and {} names {} only", VERSIONS.of(origin), listed(self.versions))
        })
    }

    fn suites_and_keys(&self, origin: Origin) -> Option<String> {
        let suites = self.of_versions();
        let fits = |suite: &Suite| self.keys.iter().any(|key| suite.fits(*key));
        (!suites.iter().any(fits)).then(|| {
            let needs = suites.iter().map(|suite| format!("{suite} needs {}", needed_key(*suite)));
            let needs = needs.collect::<Vec<_>>().join(", ");
            format!("{needs}, and {} names {}", KEYS.of(origin), listed(self.keys))
        })
    }

    fn suites_and_groups(&self, origin: Origin) -> Option<String> {
        self.params().is_empty().then(|| {
            let suites = self.of_versions();
            let fit = suites.iter().filter(|suite| self.keys.iter().any(|key| suite.fits(*key)));
            let needs = fit.map(|suite| format!("{suite} needs {}", needed_group(*suite)));
            let needs = needs.collect::<Vec<_>>().join(", ");
            format!("{needs}, and {} names {}", GROUPS.of(origin), listed(self.groups))
        })
    }

    fn versions_and_resumptions(&self, resumptions: &[Resumption], origin: Origin) -> Option<String> {
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
            format!("{kinds}, and {} comes to {} only", VERSIONS.of(origin), listed(&versions))
        })
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
