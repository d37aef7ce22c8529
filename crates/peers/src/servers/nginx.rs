//! nginx.

use tlstax_names::openssl;
use tlstax_spec::{Direction, Http, PADDING, Page, Params, Resumption, Sessions, Version};

use super::server::{Hit, Place, Rendered, Server, Site, quoted};
use crate::product::{Product, named};

/// What the access log says of each request. `$connection_requests` counts streams of HTTP/2, too.
const LOG_FORMAT: &str = "$status $body_bytes_sent $connection_requests $ssl_session_reused $ssl_early_data $ssl_protocol \
                          $ssl_cipher $ssl_curve";

/// Where nginx answers itself what it has read of a form.
const FORM_SOCKET: &str = "form.sock";

const DH_FILE: &str = "dh.pem";

/// nginx with whatever TLS library it is linked to.
pub const NGINX: Server = Server {
    refusals: &["SSL_CTX_set1_curves_list(", "SSL_CTX_set_cipher_list(", "SSL_CONF_cmd(\"Ciphersuites\""],
    processes: |site| 1 + usize::from(site.tuning.workers),
    // The names of variables, and the end of the path of a socket.
    unquotable: &["$", ":"],
    ..Server::of(
        Product {
            id: "nginx",
            about: "nginx, as the distribution has it",
            remedy: "on Debian: apt-get install nginx",
            program: "nginx",
            version_arguments: &["-v"],
            version: |printed| named("nginx", printed, "nginx/"),
        },
        lacks,
        render,
        hit,
    )
};

fn lacks(site: &Site) -> Option<String> {
    (site.tuning.sessions == Sessions::PerWorker && site.resumption != Resumption::SessionId).then(|| {
        "the workers of nginx have the same ticket keys, whatever is configured; only a cache of session ids can be \
         one for each"
            .to_owned()
    })
}

fn render(site: &Site, place: &Place) -> Rendered {
    let mut main = vec![
        "daemon off;".to_owned(),
        format!("worker_processes {};", site.tuning.workers),
        format!("pid {};", quoted(place.own.join("nginx.pid"))),
        "error_log stderr warn;".to_owned(),
        "events { worker_connections 16384; }".to_owned(),
    ];
    main.push(format!("http {{\n{}}}", indented(&http(site, place))));
    let mut files = vec![("nginx.conf".to_owned(), main.join("\n") + "\n")];
    let dh = site.params.and_then(openssl::dh_parameters);
    files.extend(dh.map(|dh| (DH_FILE.to_owned(), dh.to_owned())));
    let arguments = ["-p", &place.own.display().to_string(), "-c", &place.file("nginx.conf"), "-e", "stderr"];
    Rendered { files, arguments: arguments.map(str::to_owned).to_vec(), ..Rendered::default() }
}

fn hit(line: &str) -> Option<Hit> {
    let mut fields = line.split(' ');
    let mut next = || fields.next();
    Some(Hit {
        status: next()?.parse().ok()?,
        bytes: next()?.parse().ok()?,
        before: Some(next()?.parse::<u64>().ok()?.checked_sub(1)?),
        resumed: Some(next()? == "r"),
        early: next()? == "1",
        version: openssl::version_of(next()?),
        suite: openssl::suite_of(next()?),
        group: openssl::group_of(next()?),
        ..Hit::default()
    })
}

fn http(site: &Site, place: &Place) -> Vec<String> {
    let mut lines = vec![
        format!("log_format tlstax '{LOG_FORMAT}';"),
        // Written in pieces, as busy servers have it, and soon enough to be counted after each window.
        format!("access_log {} tlstax buffer=64k flush=5ms;", quoted(&place.log)),
        format!("sendfile {};", if uses_sendfile(site) { "on" } else { "off" }),
        "tcp_nopush on;".to_owned(),
        "keepalive_timeout 300s;".to_owned(),
        "keepalive_requests 100000000;".to_owned(),
        "client_max_body_size 0;".to_owned(),
        "default_type text/html;".to_owned(),
        "gzip off;".to_owned(),
        "open_file_cache max=100 inactive=600s;".to_owned(),
    ];
    for name in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"] {
        lines.push(format!("{name}_temp_path {};", quoted(place.own.join(format!("{name}_temp")))));
    }
    lines.push(format!("server {{\n{}}}", indented(&server(site, place))));
    if site.form {
        let socket = quoted(format!("unix:{}", place.own.join(FORM_SOCKET).display()));
        lines.push(format!("server {{ listen {socket}; access_log off; return 204; }}"));
    }
    lines
}

fn server(site: &Site, place: &Place) -> Vec<String> {
    let ssl = if site.params.is_some() { " ssl" } else { "" };
    let http2 = if site.http == Http::Http2 { " http2" } else { "" };
    let mut lines = vec![
        format!("listen 127.0.0.1:{}{ssl}{http2} backlog=4096;", place.port),
        "server_name server.test;".to_owned(),
        format!("root {};", quoted(&place.root)),
    ];
    lines.extend(site.params.map(|params| tls(site, &params, place)).unwrap_or_default());
    lines.extend(site.padding.as_deref().map(padding).unwrap_or_default());
    if site.form {
        // As before a program that takes forms: the whole of it is read into a file, and only then somebody is asked.
        let behind = quoted(format!("http://unix:{}:/", place.own.join(FORM_SOCKET).display()));
        lines.push(format!(
            "location / {{ proxy_pass {behind}; proxy_pass_request_body off; proxy_set_header Content-Length \"\"; }}"
        ));
    } else if site.direction == Direction::Upload {
        // A file is put, and replaced by the next.
        lines.push(format!("location / {{ root {}; dav_methods PUT; }}", quoted(place.own.join("uploads"))));
    } else if site.page == Page::FastCgi {
        let socket = quoted(format!("unix:{}", place.application.display()));
        lines.push(format!("location / {{ fastcgi_pass {socket}; fastcgi_keep_conn on; }}"));
    }
    lines
}

/// No word of its configuration may be longer than 4096 bytes, so a long value is put together.
fn padding(value: &str) -> Vec<String> {
    let pieces: Vec<&[u8]> = value.as_bytes().chunks(2048).collect();
    let piece =
        |(at, bytes): (usize, &&[u8])| format!("set $padding{at} {};", String::from_utf8_lossy(bytes));
    let mut lines: Vec<String> = pieces.iter().enumerate().map(piece).collect();
    let whole: String = (0..pieces.len()).map(|at| format!("${{padding{at}}}")).collect();
    lines.push(format!("add_header {PADDING} \"{whole}\";"));
    lines
}

fn tls(site: &Site, params: &Params, place: &Place) -> Vec<String> {
    let is_13 = params.version == Version::Tls13;
    let tickets = matches!(site.resumption, Resumption::Ticket | Resumption::Psk | Resumption::EarlyData);
    let cache = match (site.resumption, site.tuning.sessions) {
        (Resumption::SessionId, Sessions::Shared) => "shared:tlstax:16m",
        (Resumption::SessionId, Sessions::PerWorker) => "builtin:65536",
        _ => "off",
    };
    let mut lines = vec![
        format!("ssl_certificate {};", quoted(&place.certificate)),
        format!("ssl_certificate_key {};", quoted(&place.key)),
        format!("ssl_protocols {};", openssl::protocol(params.version)),
        "ssl_prefer_server_ciphers on;".to_owned(),
        format!("ssl_session_tickets {};", if tickets { "on" } else { "off" }),
        format!("ssl_session_cache {cache};"),
        "ssl_session_timeout 1h;".to_owned(),
    ];
    if is_13 {
        lines.push(format!("ssl_conf_command Ciphersuites {};", openssl::suite(params.suite)));
        // OpenSSL issues two tickets where one will do, and tickets that nobody can use where there is no cache.
        lines.push(format!("ssl_conf_command NumTickets {};", u8::from(tickets)));
    } else {
        // Its own security level would refuse ciphers without encryption.
        lines.push(format!("ssl_ciphers {}:@SECLEVEL=0;", openssl::suite(params.suite)));
    }
    lines.extend(openssl::groups(*params).map(|groups| format!("ssl_ecdh_curve {groups};")));
    lines.extend(
        openssl::dh_parameters(*params)
            .map(|_| format!("ssl_dhparam {};", quoted(place.folder.join(DH_FILE)))),
    );
    if site.resumption == Resumption::EarlyData {
        lines.push("ssl_early_data on;".to_owned());
        // The client's last flight is on its way when the response is sent: a close that did not wait for it would be a reset.
        lines.push("lingering_close always;".to_owned());
    }
    if site.tuning.tls_buffer > 0 {
        lines.push(format!("ssl_buffer_size {};", site.tuning.tls_buffer));
    }
    lines
}

/// Over h2c each response that is sent by sendfile waits 40 ms for an acknowledgement (seen with 1.22): nobody would run it so.
fn uses_sendfile(site: &Site) -> bool {
    site.tuning.sendfile && !(site.http == Http::Http2 && site.params.is_none())
}

fn indented(lines: &[String]) -> String {
    lines.iter().flat_map(|line| line.lines()).map(|line| format!("    {line}\n")).collect()
}
