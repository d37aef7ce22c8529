//! Lines of a server's configuration that make changes.

use tlstax_names::openssl;
use tlstax_spec::{Group, Http, Id, Key, Suite, SuiteFacts, Version};

use crate::what_if::Change;

/// The lines for a server; none for those that are not known, and for what no line changes. Directives as in the manuals of nginx
/// 1.26, Apache 2.4, HAProxy 2.6 to 3.2, lighttpd 1.4.76 and Caddy 2.
pub fn configuration(server: &Id, changes: &[Change]) -> Vec<String> {
    let name = server.as_str().split('@').next().unwrap_or_default();
    let of = match name {
        "nginx" | "angie" | "freenginx" => nginx,
        "apache" | "httpd" => apache,
        "haproxy" => haproxy,
        "lighttpd" => lighttpd,
        "caddy" => caddy,
        _ => return Vec::new(),
    };
    changes.iter().flat_map(of).collect()
}

const fn on(is_on: bool) -> &'static str {
    if is_on { "on" } else { "off" }
}

fn groups(group: Group) -> String {
    let own = openssl::group(group);
    if group == Group::X25519 { own.to_owned() } else { format!("{own}:X25519") }
}

fn file(key: Key) -> String {
    format!("{}.pem", key.name())
}

fn is_new(suite: Suite) -> bool {
    SuiteFacts::of(suite.name()).tls13
}

/// nginx 1.25.1 has made a directive of it.
const BEFORE_HTTP2: &str = "  # before 1.25.1 a word of the listen directive: listen 443 ssl http2;";

fn nginx(change: &Change) -> Vec<String> {
    match change {
        Change::Cert(key) => vec![
            format!("ssl_certificate {};  # put before that of another key, which may stay", file(*key)),
            format!("ssl_certificate_key {}.key;", key.name()),
        ],
        Change::Tickets(is_on) => vec![format!("ssl_session_tickets {};", on(*is_on))],
        Change::Resumed(share) if *share > 0.0 => vec![
            "ssl_session_tickets on;".to_owned(),
            "ssl_session_cache shared:TLS:50m;".to_owned(),
            "ssl_session_timeout 1d;".to_owned(),
        ],
        Change::Suite(suite) if is_new(*suite) => vec![
            "ssl_prefer_server_ciphers on;".to_owned(),
            format!("ssl_conf_command Ciphersuites {};", openssl::suite(*suite)),
        ],
        Change::Suite(suite) => vec![
            "ssl_prefer_server_ciphers on;".to_owned(),
            format!("ssl_ciphers {};", openssl::suite(*suite)),
        ],
        Change::Group(group) => vec![format!("ssl_ecdh_curve {};", groups(*group))],
        Change::Version(version) => vec![format!("ssl_protocols {};", openssl::protocol(*version))],
        Change::Http(Http::Http2) => vec![format!("http2 on;{BEFORE_HTTP2}")],
        Change::Http(Http::Http1) => {
            vec!["http2 off;  # before 1.25.1: no http2 in the listen directive".to_owned()]
        }
        Change::RequestsPerConnection(requests) => vec![
            format!("keepalive_requests {};  # at least", requests.ceil()),
            "keepalive_timeout 75s;".to_owned(),
        ],
        Change::Record(size) => vec![format!("ssl_buffer_size {size};")],
        Change::Sendfile(is_on) => vec![format!("sendfile {};", on(*is_on))],
        Change::Resumed(_) | Change::Library(_) => Vec::new(),
    }
}

fn apache(change: &Change) -> Vec<String> {
    match change {
        Change::Cert(key) => vec![
            format!("SSLCertificateFile {}", file(*key)),
            format!("SSLCertificateKeyFile {}.key", key.name()),
        ],
        Change::Tickets(is_on) => vec![format!("SSLSessionTickets {}", on(*is_on))],
        Change::Resumed(share) if *share > 0.0 => vec![
            "SSLSessionTickets on".to_owned(),
            "SSLSessionCache shmcb:logs/ssl_scache(512000)".to_owned(),
            "SSLSessionCacheTimeout 86400".to_owned(),
        ],
        Change::Suite(suite) => {
            let version = if is_new(*suite) { "TLSv1.3 " } else { "" };
            vec![
                "SSLHonorCipherOrder on".to_owned(),
                format!("SSLCipherSuite {version}{}", openssl::suite(*suite)),
            ]
        }
        Change::Group(group) => vec![format!("SSLOpenSSLConfCmd Groups {}", groups(*group))],
        Change::Version(version) => vec![format!("SSLProtocol {}", openssl::protocol(*version))],
        Change::Http(Http::Http2) => vec!["Protocols h2 http/1.1".to_owned()],
        Change::Http(Http::Http1) => vec!["Protocols http/1.1".to_owned()],
        Change::RequestsPerConnection(requests) => {
            vec!["KeepAlive On".to_owned(), format!("MaxKeepAliveRequests {}  # at least", requests.ceil())]
        }
        Change::Sendfile(is_on) => vec![format!("EnableSendfile {}", on(*is_on))],
        Change::Resumed(_) | Change::Record(_) | Change::Library(_) => Vec::new(),
    }
}

fn haproxy(change: &Change) -> Vec<String> {
    match change {
        Change::Cert(key) => vec![format!("bind :443 ssl crt {}", file(*key))],
        Change::Tickets(true) => vec!["ssl-default-bind-options no-tls-tickets  # take this away".to_owned()],
        Change::Tickets(false) => vec!["ssl-default-bind-options no-tls-tickets".to_owned()],
        Change::Resumed(share) if *share > 0.0 => {
            vec!["tune.ssl.cachesize 200000".to_owned(), "tune.ssl.lifetime 86400".to_owned()]
        }
        Change::Suite(suite) if is_new(*suite) => {
            vec![format!("ssl-default-bind-ciphersuites {}", openssl::suite(*suite))]
        }
        Change::Suite(suite) => vec![format!("ssl-default-bind-ciphers {}", openssl::suite(*suite))],
        Change::Group(group) => vec![format!("ssl-default-bind-curves {}", groups(*group))],
        Change::Version(version) => {
            let version = openssl::protocol(*version);
            vec![format!("ssl-default-bind-options ssl-min-ver {version} ssl-max-ver {version}")]
        }
        Change::Http(Http::Http2) => vec!["bind :443 ssl alpn h2,http/1.1".to_owned()],
        Change::Http(Http::Http1) => vec!["bind :443 ssl alpn http/1.1".to_owned()],
        Change::RequestsPerConnection(_) => vec!["timeout http-keep-alive 75s".to_owned()],
        Change::Record(size) => vec![format!("tune.ssl.maxrecord {size}")],
        Change::Resumed(_) | Change::Sendfile(_) | Change::Library(_) => Vec::new(),
    }
}

fn lighttpd(change: &Change) -> Vec<String> {
    let command =
        |name: &str, value: &str| vec![format!("ssl.openssl.ssl-conf-cmd += (\"{name}\" => \"{value}\")")];
    match change {
        Change::Cert(key) => {
            vec![format!("ssl.pemfile = \"{}\"", file(*key)), format!("ssl.privkey = \"{}.key\"", key.name())]
        }
        Change::Tickets(true) => command("Options", "SessionTicket"),
        Change::Tickets(false) => command("Options", "-SessionTicket"),
        Change::Suite(suite) if is_new(*suite) => command("Ciphersuites", &openssl::suite(*suite)),
        Change::Suite(suite) => command("CipherString", &openssl::suite(*suite)),
        Change::Group(group) => command("Groups", &groups(*group)),
        Change::Version(version) => {
            let version = openssl::protocol(*version);
            [command("MinProtocol", version), command("MaxProtocol", version)].concat()
        }
        Change::Http(http) => {
            let value = if *http == Http::Http2 { "enable" } else { "disable" };
            vec![format!("server.feature-flags += (\"server.h2proto\" => \"{value}\")")]
        }
        Change::RequestsPerConnection(requests) => {
            vec![format!("server.max-keep-alive-requests = {}  # at least", requests.ceil())]
        }
        Change::Sendfile(true) => vec!["server.network-backend = \"sendfile\"".to_owned()],
        Change::Sendfile(false) => vec!["server.network-backend = \"writev\"".to_owned()],
        Change::Resumed(_) | Change::Record(_) | Change::Library(_) => Vec::new(),
    }
}

/// Its Caddyfile; the site's `tls` block where none else stands. Go chooses suites of TLS 1.3 and records itself.
fn caddy(change: &Change) -> Vec<String> {
    let in_tls = |line: String| vec![format!("tls {{ {line} }}")];
    match change {
        Change::Cert(key) => vec![format!("tls {} {}.key", file(*key), key.name())],
        Change::Suite(suite) if !is_new(*suite) => in_tls(format!("ciphers {}", suite.name())),
        Change::Group(group) => in_tls(format!("curves {}", group.name().to_ascii_lowercase())),
        Change::Version(version @ (Version::Tls12 | Version::Tls13)) => {
            let version = if version.is_tls13() { "tls1.3" } else { "tls1.2" };
            in_tls(format!("protocols {version} {version}"))
        }
        Change::Http(Http::Http2) => vec!["servers { protocols h1 h2 }".to_owned()],
        Change::Http(Http::Http1) => vec!["servers { protocols h1 }".to_owned()],
        Change::RequestsPerConnection(_) => vec!["servers { timeouts { idle 5m } }".to_owned()],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_server_has_its_own_words() {
        let changes: Vec<Change> =
            ["cert=ecdsa-p256", "group=X25519MLKEM768", "http=h2"].map(|text| text.parse().unwrap()).to_vec();
        for (server, part) in [
            ("nginx", "ssl_ecdh_curve X25519MLKEM768:X25519;"),
            (
                "nginx@openssl-3.6",
                "http2 on;  # before 1.25.1 a word of the listen directive: listen 443 ssl http2;",
            ),
            ("apache", "Protocols h2 http/1.1"),
            ("haproxy", "ssl-default-bind-curves X25519MLKEM768:X25519"),
            ("lighttpd", "ssl.pemfile = \"ecdsa-p256.pem\""),
            ("caddy", "tls { curves x25519mlkem768 }"),
        ] {
            let lines = configuration(&server.parse().unwrap(), &changes);
            assert!(lines.iter().any(|line| line == part), "{server}: {lines:?}");
        }
        assert!(configuration(&"own-server".parse().unwrap(), &changes).is_empty());
    }
}
