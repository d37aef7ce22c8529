//! curl: one request after the other, downloads and uploads of a file, by PUT or in a form.

use tlstax_measure::program::Finished;
use tlstax_spec::{Direction, Http, Load, Params};

use super::ability::{Ability, openssl_options};
use super::client::{Client, Command, Order, Summary};
use super::parse::not_understood;
use crate::product::Product;
use crate::servers::quoted;

/// What it writes after each transfer: status, bytes down, bytes up.
const WRITE_OUT: &str = "%{http_code} %{size_download} %{size_upload}\n";

/// The most bytes that a form has beside its file: two boundaries, and a head with names and a type.
const ENVELOPE: u64 = 1024;

/// curl with whatever TLS library it is linked to.
pub const CURL: Client = Client {
    lacks_here,
    ..Client::of(
        Product {
            id: "curl",
            about: "curl, one request at a time",
            remedy: "on Debian: apt-get install curl",
            program: "curl",
            version_arguments: &["--version"],
            version,
        },
        lacks,
        command,
        summary,
    )
};

fn lacks(load: &Load) -> Option<String> {
    Ability { requests: true, http2: true, upload: true, form: true, ..Ability::of("curl") }.lacks(load)
}

fn lacks_here(load: &Load, help: &str) -> Option<String> {
    // github.com/curl/curl/issues/10634
    let is_broken = load.http == Http::Http2 && load.params.is_none() && help.starts_with("curl 7.88.");
    is_broken.then(|| {
        "curl 7.88 makes one request on an HTTP/2 connection without TLS, and fails at the next; 8.0 does not".to_owned()
    })
}

fn command(order: &Order<'_>, _says: &str) -> Command {
    let mut command = Command::of(&["-q"]);
    let each = u64::from(order.load.requests_per_connection);
    if each < 2 {
        command.arguments.extend(transfers(order, 1, order.requests, each == 1));
        return command;
    }
    // The last request on each connection says that it is the last.
    let mut first = 1;
    while first <= order.requests {
        let last = order.requests.min(first + each - 1);
        for (from, to, closes) in [(first, last - 1, false), (last, last, true)] {
            if from <= to {
                command.arguments.extend(transfers(order, from, to, closes));
                command.add(&["--next"]);
            }
        }
        first = last + 1;
    }
    command.arguments.pop();
    command
}

fn summary(order: &Order<'_>, finished: &Finished) -> Result<Summary, String> {
    let mut summary = Summary { bytes: Some(0), ..Summary::default() };
    for line in finished.stdout.lines() {
        let [status, down, up] = line.split(' ').collect::<Vec<_>>()[..] else {
            return Err(not_understood("curl", line));
        };
        if !status.starts_with('2') {
            return Err(format!("the server answered with status {status}"));
        }
        let bytes = if order.load.direction == Direction::Upload { up } else { down };
        let bytes = bytes.parse::<u64>().map_err(|_| not_understood("curl", line))?;
        let bytes = if order.load.form { without_envelope(bytes, order.load.body)? } else { bytes };
        summary.requests += 1;
        summary.bytes = summary.bytes.map(|sum| sum.saturating_add(bytes));
    }
    // Its times of transfers leave out what is between them.
    Ok(summary)
}

/// The bytes of the file in a form of so many, which must have room for it and little more.
fn without_envelope(form: u64, body: u32) -> Result<u64, String> {
    let body = u64::from(body);
    match (body + 1..=body + ENVELOPE).contains(&form) {
        true => Ok(body),
        false => Err(format!("curl counts {form} bytes in a form with a file of {body}")),
    }
}

fn version(printed: &str) -> Option<String> {
    let mut words = printed.lines().next()?.split(' ');
    let (name, version) = (words.next()?, words.next()?);
    let library =
        words.find(|word| ["OpenSSL", "GnuTLS", "LibreSSL", "rustls"].iter().any(|name| word.contains(name)));
    Some(format!("{name} {version}{}", library.map(|library| format!(" with {library}")).unwrap_or_default()))
}

/// The arguments for the transfers of these numbers.
fn transfers(order: &Order<'_>, from: u64, to: u64, closes: bool) -> Vec<String> {
    let load = order.load;
    let mut command = Command::of(&["--silent", "--show-error", "--fail", "--noproxy", "*"]);
    command.add(&["--output", "/dev/null", "--write-out", WRITE_OUT]);
    command.add(&["--resolve", &format!("server.test:{}:127.0.0.1", order.port)]);
    command.add(match (load.http, load.params) {
        (Http::Http1, _) => &["--http1.1"],
        (Http::Http2, Some(_)) => &["--http2"],
        (Http::Http2, None) => &["--http2-prior-knowledge"],
    });
    if closes {
        command.add(&["--header", "Connection: close"]);
    }
    if let Some(params) = load.params {
        command.add(&["--cacert", &order.root.display().to_string()]);
        command.arguments.extend(negotiation(params));
    }
    match load.direction {
        Direction::Download => {}
        Direction::Upload if load.form => {
            command.add(&["--form", &format!("file=@{}", quoted(&order.upload))])
        }
        Direction::Upload => command.add(&["--upload-file", &order.upload.display().to_string()]),
    }
    // A range makes one transfer of each number.
    command.add(&[&format!("{}://server.test:{}{}?[{from}-{to}]", order.scheme(), order.port, order.path())]);
    command.arguments
}

/// What curl with OpenSSL may negotiate.
fn negotiation(params: Params) -> Vec<String> {
    let version = params.version.name().trim_start_matches("TLSv");
    let mut words = vec![format!("--tlsv{version}"), "--tls-max".to_owned(), version.to_owned()];
    let options = openssl_options(params, "--curves").into_iter();
    words.extend(options.flat_map(|(option, value)| [option.to_owned(), value]));
    words
}

#[cfg(test)]
mod tests {
    use super::super::testing::{finished, load, order, summary_of};
    use super::*;

    #[test]
    fn transfers_are_added_up() {
        let down = summary_of(&CURL, &load(1), 2, finished(0, "200 1024 0\n200 1024 0\n", "")).unwrap();
        assert_eq!((down.requests, down.bytes, down.wall), (2, Some(2048), None));
        let load = Load { direction: Direction::Upload, ..load(1) };
        let up = summary_of(&CURL, &load, 2, finished(0, "201 0 1024\n204 0 1024\n", "")).unwrap();
        assert_eq!((up.requests, up.bytes), (2, Some(2048)));
    }

    #[test]
    fn a_form_is_the_file_and_its_envelope() {
        let load = Load { direction: Direction::Upload, form: true, ..load(1) };
        let read = |output: &str| summary_of(&CURL, &load, 1, finished(0, output, ""));
        assert_eq!(read("204 0 1221\n").unwrap().bytes, Some(1024));
        assert!(read("204 0 1024\n").unwrap_err().contains("1024 bytes in a form"), "it has no envelope");
        assert!(read("204 0 4096\n").unwrap_err().contains("4096 bytes in a form"));
        let words = command(&order(&load, 1), "").arguments.join(" ");
        assert!(words.contains("--form file=@\"body\"") && !words.contains("--upload-file"), "{words}");
    }

    #[test]
    fn failures_are_reported() {
        let error = |status, output: &str, stderr| {
            summary_of(&CURL, &load(1), 1, finished(status, output, stderr)).unwrap_err()
        };
        assert!(error(35, "000 0 0\n", "curl: (35) no shared cipher").contains("no shared cipher"));
        assert!(error(0, "what?\n", "").contains("what?"));
        assert!(error(0, "404 1 0\n", "").contains("status 404"));
        assert!(error(0, "200 5 0\n", "").contains("5 bytes"));
        assert!(error(0, "200 1024 0\n200 1024 0\n", "").contains("2 of 1"));
    }

    #[test]
    fn the_last_request_of_each_connection_closes_it() {
        let parts = |requests_per_connection| {
            let load = Load { requests_per_connection, ..load(1) };
            let arguments = command(&order(&load, 5), "").arguments;
            let part = |part: &[String]| {
                let range = part.last().unwrap().split_once('?').unwrap().1;
                let closes = part.iter().any(|word| word == "Connection: close");
                format!("{range}{}", if closes { "x" } else { "" })
            };
            arguments.split(|word| word == "--next").map(part).collect::<String>()
        };
        assert_eq!(parts(0), "[1-5]");
        assert_eq!(parts(1), "[1-5]x");
        assert_eq!(parts(3), "[1-2][3-3]x[4-4][5-5]x");
        assert_eq!(parts(2), "[1-1][2-2]x[3-3][4-4]x[5-5]x");
    }

    #[test]
    fn one_version_is_known_to_fail() {
        let h2c = Load { http: Http::Http2, ..load(1) };
        assert!(lacks_here(&h2c, "curl 7.88.1 (x86_64-pc-linux-gnu)").unwrap().contains("without TLS"));
        assert_eq!(lacks_here(&h2c, "curl 8.5.0 (x86_64-pc-linux-gnu)"), None);
        assert_eq!(lacks_here(&load(1), "curl 7.88.1 (x86_64-pc-linux-gnu)"), None);
    }
}
