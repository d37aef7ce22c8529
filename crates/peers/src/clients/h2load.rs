//! h2load, the load generator of nghttp2: HTTP/2 with and without TLS, and HTTP/1.1, in one thread.

use tlstax_measure::program::Finished;
use tlstax_spec::{Direction, Http, Load};

use super::ability::{Ability, openssl_options};
use super::client::{Client, Command, Order, Summary};
use super::parse::{end, not_understood, number_before, time};
use crate::product::{Product, named};

/// h2load with the OpenSSL that it is linked to.
pub const H2LOAD: Client = Client {
    help_arguments: &["--help"],
    ..Client::of(
        Product {
            id: "h2load",
            about: "h2load: HTTP/2 and HTTP/1.1, one stream on each connection; verifies no certificate",
            remedy: "on Debian: apt-get install nghttp2-client",
            program: "h2load",
            version_arguments: &["--version"],
            version: |printed| named("h2load", printed, "h2load nghttp2/"),
        },
        lacks,
        command,
        summary,
    )
};

fn lacks(load: &Load) -> Option<String> {
    Ability { connections: true, http2: true, upload: true, ..Ability::of("h2load") }.lacks(load)
}

fn command(order: &Order<'_>, help: &str) -> Command {
    let (load, port) = (order.load, order.port);
    let mut command = Command::of(&["-t", "1", "-m", "1"]);
    command.add(&["-n", &order.requests.to_string(), "-c", &order.connections().to_string()]);
    command.add(&[&format!("--connect-to=127.0.0.1:{port}")]);
    command.add(match load.http {
        Http::Http1 => &["--h1"],
        Http::Http2 => &["--npn-list=h2", "--no-tls-proto=h2c"],
    });
    if load.requests_per_connection == 1 {
        command.add(&["-H", "Connection: close"]);
    }
    if load.direction == Direction::Upload {
        command.add(&["-d", &order.upload.display().to_string(), "-H", ":method: PUT"]);
    }
    // What an older one has no option for, the server alone decides.
    for (option, value) in load.params.map(|params| openssl_options(params, "--groups")).unwrap_or_default() {
        if help.contains(option) {
            command.add(&[&format!("{option}={value}")]);
        }
    }
    command.add(&[&format!("{}://server.test:{port}{}", order.scheme(), order.path())]);
    command
}

fn summary(order: &Order<'_>, finished: &Finished) -> Result<Summary, String> {
    let output = &finished.stdout;
    let line = |label: &str| output.lines().find(|line| line.starts_with(label));
    let summary = || {
        let (requests, statuses) = (line("requests:")?, line("status codes:")?);
        let took = line("finished in ")?.strip_prefix("finished in ")?.split_once(',')?.0;
        let bytes = number_before(line("traffic:")?, ") data")?;
        Some((
            requests,
            number_before(requests, " total")?,
            number_before(statuses, " 2xx")?,
            time(took)?,
            bytes,
        ))
    };
    let Some((requests, total, good, took, bytes)) = summary() else {
        return Err(not_understood("h2load", output));
    };
    let failed = number_before(requests, " failed").unwrap_or(0);
    if good != total || failed > 0 {
        return Err(format!(
            "{requests}; {}; {}",
            line("status codes:").unwrap_or_default(),
            end(&finished.stderr)
        ));
    }
    let bytes = (order.load.direction == Direction::Download).then_some(bytes);
    Ok(Summary { requests: total, bytes, wall: Some(took) })
}

#[cfg(test)]
mod tests {
    use tlstax_spec::{Nanos, Version};

    use super::super::testing::{load, order, params, read};
    use super::*;

    const OUTPUT: &str = "starting benchmark...\nTLS Protocol: TLSv1.3\nApplication protocol: http/1.1\n\n\
        finished in 77.37ms, 1292.52 req/s, 1.56MB/s\n\
        requests: 100 total, 100 started, 100 done, 100 succeeded, 0 failed, 0 errored, 0 timeout\n\
        status codes: 100 2xx, 0 3xx, 0 4xx, 0 5xx\n\
        traffic: 123.44KB (126400) total, 18.46KB (18900) headers (space savings 0.00%), 100.00KB (102400) data\n\
        \x20                    min         max         mean         sd        +/- sd\n";

    #[test]
    fn a_summary_is_read() {
        let summary = Summary { requests: 100, bytes: Some(102_400), wall: Some(Nanos(77_370_000)) };
        assert_eq!(read(&H2LOAD, 100, OUTPUT), Ok(summary));
    }

    #[test]
    fn failures_are_reported() {
        let error = |output: &str| read(&H2LOAD, 100, output).unwrap_err();
        let refused = "finished in 43.16ms, 0.00 req/s, 0B/s\n\
            requests: 100 total, 0 started, 0 done, 0 succeeded, 100 failed, 100 errored, 0 timeout\n\
            status codes: 0 2xx, 0 3xx, 0 4xx, 0 5xx\n\
            traffic: 0B (0) total, 0B (0) headers (space savings 0.00%), 0B (0) data\n";
        assert!(error(refused).contains("100 failed"));
        assert!(error(&OUTPUT.replace("100 2xx, 0 3xx", "98 2xx, 2 3xx")).contains("2 3xx"));
        assert!(error(&OUTPUT.replace("(102400)", "(102300)")).contains("102300 bytes"));
        assert!(error("what?").contains("what?"));
    }

    #[test]
    fn an_older_one_is_told_what_it_knows() {
        let load = Load { params: Some(params(Version::Tls13)), http: Http::Http2, ..load(4) };
        let command = |help| command(&order(&load, 8), help).arguments.join(" ");
        assert_eq!(
            command("--ciphers=<SUITE> --tls13-ciphers=<SUITE> --groups=<GROUPS>"),
            "-t 1 -m 1 -n 8 -c 4 --connect-to=127.0.0.1:8443 --npn-list=h2 --no-tls-proto=h2c \
             --tls13-ciphers=TLS_AES_128_GCM_SHA256 --groups=X25519 https://server.test:8443/"
        );
        assert!(!command("--ciphers=<SUITE>").contains("cipher"));
    }
}
