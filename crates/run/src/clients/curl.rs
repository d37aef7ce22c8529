//! curl: one request after the other, downloads and uploads.

use tlstax_measure::program::Finished;
use tlstax_spec::{Direction, Http, Load, Nanos, Params, Resumption, Version};

use super::client::{Client, Command, Order, Told};
use crate::servers::names;

/// curl with whatever TLS library it is linked to.
#[derive(Debug)]
pub struct Curl;

/// What it writes after each transfer: status, bytes down, bytes up, seconds.
const WRITE_OUT: &str = "%{http_code} %{size_download} %{size_upload} %{time_total}\n";

impl Client for Curl {
    fn id(&self) -> &'static str {
        "curl"
    }

    fn about(&self) -> &'static str {
        "curl, one request at a time"
    }

    fn packages(&self) -> &'static [&'static str] {
        &["curl"]
    }

    fn program(&self) -> &'static str {
        "curl"
    }

    fn version(&self, printed: &str) -> Option<String> {
        let mut words = printed.lines().next()?.split(' ');
        let (name, version) = (words.next()?, words.next()?);
        let library = words
            .find(|word| ["OpenSSL", "GnuTLS", "LibreSSL", "rustls"].iter().any(|name| word.contains(name)));
        Some(format!(
            "{name} {version}{}",
            library.map(|library| format!(" with {library}")).unwrap_or_default()
        ))
    }

    fn lacks(&self, load: &Load) -> Option<String> {
        let reason = if load.connections != 1 {
            "curl makes one request at a time here: one connection"
        } else if load.requests_per_connection > 1 {
            "curl keeps a connection for all its requests, or for one"
        } else if load.resumption != Resumption::Full {
            "curl forgets its sessions when it ends, and makes one connection in each run"
        } else if load.rate > 0 {
            "curl has no rate of its own"
        } else {
            return None;
        };
        Some(reason.to_owned())
    }

    fn command(&self, order: &Order<'_>) -> Command {
        let load = order.load;
        let mut arguments =
            vec!["-q".to_owned(), "--silent".to_owned(), "--show-error".to_owned(), "--fail".to_owned()];
        let mut add = |words: &[&str]| arguments.extend(words.iter().map(|word| (*word).to_owned()));
        add(&["--output", "/dev/null", "--write-out", WRITE_OUT]);
        add(&["--resolve", &format!("server.test:{}:127.0.0.1", order.port), "--noproxy", "*"]);
        add(match (load.http, load.params) {
            (Http::Http1, _) => &["--http1.1"],
            (Http::Http2, Some(_)) => &["--http2"],
            (Http::Http2, None) => &["--http2-prior-knowledge"],
        });
        if load.requests_per_connection == 1 {
            add(&["--header", "Connection: close"]);
        }
        if let Some(params) = load.params {
            add(&["--cacert", &order.root.display().to_string()]);
            arguments.extend(negotiation(params));
        }
        let mut add = |words: &[&str]| arguments.extend(words.iter().map(|word| (*word).to_owned()));
        let (scheme, port) = (order.scheme(), order.port);
        if load.direction == Direction::Upload {
            // Every URL needs its own file; a range of both is one of each.
            for number in 1..=order.requests {
                add(&["--upload-file", &order.upload.display().to_string()]);
                add(&[&format!("{scheme}://server.test:{port}/upload-{number}")]);
            }
        } else {
            add(&[&format!("{scheme}://server.test:{port}/?[1-{}]", order.requests)]);
        }
        Command { arguments, ..Command::default() }
    }

    fn told(&self, order: &Order<'_>, finished: &Finished) -> Result<Told, String> {
        if !finished.status.success() {
            return Err(format!("curl failed ({}): {}", finished.status, finished.stderr));
        }
        let mut told = Told { bytes: Some(0), ..Told::default() };
        let mut seconds = 0.0;
        for line in finished.stdout.lines() {
            let [status, down, up, time] = line.split(' ').collect::<Vec<_>>()[..] else {
                return Err(format!("curl said something that is not understood: {line}"));
            };
            let number =
                |text: &str| text.parse::<f64>().map_err(|error| format!("curl said {text}: {error}"));
            if !status.starts_with('2') {
                return Err(format!("the server answered with status {status}"));
            }
            let bytes = number(if order.load.direction == Direction::Upload { up } else { down })?;
            seconds += number(time)?;
            told.requests += 1;
            told.bytes = told.bytes.map(|sum| sum + bytes as u64);
        }
        told.wall = Some(Nanos((seconds * 1e9) as u64));
        Ok(told)
    }
}

/// What curl with OpenSSL may negotiate.
fn negotiation(params: Params) -> Vec<String> {
    let (minimum, maximum) = match params.version {
        Version::Tls12 => ("--tlsv1.2", "1.2"),
        Version::Tls13 => ("--tlsv1.3", "1.3"),
    };
    let mut words = vec![minimum.to_owned(), "--tls-max".to_owned(), maximum.to_owned()];
    let suite = names::suite(params.suite);
    words.extend(match params.version {
        Version::Tls12 => ["--ciphers".to_owned(), format!("{suite}:@SECLEVEL=0")],
        Version::Tls13 => ["--tls13-ciphers".to_owned(), suite],
    });
    words.extend(names::groups(params).into_iter().flat_map(|groups| ["--curves".to_owned(), groups]));
    words
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::os::unix::process::ExitStatusExt;
    use std::process::ExitStatus;

    use super::*;

    fn finished(status: i32, stdout: &str, stderr: &str) -> Finished {
        Finished {
            status: ExitStatus::from_raw(status << 8),
            stdout: stdout.to_owned(),
            stderr: stderr.to_owned(),
            wall: Nanos(1),
            cpu: Default::default(),
        }
    }

    fn order(load: &Load) -> Order<'_> {
        let (root, upload) = ("root.pem".into(), "body".into());
        Order { load, port: 8443, requests: 2, expected: Nanos(1), root, upload }
    }

    #[test]
    fn transfers_are_added_up() {
        let load = Load { connections: 1, ..Load::new("curl", None) };
        let told =
            Curl.told(&order(&load), &finished(0, "200 1024 0 0.002\n200 1024 0 0.001\n", "")).unwrap();
        assert_eq!((told.requests, told.bytes, told.wall), (2, Some(2048), Some(Nanos(3_000_000))));
    }

    #[test]
    fn failures_are_told() {
        let load = Load { connections: 1, ..Load::new("curl", None) };
        let told = |finished| Curl.told(&order(&load), &finished).unwrap_err();
        assert!(told(finished(35, "", "curl: (35) no shared cipher")).contains("no shared cipher"));
        assert!(told(finished(0, "what?\n", "")).contains("what?"));
        assert!(told(finished(0, "404 1 0 0.1\n", "")).contains("status 404"));
    }

    #[test]
    fn version_and_library_are_read() {
        let printed =
            "curl 7.88.1 (x86_64-pc-linux-gnu) libcurl/7.88.1 OpenSSL/3.0.19 zlib/1.2.13\nRelease-Date: x\n";
        assert_eq!(Curl.version(printed).unwrap(), "curl 7.88.1 with OpenSSL/3.0.19");
        assert_eq!(Curl.version(""), None);
    }
}
