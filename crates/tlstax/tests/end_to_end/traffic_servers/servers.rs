//! How each server is configured: TLS 1.2 and 1.3 on one port, tickets, two files, and the log that was suggested.

use serde_json::json;

use super::sites::{LARGE, Place, SMALL, Server, lines_of};
use crate::stage::root;

const ALL: &[&str] = &["protocol", "suite", "group", "resumed"];
const ALL_BUT_GROUP: &[&str] = &["protocol", "suite", "resumed"];

pub const NGINX: Server = Server {
    id: "nginx",
    program: "/usr/sbin/nginx",
    tells: ALL,
    tells_connections: true,
    logs_to_output: false,
    configuration: nginx,
    arguments: |place| words(&["-e", &place.path("errors"), "-c", &place.path("configuration")]),
};

pub const APACHE: Server = Server {
    id: "apache",
    program: "/usr/sbin/apache2",
    tells: ALL_BUT_GROUP,
    tells_connections: true,
    logs_to_output: false,
    configuration: apache,
    arguments: |place| words(&["-DFOREGROUND", "-f", &place.path("configuration")]),
};

pub const HAPROXY: Server = Server {
    id: "haproxy",
    program: "/usr/sbin/haproxy",
    tells: ALL_BUT_GROUP,
    tells_connections: true,
    logs_to_output: true,
    configuration: haproxy,
    arguments: |place| words(&["-db", "-f", &place.path("configuration")]),
};

pub const LIGHTTPD: Server = Server {
    id: "lighttpd",
    program: "/usr/sbin/lighttpd",
    // It logs nothing of TLS for a file.
    tells: &[],
    tells_connections: true,
    logs_to_output: false,
    configuration: lighttpd,
    arguments: |place| words(&["-D", "-f", &place.path("configuration")]),
};

pub const CADDY: Server = Server {
    id: "caddy",
    program: "/usr/bin/caddy",
    tells: ALL_BUT_GROUP,
    tells_connections: false,
    logs_to_output: false,
    configuration: caddy,
    arguments: |place| words(&["run", "--config", &place.path("configuration")]),
};

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn certificate() -> String {
    root().join("pki/ecdsa-p256/server-2.pem").display().to_string()
}

fn key() -> String {
    root().join("pki/ecdsa-p256/server.key").display().to_string()
}

fn nginx(place: &Place, suggested: &str) -> String {
    let (here, port, log) = (place.folder.display(), place.port, place.log());
    let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|kind| format!("{kind}_temp_path {here}/{kind}; "))
        .concat();
    // The format ends where it says where the log is.
    let lines: Vec<_> = suggested.lines().filter(|line| !line.starts_with('#')).collect();
    let lines = lines.join("\n");
    let format = lines.split("access_log").next().unwrap_or_default();
    let name = format.split_whitespace().nth(1).unwrap_or_default();
    format!(
        "daemon off; pid {here}/pid; events {{}}\n\
         http {{ {temporary}\n{format}\naccess_log {log} {name};\n\
         server {{ listen 127.0.0.1:{port} ssl; ssl_protocols TLSv1.2 TLSv1.3; root {here}/www;\n\
         ssl_certificate {certificate}; ssl_certificate_key {key}; }} }}\n",
        log = log.display(),
        certificate = certificate(),
        key = key(),
    )
}

fn apache(place: &Place, suggested: &str) -> String {
    let (here, port, log) = (place.folder.display(), place.port, place.log());
    let modules = ["mpm_event", "authz_core", "ssl"]
        .map(|name| format!("LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so\n"))
        .concat();
    let format = lines_of(suggested, "LogFormat");
    let name = format.split_whitespace().next_back().unwrap_or_default();
    format!(
        "{modules}ServerName server.test\nPidFile {here}/pid\nListen 127.0.0.1:{port}\nErrorLog {here}/errors\n\
         User daemon\nGroup daemon\nDocumentRoot {here}/www\nKeepAlive On\n{format}\nCustomLog {log} {name}\n\
         SSLEngine on\nSSLProtocol -all +TLSv1.2 +TLSv1.3\nSSLSessionCache none\nSSLSessionTickets on\n\
         SSLCertificateFile {certificate}\nSSLCertificateKeyFile {key}\n",
        log = log.display(),
        certificate = certificate(),
        key = key(),
    )
}

fn haproxy(place: &Place, suggested: &str) -> String {
    let port = place.port;
    let answer = |(path, _): (&str, u64)| {
        let file = place.folder.join("www").join(&path[1..]);
        format!(
            "    http-request return status 200 content-type text/plain file {} if {{ path {path} }}\n",
            file.display()
        )
    };
    let suggested = lines_of(suggested, "log-format") + "\n";
    format!(
        "global\n    log stdout format raw local0\n    nbthread 1\n    tune.bufsize 131072\n\
         defaults\n    mode http\n    log global\n    option dontlognull\n    timeout client 60s\n    timeout server 60s\n    \
         timeout connect 5s\n    timeout http-request 60s\n    timeout http-keep-alive 60s\n\
         frontend site\n    bind 127.0.0.1:{port} ssl crt {both} ssl-min-ver TLSv1.2\n{suggested}{small}{large}",
        both = place.path("both.pem"),
        small = answer(SMALL),
        large = answer(LARGE),
    )
}

fn lighttpd(place: &Place, suggested: &str) -> String {
    let (port, log) = (place.port, place.log());
    format!(
        "server.modules = ( \"mod_accesslog\", \"mod_openssl\" )\nserver.bind = \"127.0.0.1\"\nserver.port = {port}\n\
         server.document-root = \"{www}\"\nserver.errorlog = \"{errors}\"\nserver.max-keep-alive-requests = 1000\n\
         mimetype.assign = ( \"\" => \"text/html\" )\naccesslog.filename = \"{log}\"\n{format}\n\
         ssl.engine = \"enable\"\nssl.pemfile = \"{certificate}\"\nssl.privkey = \"{key}\"\n\
         ssl.openssl.ssl-conf-cmd = ( \"MinProtocol\" => \"TLSv1.2\" )\n",
        www = place.path("www"),
        errors = place.path("errors"),
        log = log.display(),
        format = lines_of(suggested, "accesslog.format"),
        certificate = certificate(),
        key = key(),
    )
}

/// Its log is JSON with all that it knows, whatever is suggested. Certificates come from files and from nowhere else: Caddy's own
/// authority would be put into the system's trust store.
fn caddy(place: &Place, _: &str) -> String {
    let server = json!({
        "listen": [format!("127.0.0.1:{}", place.port)],
        "protocols": ["h1"],
        "automatic_https": { "disable": true },
        "logs": { "default_logger_name": "site" },
        "tls_connection_policies": [{ "certificate_selection": { "any_tag": ["site"] } }],
        "routes": [{ "handle": [{ "handler": "file_server", "root": place.path("www") }] }],
    });
    let files = [json!({ "certificate": certificate(), "key": key(), "tags": ["site"] })];
    let log = json!({
        "writer": { "output": "file", "filename": place.log(), "roll": false },
        "encoder": { "format": "json" },
        "include": ["http.log.access.site"],
    });
    json!({
        "admin": { "disabled": true, "config": { "persist": false } },
        "storage": { "module": "file_system", "root": place.path("storage") },
        "logging": { "logs": { "default": { "exclude": ["http.log.access.site"] }, "site": log } },
        "apps": {
            "tls": { "certificates": { "load_files": files } },
            "http": { "grace_period": "100ms", "servers": { "site": server } },
        },
    })
    .to_string()
}
