//! ab, the load generator of Apache httpd: HTTP/1.0, in one thread.
//!
//! It takes the group that the server alone offers: with TLS 1.3 its one key share is of the first group of its OpenSSL,
//! and any other costs a HelloRetryRequest. It leaves Nagle's algorithm on: a server that sends no ticket has nothing to
//! acknowledge its Finished with, and the request waits 40 ms. That takes no CPU time; the rate suffers.

use tlstax_measure::program::Finished;
use tlstax_names::openssl;
use tlstax_spec::{Direction, Load, Params};

use super::ability::{Ability, is_offered_by_openssl};
use super::client::{Client, Command, Order, Summary};
use super::parse::{end, not_understood, number_after, seconds};
use crate::product::{Product, named};

/// ab with the OpenSSL that it is linked to.
pub const AB: Client = Client {
    ..Client::of(
        Product {
            id: "ab",
            about: "ApacheBench: HTTP/1.0; verifies no certificate, never resumes, leaves the group to the server",
            remedy: "on Debian: apt-get install apache2-utils",
            program: "ab",
            version_arguments: &["-V"],
            version: |printed| named("ab", printed, "ApacheBench, Version "),
        },
        lacks,
        command,
        summary,
    )
};

fn lacks(load: &Load) -> Option<String> {
    let lacks = Ability { connections: true, upload: true, ..Ability::of("ab") }.lacks(load);
    let is_offered = |params: &Params| !params.version.is_tls13() || is_offered_by_openssl(params.suite);
    lacks.or_else(|| {
        let suite = load.params.filter(|params| !is_offered(params))?.suite;
        Some(format!("ab offers the suites of TLS 1.3 that its OpenSSL offers by itself, without {suite}"))
    })
}

fn command(order: &Order<'_>, _says: &str) -> Command {
    let load = order.load;
    let mut command = Command::of(&["-q", "-d", "-S", "-H", "Host: server.test"]);
    command.add(&["-n", &order.requests.to_string(), "-c", &order.connections().to_string()]);
    if load.requests_per_connection == 0 {
        command.add(&["-k"]);
    }
    if let Some(params) = load.params {
        command.add(&["-f", &openssl::protocol(params.version).replace('v', "")]);
        if !params.version.is_tls13() {
            command.add(&["-Z", &format!("{}:@SECLEVEL=0", openssl::suite(params.suite))]);
        }
    }
    if load.direction == Direction::Upload {
        command.add(&["-u", &order.upload.display().to_string(), "-T", "application/octet-stream"]);
    }
    command.add(&[&format!("{}://127.0.0.1:{}{}", order.scheme(), order.port, order.path())]);
    command
}

fn summary(order: &Order<'_>, finished: &Finished) -> Result<Summary, String> {
    let output = &finished.stdout;
    let count = |label| number_after::<u64>(output, label);
    let (Some(done), Some(failed), Some(took), Some(transferred), Some(bodies)) = (
        count("Complete requests:"),
        count("Failed requests:"),
        number_after(output, "Time taken for tests:"),
        count("Total transferred:"),
        count("HTML transferred:"),
    ) else {
        return Err(not_understood("ab", output));
    };
    let refused = count("Non-2xx responses:").unwrap_or(0);
    let unsent = count("Write errors:").unwrap_or(0);
    // It takes a connection without any answer for a complete request.
    if failed + refused + unsent > 0 || transferred == 0 || finished.stderr.contains("SSL handshake failed") {
        return Err(format!(
            "of {done} requests {failed} failed, {refused} had another status than 2xx, {unsent} were not written, \
             {transferred} bytes came back; {}",
            end(&finished.stderr)
        ));
    }
    let bytes = (order.load.direction == Direction::Download).then_some(bodies);
    Ok(Summary { requests: done, bytes, wall: Some(seconds(took)) })
}

#[cfg(test)]
mod tests {
    use tlstax_spec::{Nanos, Suite, Version};

    use super::super::testing::{finished, load, order, params, read, summary_of};
    use super::*;

    const OUTPUT: &str = "Document Length:        1024 bytes\n\nConcurrency Level:      4\n\
        Time taken for tests:   0.032 seconds\nComplete requests:      100\nFailed requests:        0\n\
        Keep-Alive requests:    100\nTotal transferred:      126400 bytes\nHTML transferred:       102400 bytes\n";

    #[test]
    fn a_summary_is_read() {
        let summary = Summary { requests: 100, bytes: Some(102_400), wall: Some(Nanos(32_000_000)) };
        assert_eq!(read(&AB, 100, OUTPUT), Ok(summary));
    }

    #[test]
    fn what_ab_passes_over_is_an_error() {
        let error = |output: &str, stderr: &str| {
            summary_of(&AB, &load(4), 100, finished(0, output, stderr)).unwrap_err()
        };
        let failed = OUTPUT.replace("Failed requests:        0", "Failed requests:        3");
        assert!(error(&failed, "").contains("3 failed"));
        let refused = OUTPUT.replace("Keep-Alive", "Non-2xx responses:      10\nKeep-Alive");
        assert!(error(&refused, "").contains("10 had another status"));
        let nothing = OUTPUT.replace("126400", "0").replace("102400", "0");
        assert!(error(&nothing, "SSL handshake failed (1).").contains("0 bytes came back; SSL handshake"));
        assert!(error(OUTPUT, "SSL handshake failed (1).").contains("SSL handshake failed"));
        let short = OUTPUT.replace("102400", "102000");
        assert!(error(&short, "").contains("102000 bytes"));
        assert!(error("what?", "").contains("what?"));
        assert!(error(&OUTPUT.replace(" 100\n", " 99\n"), "").contains("99 of 100"));
    }

    #[test]
    fn the_command_says_what_is_negotiated() {
        let load = Load { params: Some(params(Version::Tls12)), requests_per_connection: 1, ..load(4) };
        let command = command(&order(&load, 7), "").arguments.join(" ");
        assert_eq!(
            command,
            "-q -d -S -H Host: server.test -n 7 -c 4 -f TLS1.2 -Z ECDHE-ECDSA-AES128-GCM-SHA256:@SECLEVEL=0 \
             https://127.0.0.1:8443/"
        );
    }

    #[test]
    fn suites_can_be_named_in_tls_12_only() {
        let lacks =
            |version, suite| lacks(&Load { params: Some(Params { suite, ..params(version) }), ..load(4) });
        assert!(lacks(Version::Tls13, Suite::Aes128Ccm).unwrap().ends_with("without TLS_AES_128_CCM_SHA256"));
        assert_eq!(lacks(Version::Tls13, Suite::Aes256Gcm), None);
        assert_eq!(lacks(Version::Tls12, Suite::RsaNullSha256), None);
    }
}
