//! The configuration of every server as it was last looked at. `TLSTAX_BLESS=1 cargo test` writes the kept ones anew.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use std::path::Path;

use tlstax_doc::{read, write};
use tlstax_spec::{Direction, Http, Page, Resumption, Tuning};

use super::server::Place;
use super::tests::{DHE, TLS_12, TLS_13, site};
use super::{SERVERS, Server, Site};

fn place() -> Place {
    let path = |name: &str| Path::new("/run/place").join(name);
    Place {
        folder: path(""),
        own: path("own"),
        port: 8443,
        root: path("root"),
        certificate: path("certificate.pem"),
        key: path("test.key"),
        both: path("both.pem"),
        log: path("own/access.log"),
        application: path("own/fcgi.sock"),
    }
}

fn sites() -> Vec<(&'static str, Site)> {
    let (plain, tls) = (site(None), site(Some(TLS_13)));
    let tuned = Tuning { sendfile: false, tls_buffer: 4096, workers: 2, ..Tuning::default() };
    vec![
        ("plain", plain.clone()),
        ("plain HTTP/2, 2 workers", Site { http: Http::Http2, tuning: tuned, ..plain.clone() }),
        ("upload", Site { direction: Direction::Upload, body: 0, ..plain.clone() }),
        ("form", Site { direction: Direction::Upload, form: true, body: 0, ..plain.clone() }),
        ("FastCGI", Site { page: Page::FastCgi, ..plain }),
        ("TLS 1.3", tls.clone()),
        (
            "TLS 1.3, HTTP/2, PSK, tuned",
            Site { http: Http::Http2, resumption: Resumption::Psk, tuning: tuned, ..tls.clone() },
        ),
        ("TLS 1.3, early data", Site { resumption: Resumption::EarlyData, ..tls }),
        ("TLS 1.2, session id", Site { resumption: Resumption::SessionId, ..site(Some(TLS_12)) }),
        ("TLS 1.2, ticket, DHE", Site { resumption: Resumption::Ticket, ..site(Some(DHE)) }),
    ]
}

fn rendered(server: &Server) -> String {
    let mut text = String::new();
    for (name, site) in sites() {
        text += &format!("=== {name}\n");
        // A module that is not installed here may be there elsewhere.
        if let Some(reason) = (server.lacks)(&site).filter(|reason| !reason.contains("apt-get")) {
            text += &format!("lacks: {reason}\n");
            continue;
        }
        let made = (server.render)(&site, &place());
        text += &format!("{} {}\n", server.product.program, made.arguments.join(" "));
        made.environment.iter().for_each(|(name, value)| text += &format!("{name}={value}\n"));
        let files = made.files.iter();
        files.for_each(|(name, contents)| text += &format!("--- {name}\n{contents}"));
    }
    text
}

#[test]
fn configurations_are_as_they_were() {
    for server in SERVERS {
        let name = format!("tests/golden/{}.txt", server.id());
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(&name);
        let found = rendered(server);
        if std::env::var_os("TLSTAX_BLESS").is_some() {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            write(&path, found.as_bytes()).unwrap();
        }
        let expected = read(&path).unwrap();
        let differs = expected.lines().zip(found.lines()).position(|(expected, found)| expected != found);
        let line = differs.map(|line| line + 1);
        assert!(expected == found, "{name} differs from line {line:?} on; if that is right: TLSTAX_BLESS=1");
    }
}
