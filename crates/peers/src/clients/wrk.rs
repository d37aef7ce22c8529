//! wrk: HTTP/1.1 in one thread, for a time.
//!
//! It has no options for TLS: it takes what the server alone offers, with the first group of its OpenSSL in its one key
//! share, so that any other costs a HelloRetryRequest. It resumes where the server lets it. What it has begun at the end
//! of its time it cuts off and does not count.

use tlstax_measure::program::Finished;
use tlstax_spec::{Load, Nanos};

use super::ability::{Ability, is_offered_by_openssl};
use super::client::{Client, Command, Order, Summary};
use super::parse::{end, not_understood, number_before, time};
use crate::product::Product;

/// It counts its time in whole seconds.
const SECOND: Nanos = Nanos::from_millis(1000);

/// wrk with the OpenSSL that it is linked to.
pub const WRK: Client = Client {
    counts: false,
    window: SECOND,
    ..Client::of(
        Product {
            id: "wrk",
            about: "wrk: HTTP/1.1 for whole seconds; verifies no certificate, leaves the rest of TLS to the server",
            remedy: "on Debian: apt-get install wrk",
            program: "wrk",
            version_arguments: &["-v"],
            version,
        },
        lacks,
        command,
        summary,
    )
};

fn lacks(load: &Load) -> Option<String> {
    let lacks = Ability { connections: true, ..Ability::of("wrk") }.lacks(load);
    let suite = load.params.map(|params| params.suite).filter(|suite| !is_offered_by_openssl(*suite));
    lacks.or_else(|| {
        suite.map(|suite| format!("wrk offers what its OpenSSL offers by itself, without {suite}"))
    })
}

fn command(order: &Order<'_>, _says: &str) -> Command {
    let load = order.load;
    let seconds = ((order.expected.0 + SECOND.0 / 2) / SECOND.0).max(1);
    let mut command = Command::of(&["-t", "1", "-H", "Host: server.test", "--timeout", "60s"]);
    command.add(&["-c", &load.connections.to_string(), "-d", &format!("{seconds}s")]);
    if load.requests_per_connection == 1 {
        command.add(&["-H", "Connection: close"]);
    }
    command.add(&[&format!("{}://127.0.0.1:{}{}", order.scheme(), order.port, order.path())]);
    command
}

fn summary(_order: &Order<'_>, finished: &Finished) -> Result<Summary, String> {
    let output = &finished.stdout;
    let summary = output.lines().find(|line| line.contains(" requests in "));
    let read = |line: &str| {
        let took = line.split_once(" requests in ")?.1.split_once(',')?.0;
        Some((number_before(line, " requests in ")?, time(took)?))
    };
    let Some((requests, took)) = summary.and_then(read) else {
        return Err(not_understood("wrk", output));
    };
    let complaints = ["Socket errors:", "Non-2xx or 3xx responses:"];
    let complaint = output.lines().find(|line| complaints.iter().any(|word| line.contains(word)));
    if let Some(complaint) = complaint {
        return Err(format!("beside {requests} requests: {}", end(complaint)));
    }
    if requests == 0 {
        return Err(format!("no request ended within {:.1} s", took.0 as f64 / 1e9));
    }
    // It counts bytes with heads.
    Ok(Summary { requests, bytes: None, wall: Some(took) })
}

fn version(printed: &str) -> Option<String> {
    let version = printed.strip_prefix("wrk ")?.split_ascii_whitespace().next()?;
    Some(format!("wrk {}", version.trim_start_matches("debian/")))
}

#[cfg(test)]
mod tests {
    use tlstax_spec::{Key, Params, Suite, Version};

    use super::super::testing::{finished, load, order, params, read, summary_of};
    use super::*;

    const OUTPUT: &str = "Running 1s test @ https://127.0.0.1:8443/\n  1 threads and 4 connections\n\
        \x20 Thread Stats   Avg      Stdev     Max   +/- Stdev\n    Req/Sec   235.60    174.79   630.00     80.00%\n\
        \x20 252 requests in 1.06s, 309.83KB read\nRequests/sec:    236.94\nTransfer/sec:    291.31KB\n";

    #[test]
    fn a_summary_is_read() {
        let summary = Summary { requests: 252, bytes: None, wall: Some(Nanos(1_060_000_000)) };
        assert_eq!(read(&WRK, 300, OUTPUT), Ok(summary));
    }

    #[test]
    fn failures_are_reported() {
        let error = |output: &str| read(&WRK, 1, output).unwrap_err();
        let nothing = OUTPUT.replace("252 requests", "0 requests");
        assert!(error(&nothing).contains("no request ended within 1.1 s"));
        let sockets = OUTPUT
            .replace("Requests/sec", "  Socket errors: connect 0, read 9, write 0, timeout 0\nRequests/sec");
        assert!(error(&sockets).contains("252 requests: Socket errors: connect 0, read 9"));
        let refused = OUTPUT.replace("Requests/sec", "  Non-2xx or 3xx responses: 252\nRequests/sec");
        assert!(error(&refused).contains("responses: 252"));
        assert!(error("what?").contains("what?"));
        let down = finished(1, "", "unable to connect to 127.0.0.1:1 Connection refused");
        assert!(summary_of(&WRK, &load(4), 1, down).unwrap_err().contains("Connection refused"));
    }

    #[test]
    fn unusual_suites_are_not_offered() {
        let params = |suite| Params { suite, group: None, key: Key::Rsa2048, ..params(Version::Tls12) };
        let lacks = |suite| lacks(&Load { params: Some(params(suite)), ..load(4) });
        assert!(lacks(Suite::RsaNullSha256).unwrap().ends_with("without TLS_RSA_WITH_NULL_SHA256"));
        assert_eq!(lacks(Suite::RsaAes128CbcSha), None);
    }

    #[test]
    fn time_is_in_whole_seconds() {
        let load = Load { requests_per_connection: 1, ..load(4) };
        let duration = |expected| {
            let order = Order { expected: Nanos(expected), ..order(&load, 1) };
            let arguments = command(&order, "").arguments;
            arguments[arguments.iter().position(|word| word == "-d").unwrap() + 1].clone()
        };
        assert_eq!([0, 1_000_000_001, 1_700_000_000].map(duration), ["1s", "1s", "2s"]);
    }
}
