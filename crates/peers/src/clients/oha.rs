//! oha: HTTP/1.1 and HTTP/2 with rustls, in one thread here.
//!
//! It takes the suite and the group that the server alone offers; a group of which it sends no key share costs a
//! HelloRetryRequest. It resumes where the server lets it.

use std::collections::BTreeMap;

use serde::Deserialize;
use tlstax_measure::program::Finished;
use tlstax_spec::{Authentication, Direction, Group, Http, Load, Nanos, Params};

use super::ability::Ability;
use super::client::{Client, Command, Order, Summary};
use super::parse::{not_understood, seconds};
use crate::product::Product;

/// oha with the rustls that it brings.
pub const OHA: Client = Client {
    help_arguments: &["--help"],
    // With TLS its start takes 50 ms of CPU time.
    window: Nanos::from_millis(1000),
    ..Client::of(
        Product {
            id: "oha",
            about: "oha: HTTP/1.1 and HTTP/2; verifies the certificate, leaves suite and group to the server",
            remedy: "with a Rust toolchain: cargo install oha",
            program: "oha",
            version_arguments: &["--version"],
            version,
        },
        lacks,
        command,
        summary,
    )
};

fn lacks(load: &Load) -> Option<String> {
    let lacks = Ability { connections: true, http2: true, upload: true, ..Ability::of("oha") }.lacks(load);
    let unknown = load.params.filter(|params| !is_known_to_rustls(params));
    lacks.or_else(|| {
        unknown
            .map(|_| "oha's rustls has ECDHE with AES-GCM and ChaCha20-Poly1305, and nothing else".to_owned())
    })
}

fn command(order: &Order<'_>, help: &str) -> Command {
    let (load, port) = (order.load, order.port);
    let mut command = Command::of(&["--no-tui"]);
    // Older ones have a switch in place of a choice.
    command.add(if help.contains("--output-format") { &["--output-format", "json"] } else { &["--json"] });
    command.add(&["-n", &order.requests.to_string(), "-c", &order.connections().to_string()]);
    command.add(match load.http {
        Http::Http1 => &["--http-version", "1.1"],
        Http::Http2 => &["--http-version", "2"],
    });
    if load.requests_per_connection == 1 {
        command.add(&["--disable-keepalive"]);
    }
    if load.params.is_some() {
        let (root, knows_roots) = (order.root.display().to_string(), help.contains("--cacert"));
        command.add(&[if knows_roots { "--cacert" } else { "--insecure" }]);
        command.arguments.extend(knows_roots.then_some(root));
    }
    if load.direction == Direction::Upload {
        command.add(&["-m", "PUT", "-D", &order.upload.display().to_string()]);
    }
    command.add(&["--connect-to", &format!("server.test:{port}:127.0.0.1:{port}")]);
    command.add(&[&format!("{}://server.test:{port}{}", order.scheme(), order.path())]);
    command.environment.push(("TOKIO_WORKER_THREADS".to_owned(), "1".to_owned()));
    command
}

fn summary(order: &Order<'_>, finished: &Finished) -> Result<Summary, String> {
    let report: Report =
        serde_json::from_str(&finished.stdout).map_err(|_| not_understood("oha", &finished.stdout))?;
    let is_good = |status: &str| status.starts_with('2');
    if !report.errors.is_empty() || !report.statuses.keys().all(|status| is_good(status)) {
        return Err(format!("statuses of answers: {:?}; errors: {:?}", report.statuses, report.errors));
    }
    let bytes = (order.load.direction == Direction::Download).then_some(report.summary.bytes).flatten();
    let requests = report.statuses.values().fold(0_u64, |sum, count| sum.saturating_add(*count));
    Ok(Summary { requests, bytes, wall: Some(seconds(report.summary.total)) })
}

fn version(printed: &str) -> Option<String> {
    let line = printed.lines().find(|line| line.starts_with("oha "))?;
    let version = line.split_ascii_whitespace().nth(1)?;
    version.starts_with(|c: char| c.is_ascii_digit()).then(|| format!("oha {version}"))
}

fn is_known_to_rustls(params: &Params) -> bool {
    use Authentication::{Any, EcdheEcdsa, EcdheRsa};
    let name = params.suite.name();
    matches!(params.suite.authentication(), Any | EcdheEcdsa | EcdheRsa)
        && (name.contains("GCM") || name.contains("CHACHA20"))
        && !params.group.is_some_and(Group::is_finite_field)
}

/// What we read of its report.
#[derive(Debug, Deserialize)]
struct Report {
    summary: Totals,
    #[serde(rename = "statusCodeDistribution")]
    statuses: BTreeMap<String, u64>,
    #[serde(rename = "errorDistribution")]
    errors: BTreeMap<String, u64>,
}

#[derive(Debug, Deserialize)]
struct Totals {
    /// Seconds from the first request to the last answer.
    total: f64,
    /// Bytes of bodies.
    #[serde(rename = "totalData")]
    bytes: Option<u64>,
}

#[cfg(test)]
mod tests {
    use tlstax_spec::{Suite, Version};

    use super::super::testing::{load, order, params, read};
    use super::*;

    const OUTPUT: &str = r#"{"summary": {"successRate": 1.0, "total": 0.834, "slowest": null, "totalData": 102400},
        "details": {"DNSDialup": {"average": 0.1}}, "statusCodeDistribution": {"200": 100}, "errorDistribution": {}}"#;

    #[test]
    fn a_report_is_read() {
        let summary = Summary { requests: 100, bytes: Some(102_400), wall: Some(Nanos(834_000_000)) };
        assert_eq!(read(&OHA, 100, OUTPUT), Ok(summary));
    }

    #[test]
    fn failures_are_reported() {
        let error = |output: &str| read(&OHA, 100, output).unwrap_err();
        let statuses = |statuses| OUTPUT.replace(r#"{"200": 100}"#, statuses);
        assert!(error(&statuses(r#"{"200": 90, "500": 10}"#)).contains(r#""500": 10"#));
        assert!(error(&statuses(r#"{"200": 90}"#)).contains("90 of 100"));
        assert!(error(&OUTPUT.replace("102400", "102399")).contains("102399 bytes"));
        let broken = OUTPUT
            .replace(r#""errorDistribution": {}"#, r#""errorDistribution": {"Connection refused": 100}"#);
        assert!(error(&broken).contains("Connection refused"));
        assert!(error("what?").contains("what?"));
        assert!(error("{}").contains("not understood"));
    }

    #[test]
    fn an_older_one_has_other_options() {
        let load = Load { params: Some(params(Version::Tls13)), requests_per_connection: 1, ..load(4) };
        let command = |help| command(&order(&load, 9), help).arguments.join(" ");
        assert_eq!(
            command("--output-format <OUTPUT_FORMAT> --cacert <CACERT>"),
            "--no-tui --output-format json -n 9 -c 4 --http-version 1.1 --disable-keepalive --cacert root.pem \
             --connect-to server.test:8443:127.0.0.1:8443 https://server.test:8443/"
        );
        assert!(command("-j, --json").starts_with("--no-tui --json -n"));
        assert!(command("-j, --json").contains("--insecure"));
    }

    #[test]
    fn only_what_rustls_has_is_offered() {
        let lacks = |suite, group| {
            let params = Params { suite, group, ..params(suite.version()) };
            lacks(&Load { params: Some(params), ..load(4) })
        };
        assert_eq!(lacks(Suite::EcdheRsaAes128Gcm, Some(Group::X25519)), None);
        assert_eq!(lacks(Suite::ChaCha20Poly1305, Some(Group::Secp384r1)), None);
        for (suite, group) in [
            (Suite::RsaAes128Gcm, None),
            (Suite::DheRsaAes128Gcm, Some(Group::Ffdhe2048)),
            (Suite::EcdheRsaAes128CbcSha, Some(Group::X25519)),
            (Suite::Aes128Ccm, Some(Group::X25519)),
            (Suite::Aes128Gcm, Some(Group::Ffdhe2048)),
        ] {
            assert!(lacks(suite, group).unwrap().contains("rustls"), "{suite}");
        }
    }
}
