//! What was seen of a server that runs already: told, and made into what is measured.

use tlstax_peers::servers::{External, Seen};
use tlstax_run::LoadMatrix;
use tlstax_spec::wire::Sight;
use tlstax_spec::{Bytes, Direction, Http, Resumption};

use super::args::Args;
use crate::cli::negotiation::Negotiation;

/// The body of an upload where none is named: a form, a short document.
const UPLOAD: Bytes = Bytes(1024);

impl Args {
    /// What the flags say, and where they say nothing, what the server negotiated and answered.
    pub(super) fn matrices(&self, seen: &Seen) -> Vec<LoadMatrix> {
        let mut matrices = Vec::new();
        if let Some(sight) = seen.plain.as_ref().filter(|_| !self.no_plain) {
            matrices.extend(self.fitted(self.matrix(true, Negotiation::default()), sight));
        }
        let is_forced = self.negotiation.is_named() || self.no_plain;
        if seen.tls.is_empty() && !is_forced {
            return matrices;
        }
        let named = &self.negotiation;
        let versions = match seen.tls.first() {
            Some(sight) if named.versions.is_empty() => sight.version.into_iter().collect(),
            _ => named.clone().or_usual().versions,
        };
        for version in versions {
            let sight = seen.with(version).or(seen.plain.as_ref()).cloned().unwrap_or_default();
            let negotiation = named.clone().or_seen(&sight, version).or_usual();
            matrices.extend(self.fitted(self.matrix(false, negotiation), &sight));
        }
        matrices
    }

    /// The same for each direction, with the bodies, the version of HTTP and the connections that fit the server.
    fn fitted(&self, matrix: LoadMatrix, sight: &Sight) -> Vec<LoadMatrix> {
        let http = match sight.http.as_slice() {
            [Http::Http2] if !self.lists.gives("http") => vec![Http::Http2],
            _ => matrix.http.clone(),
        };
        let closes = !self.lists.gives("requests")
            && sight.status == Some(200)
            && sight.body.is_some()
            && !sight.keeps;
        let requests_per_connection = if closes { vec![1] } else { matrix.requests_per_connection.clone() };
        let matrix = LoadMatrix { http, requests_per_connection, ..matrix };
        let bodies = |direction| match direction {
            Direction::Download => vec![Bytes(sight.body.unwrap_or(0))],
            Direction::Upload if !self.lists.gives("body") => vec![UPLOAD],
            Direction::Upload => matrix.bodies.clone(),
        };
        let of = |direction: &Direction| LoadMatrix {
            directions: vec![*direction],
            bodies: bodies(*direction),
            ..matrix.clone()
        };
        self.lists.matrix.directions.iter().map(of).collect()
    }
}

/// What was found, in a few sentences.
pub(super) fn told(server: &External, seen: &Seen) -> String {
    let address = server.address();
    let sights: Vec<&Sight> = seen.plain.iter().chain(&seen.tls).collect();
    let ways: Vec<String> = sights.iter().map(|sight| way(sight)).collect();
    let answer = sights.first().map(|sight| answer(server.path(), sight)).unwrap_or_default();
    let owner = match server.owner() {
        Ok(owner) => format!("Its processes: {owner}."),
        Err(reason) => format!("The server's CPU time is left out: {reason}."),
    };
    format!("{address} speaks {}. {answer} {owner}", ways.join(" and "))
}

fn way(sight: &Sight) -> String {
    let Some(version) = sight.version else { return "plain HTTP".to_owned() };
    let key = sight.key.map_or_else(|| "a key that tlstax does not know".to_owned(), |key| key.to_string());
    let mut negotiated: Vec<String> = sight.suite.iter().map(ToString::to_string).collect();
    negotiated.extend(sight.group.iter().map(ToString::to_string));
    negotiated.push(key);
    negotiated.extend(sight.http.iter().filter(|http| **http != Http::Http1).map(ToString::to_string));
    let resumed = sight.resumptions.iter().filter(|kind| **kind != Resumption::Full);
    let resumed: Vec<&str> = resumed.map(|kind| kind.name()).collect();
    negotiated.push(match resumed.is_empty() {
        true => "no resumption".to_owned(),
        false => format!("resumed by {}", resumed.join(" or ")),
    });
    format!("{version} ({})", negotiated.join(", "))
}

fn answer(path: &str, sight: &Sight) -> String {
    if let Some(problem) = &sight.problem {
        return format!("It does not answer GET {path} as a download should be: {problem}.");
    }
    let size = sight.body.map(|body| format!(" with {body} bytes")).unwrap_or_default();
    let varies = if sight.varies { ", and the next time with another number" } else { "" };
    let keeps = if sight.keeps { "keeps the connection" } else { "closes the connection" };
    format!("It answers GET {path}{size}{varies}, and {keeps}.")
}
