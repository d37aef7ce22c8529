//! Caddy, whose TLS library is that of Go.

use serde::Deserialize;
use serde_json::{Value, json};
use tlstax_spec::{
    Authentication, Direction, Group, Http, PADDING, Page, Params, Resumption, Sessions, Suite, Version,
};

use super::server::{Hit, Place, Rendered, Server, Site};
use crate::product::Product;

pub const CADDY: Server = Server {
    refusals: &["unsupported cipher suite: "],
    // Placeholders.
    unquotable: &["{"],
    ..Server::of(
        Product {
            id: "caddy",
            about: "Caddy, with the TLS library of Go",
            remedy: "on Debian: apt-get install caddy",
            program: "caddy",
            version_arguments: &["version"],
            version,
        },
        lacks,
        render,
        hit,
    )
};

fn lacks(site: &Site) -> Option<String> {
    let suite = site.params.map(|params| params.suite);
    let reason = if site.direction == Direction::Upload {
        "Caddy has no module of its own that keeps an upload"
    } else if site.params.is_some_and(|params| params.version.is_before_tls12()) {
        "Caddy speaks TLS 1.2 and 1.3 only"
    } else if site.resumption == Resumption::SessionId {
        "the TLS library of Go keeps no cache of sessions: it resumes by tickets only"
    } else if site.resumption == Resumption::EarlyData {
        "the TLS library of Go takes no early data over TCP"
    } else if site.tuning.sessions == Sessions::PerWorker {
        "Caddy has one process, whose threads have the same ticket keys"
    } else if site.params.is_some() && site.tuning.tls_buffer > 0 {
        "the TLS library of Go chooses the size of records itself"
    } else if site.params.is_none() && site.page == Page::Static && !site.tuning.sendfile {
        "Caddy has no switch for sendfile"
    } else if suite.is_some_and(|suite| suite.authentication() == Authentication::DheRsa) {
        "the TLS library of Go has no finite-field Diffie-Hellman"
    } else if site.params.and_then(|params| params.group).is_some_and(|group| curve(group).is_none()) {
        // It would start, and then refuse every connection.
        "Caddy does not know this group, and takes the name of an unknown one without complaint"
    } else {
        return None;
    };
    Some(reason.to_owned())
}

fn render(site: &Site, place: &Place) -> Rendered {
    let files = vec![("caddy.json".to_owned(), format!("{:#}\n", configuration(site, place)))];
    let arguments = ["run", "--config", &place.file("caddy.json")].map(str::to_owned).to_vec();
    let folder = place.own.display().to_string();
    let environment = [
        ("GOMAXPROCS", site.tuning.workers.to_string()),
        // Where it would keep certificates and what it was last configured with.
        ("HOME", folder.clone()),
        ("XDG_DATA_HOME", folder.clone()),
        ("XDG_CONFIG_HOME", folder),
    ];
    let environment = environment.map(|(name, value)| (name.to_owned(), value)).to_vec();
    Rendered { files, arguments, environment }
}

fn hit(line: &str) -> Option<Hit> {
    let line: Line = serde_json::from_str(line).ok()?;
    let tls = line.request.tls.as_ref();
    Some(Hit {
        status: line.status,
        bytes: line.size,
        port: Some(line.request.remote_port.parse().ok()?),
        is_last: line.request.is_last(),
        resumed: tls.map(|tls| tls.resumed),
        version: tls.and_then(|tls| match tls.version {
            0x0301 => Some(Version::Tls10),
            0x0302 => Some(Version::Tls11),
            0x0303 => Some(Version::Tls12),
            0x0304 => Some(Version::Tls13),
            _ => None,
        }),
        suite: tls.and_then(|tls| Suite::from_code(tls.cipher_suite)),
        ..Hit::default()
    })
}

fn version(printed: &str) -> Option<String> {
    let version = printed.split_ascii_whitespace().next()?;
    let version = version.strip_prefix('v').unwrap_or(version);
    version.starts_with(|first: char| first.is_ascii_digit()).then(|| format!("Caddy {version}"))
}

/// What is read of a line of its log.
#[derive(Deserialize)]
struct Line {
    request: Request,
    size: u64,
    status: u16,
}

#[derive(Deserialize)]
struct Request {
    remote_port: String,
    proto: String,
    #[serde(default)]
    headers: Headers,
    tls: Option<Tls>,
}

#[derive(Deserialize, Default)]
struct Headers {
    #[serde(default, rename = "Connection")]
    connection: Vec<String>,
}

#[derive(Deserialize)]
struct Tls {
    resumed: bool,
    version: u16,
    cipher_suite: u16,
}

impl Request {
    /// Whether the connection ends with it: RFC 9112 9.3.
    fn is_last(&self) -> bool {
        let says = |word: &str| self.headers.connection.iter().any(|one| one.eq_ignore_ascii_case(word));
        says("close") || self.proto == "HTTP/1.0" && !says("keep-alive")
    }
}

fn configuration(site: &Site, place: &Place) -> Value {
    let protocols = match (site.http, site.params) {
        (Http::Http1, _) => json!(["h1"]),
        // It does not have these without HTTP/1.1.
        (Http::Http2, Some(_)) => json!(["h1", "h2"]),
        (Http::Http2, None) => json!(["h1", "h2c"]),
    };
    let mut server = json!({
        "listen": [format!("127.0.0.1:{}", place.port)],
        "protocols": protocols,
        "idle_timeout": "300s",
        "automatic_https": { "disable": true },
        "logs": { "default_logger_name": "site" },
        "routes": [{ "handle": handlers(site, place) }],
    });
    let mut apps = json!({});
    if let Some(params) = &site.params {
        server["tls_connection_policies"] = json!([policy(site, params)]);
        apps["tls"] = json!({
            "certificates": {
                "load_files": [{ "certificate": place.certificate, "key": place.key, "tags": ["site"] }]
            },
            "session_tickets": { "disabled": site.resumption == Resumption::Full, "disable_rotation": true },
        });
    }
    apps["http"] = json!({ "grace_period": "100ms", "servers": { "site": server } });
    json!({
        "admin": { "disabled": true, "config": { "persist": false } },
        "logging": { "logs": {
            "default": { "exclude": ["http.log.access.site"] },
            "site": {
                "writer": { "output": "file", "filename": place.log, "roll": false },
                "encoder": { "format": "json" },
                "include": ["http.log.access.site"],
            },
        } },
        "apps": apps,
    })
}

fn handlers(site: &Site, place: &Place) -> Vec<Value> {
    let padding =
        |value: &String| json!({ "handler": "headers", "response": { "set": { PADDING: [value] } } });
    site.padding.iter().map(padding).chain([handler(site, place)]).collect()
}

fn handler(site: &Site, place: &Place) -> Value {
    match site.page {
        Page::Static => {
            json!({ "handler": "file_server", "root": place.root, "index_names": ["index.html"] })
        }
        Page::FastCgi => json!({
            "handler": "reverse_proxy",
            "transport": { "protocol": "fastcgi", "root": place.root },
            "upstreams": [{ "dial": format!("unix/{}", place.application.display()) }],
        }),
    }
}

/// The suites of TLS 1.3 cannot be chosen: the client must offer the only one.
fn policy(site: &Site, params: &Params) -> Value {
    let version = params.version.name().replace('v', "").to_lowercase();
    let mut policy = json!({
        "protocol_min": version,
        "protocol_max": version,
        "alpn": [site.http.name()],
        "certificate_selection": { "any_tag": ["site"] },
    });
    if params.version == Version::Tls12 {
        policy["cipher_suites"] = json!([params.suite.name()]);
    }
    if let Some(curve) = params.group.and_then(curve) {
        policy["curves"] = json!([curve]);
    }
    policy
}

/// Caddy's name of a group.
fn curve(group: Group) -> Option<&'static str> {
    match group {
        Group::X25519 => Some("x25519"),
        Group::Secp256r1 => Some("secp256r1"),
        Group::Secp384r1 => Some("secp384r1"),
        Group::Secp521r1 => Some("secp521r1"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hit(request: &str) -> Option<Hit> {
        super::hit(&format!(
            r#"{{"level":"info","request":{{"remote_port":"56468",{request}}},"size":1024,"status":200,"duration":0.004}}"#
        ))
    }

    #[test]
    fn requests_are_read() {
        let tls = r#""tls":{"resumed":true,"version":772,"cipher_suite":4865,"proto":"h2"}"#;
        let one = hit(&format!(r#""proto":"HTTP/2.0","headers":{{"Accept":["*/*"]}},{tls}"#)).unwrap();
        assert_eq!((one.status, one.bytes, one.port, one.is_last), (200, 1024, Some(56468), false));
        assert_eq!(
            (one.resumed, one.version, one.suite),
            (Some(true), Some(Version::Tls13), Some(Suite::Aes128Gcm))
        );
        let last = |request| hit(request).unwrap().is_last;
        assert!(last(r#""proto":"HTTP/1.1","headers":{"Connection":["close"]}"#));
        assert!(last(r#""proto":"HTTP/1.0","headers":{}"#));
        assert!(!last(r#""proto":"HTTP/1.0","headers":{"Connection":["Keep-Alive"]}"#));
        assert_eq!(super::hit("{}"), None);
    }
}
