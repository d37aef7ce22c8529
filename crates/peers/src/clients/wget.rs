//! wget: one request after the other; with GnuTLS, as Debian builds it, or OpenSSL.
//!
//! After a handshake of TLS 1.3 GnuTLS waits 60 ms for a ticket before wget sends its request. Where the server sends
//! none, few connections fit into a window, and the 7 ms of CPU time for its start are a large part of the client's figure.

use tlstax_measure::program::Finished;
use tlstax_names::openssl;
use tlstax_spec::{Direction, Load, Nanos};

use super::ability::Ability;
use super::client::{Client, Command, Order, Summary};
use super::gnutls::priority;
use super::parse::not_understood;
use crate::product::{Product, named};

/// Whose names its option for ciphers takes.
const GNUTLS: &str = "+ssl/gnutls";

/// wget with the TLS library that it is linked to.
pub const WGET: Client = Client {
    window: Nanos::from_millis(1000),
    ..Client::of(
        Product {
            id: "wget",
            about: "wget, one request at a time; verifies the certificate, for the address 127.0.0.1",
            remedy: "on Debian: apt-get install wget",
            program: "wget",
            version_arguments: &["--version"],
            version,
        },
        lacks,
        command,
        summary,
    )
};

fn lacks(load: &Load) -> Option<String> {
    Ability { upload: true, ..Ability::of("wget") }.lacks(load)
}

fn command(order: &Order<'_>, help: &str) -> Command {
    let load = order.load;
    // A line for each answer, to the pipe that we read.
    let mut command = Command::of(&["--no-config", "--no-verbose", "--output-file=/dev/stdout"]);
    command.add(&["--output-document=/dev/null", "--tries=1", "--no-hsts", "--no-proxy"]);
    command.add(&["--header=Host: server.test"]);
    if load.requests_per_connection == 1 {
        command.add(&["--no-http-keep-alive"]);
    }
    if let Some(params) = load.params {
        command.add(&[&format!("--ca-certificate={}", order.root.display())]);
        // The certificates of the system would be read too, at 9 ms of CPU time for each start.
        command.add(&["--ca-directory=/dev/null"]);
        let ciphers = if help.contains(GNUTLS) {
            priority(params)
        } else {
            format!("{}:@SECLEVEL=0", openssl::suite(params.suite))
        };
        command.add(&[&format!("--ciphers={ciphers}")]);
    }
    if load.direction == Direction::Upload {
        command.add(&["--method=PUT", &format!("--body-file={}", order.upload.display())]);
    }
    let url = format!("{}://127.0.0.1:{}{}", order.scheme(), order.port, order.path());
    command.arguments.extend(std::iter::repeat_n(url, order.requests as usize));
    command.environment.push(("LC_ALL".to_owned(), "C".to_owned()));
    command
}

fn summary(order: &Order<'_>, finished: &Finished) -> Result<Summary, String> {
    let mut summary =
        Summary { bytes: (order.load.direction == Direction::Download).then_some(0), ..Summary::default() };
    for line in finished.stdout.lines().filter(|line| line.contains(" URL:")) {
        let bytes = answer(line).ok_or_else(|| not_understood("wget", line))?;
        summary.requests += 1;
        summary.bytes = summary.bytes.map(|sum| sum.saturating_add(bytes));
    }
    // The time that it prints has one digit below a second.
    Ok(summary)
}

fn version(printed: &str) -> Option<String> {
    let wget = named("wget", printed, "GNU Wget ")?;
    let library = [(GNUTLS, "GnuTLS"), ("+ssl/openssl", "OpenSSL")];
    let library = library.iter().find(|(word, _)| printed.contains(word));
    let library = library.map(|(_, name)| format!(" with {name}")).unwrap_or_default();
    Some(wget + &library)
}

/// The bytes of an answer: `... URL:https://127.0.0.1:443/ [1024/1024] -> "/dev/null" [1]`.
fn answer(line: &str) -> Option<u64> {
    let counts = line.split_once(" [")?.1.split_once(']')?.0;
    let (got, announced) = counts.split_once('/').unwrap_or((counts, counts));
    let got: u64 = got.parse().ok()?;
    (announced.parse() == Ok(got)).then_some(got)
}

#[cfg(test)]
mod tests {
    use tlstax_spec::Version;

    use super::super::testing::{finished, load, order, params, summary_of};
    use super::*;

    const OUTPUT: &str = "ERROR: Cannot open directory /dev/null.\n\
        2026-01-02 03:04:05 URL:https://127.0.0.1:8443/ [1024/1024] -> \"/dev/null\" [1]\n\
        2026-01-02 03:04:05 URL:https://127.0.0.1:8443/ [1024/1024] -> \"/dev/null\" [1]\n\
        FINISHED --2026-01-02 03:04:05--\nTotal wall clock time: 0.2s\n\
        Downloaded: 2 files, 2.0K in 0s (110 MB/s)\n";

    #[test]
    fn answers_are_added_up() {
        let summary = summary_of(&WGET, &load(1), 2, finished(0, OUTPUT, "")).unwrap();
        assert_eq!((summary.requests, summary.bytes, summary.wall), (2, Some(2048), None));
    }

    #[test]
    fn answers_to_uploads_have_no_bodies() {
        let load = Load { direction: Direction::Upload, ..load(1) };
        let output = "2026-01-02 03:04:05 URL:http://127.0.0.1:8443/upload [0/0] -> \"/dev/null\" [1]\n\
                    2026-01-02 03:04:05 URL:http://127.0.0.1:8443/upload [0] -> \"/dev/null\" [1]\n";
        assert_eq!(summary_of(&WGET, &load, 2, finished(0, output, "")).unwrap().requests, 2);
    }

    #[test]
    fn failures_are_reported() {
        let error =
            |status, output: &str| summary_of(&WGET, &load(1), 2, finished(status, output, "")).unwrap_err();
        let refused = "http://127.0.0.1:8443/:\n2026-01-02 03:04:05 ERROR 500: Internal Server Error.\n";
        assert!(error(8, refused).contains("ERROR 500"));
        let alert = "GnuTLS: received alert [40]: Handshake failed\nUnable to establish SSL connection.\n";
        assert!(error(4, alert).contains("alert [40]"));
        assert!(error(0, &OUTPUT.replace("[1024/1024]", "[5/1024]")).contains("[5/1024]"));
        assert!(error(0, &OUTPUT.replace("[1024/1024]", "[5]")).contains("10 bytes"));
        assert!(error(0, "what?").contains("0 of 2"));
    }

    #[test]
    fn each_library_has_its_own_words_for_a_suite() {
        let load = Load { params: Some(params(Version::Tls12)), ..load(1) };
        let ciphers = |help| {
            let arguments = command(&order(&load, 2), help).arguments;
            arguments.into_iter().find(|word| word.starts_with("--ciphers=")).unwrap()
        };
        assert!(ciphers("-ntlm +ssl/gnutls").starts_with("--ciphers=NONE:+VERS-TLS1.2:"));
        assert_eq!(ciphers("+ssl/openssl"), "--ciphers=ECDHE-ECDSA-AES128-GCM-SHA256:@SECLEVEL=0");
    }
}
