//! HAProxy, which answers by itself: there is no server behind it, but for the dynamic page.

use tlstax_names::openssl;
use tlstax_spec::{Direction, Http, PADDING, Page, Params, Resumption, Sessions, Version, padding_line};

use super::run_folder::PAGE;
use super::server::{Hit, Place, Rendered, Server, Site, quoted};
use crate::product::{Product, named};

/// Before each line of the account: HAProxy's standard output is the only file that it logs to.
const TAG: &str = "hit ";

/// What is logged of each request after it. The count of bytes has the head in it, so the length of the body comes after.
const LOG_FORMAT: &str = "%ST %B %[var(txn.length)] %[var(sess.requests)] %[ssl_fc_is_resumed] %[var(txn.early)] \
                          %[ssl_fc_protocol] %[ssl_fc_cipher]";

/// The largest body: a response is held in one buffer, and each connection has several.
const BODY_BOUND: u32 = 1 << 20;

/// The size of buffers as people have it, and what a response needs beside its body.
const BUFFER: u32 = 16384;
const HEAD: u32 = 4096;

const DH_FILE: &str = "dh.pem";

/// HAProxy with whatever TLS library it is linked to.
pub const HAPROXY: Server = Server {
    refusals: &[
        "unable to set SSL curves list ",
        "unable to set SSL cipher list ",
        "unable to set TLS 1.3 cipher suites ",
    ],
    refusal_end: Some(" for bind "),
    logs_to_output: true,
    // Variables, in sockets even where the dollar is escaped.
    unquotable: &["$"],
    is_hit: |line| line.starts_with(TAG),
    ..Server::of(
        Product {
            id: "haproxy",
            about: "HAProxy answering by itself, from memory",
            remedy: "on Debian: apt-get install haproxy",
            program: "haproxy",
            version_arguments: &["-v"],
            version: |printed| named("HAProxy", printed, "HAProxy version "),
        },
        lacks,
        render,
        hit,
    )
};

fn lacks(site: &Site) -> Option<String> {
    let is_static = site.page == Page::Static;
    let reason = if site.direction == Direction::Upload {
        "HAProxy keeps no upload: it passes it on to a server behind it"
    } else if is_static && site.body > BODY_BOUND {
        "HAProxy holds a response of its own in one buffer: bodies above 1 MiB need a server behind it"
    } else if is_static && site.params.is_none() && !site.tuning.sendfile {
        "HAProxy answers from memory: there is no file that it could send otherwise"
    } else if site.tuning.sessions == Sessions::PerWorker {
        "HAProxy has one process, whose threads have the same cache and the same ticket keys"
    } else {
        return None;
    };
    Some(reason.to_owned())
}

fn render(site: &Site, place: &Place) -> Rendered {
    let mut lines = global(site, place);
    lines.extend(frontend(site, place));
    let mut files = vec![("haproxy.cfg".to_owned(), lines.join("\n") + "\n")];
    let dh = site.params.and_then(openssl::dh_parameters);
    files.extend(dh.map(|dh| (DH_FILE.to_owned(), dh.to_owned())));
    let mut environment = Vec::new();
    if let Some(settings) = library_settings(site) {
        files.push(("openssl.cnf".to_owned(), settings));
        environment.push(("OPENSSL_CONF".to_owned(), place.file("openssl.cnf")));
    }
    let arguments = ["-db", "-f", &place.file("haproxy.cfg")].map(str::to_owned).to_vec();
    Rendered { files, arguments, environment }
}

fn hit(line: &str) -> Option<Hit> {
    let mut fields = line.strip_prefix(TAG)?.split(' ');
    let mut next = || fields.next();
    let status = next()?.parse().ok()?;
    let sent: u64 = next()?.parse().ok()?;
    let length = next()?.parse().unwrap_or(sent);
    Some(Hit {
        status,
        bytes: sent.min(length),
        before: Some(next()?.parse::<u64>().ok()?.checked_sub(1)?),
        resumed: Some(next()? == "1"),
        early: next()? == "1",
        version: openssl::version_of(next()?),
        suite: openssl::suite_of(next()?),
        ..Hit::default()
    })
}

fn global(site: &Site, place: &Place) -> Vec<String> {
    let buffer = if site.page == Page::Static { BUFFER.max(site.body + HEAD) } else { BUFFER };
    // What is added to a head has to find room in the buffer, in a part of it that is kept free.
    let padding = site.padding.as_ref().map_or(0, |value| padding_line(value.len()));
    let buffer = buffer as usize + padding;
    let cache = if site.resumption == Resumption::SessionId { 65536 } else { 0 };
    let mut lines = vec![
        "global".to_owned(),
        "    log stdout format raw local0".to_owned(),
        format!("    nbthread {}", site.tuning.workers),
        // The most connections are reckoned from it: two files for each.
        "    fd-hard-limit 65536".to_owned(),
        format!("    tune.bufsize {buffer}"),
        format!("    tune.ssl.cachesize {cache}"),
        "    tune.ssl.lifetime 3600".to_owned(),
    ];
    if padding > 0 {
        lines.push(format!("    tune.maxrewrite {}", 1024 + padding));
    }
    if site.tuning.tls_buffer > 0 {
        lines.push(format!("    tune.ssl.maxrecord {}", site.tuning.tls_buffer));
    }
    let dh = site.params.and_then(openssl::dh_parameters);
    lines.extend(dh.map(|_| format!("    ssl-dh-param-file {}", quoted(place.folder.join(DH_FILE)))));
    lines
        .extend(["defaults", "    mode http", "    log global", "    option dontlognull"].map(str::to_owned));
    lines.extend(
        ["client", "http-request", "http-keep-alive", "server"].map(|one| format!("    timeout {one} 300s")),
    );
    lines.push("    timeout connect 5s".to_owned());
    lines
}

fn frontend(site: &Site, place: &Place) -> Vec<String> {
    let mut bind = format!("    bind 127.0.0.1:{} backlog 4096", place.port);
    match &site.params {
        Some(params) => bind.push_str(&tls(site, params, place)),
        None if site.http == Http::Http2 => bind.push_str(" proto h2"),
        None => {}
    }
    let mut lines = vec![
        "frontend site".to_owned(),
        bind,
        format!("    log-format \"{TAG}{LOG_FORMAT}\""),
        "    http-request set-var(sess.requests) var(sess.requests,0),add(1)".to_owned(),
        // When the request is logged, the handshake is over, and nothing is early any more.
        "    http-request set-var(txn.early) ssl_fc_has_early".to_owned(),
        "    http-after-response set-var(txn.length) res.fhdr(content-length)".to_owned(),
    ];
    if let Some(value) = &site.padding {
        lines.push(format!("    http-after-response set-header {PADDING} {value}"));
    }
    match site.page {
        Page::Static => {
            let file = quoted(place.root.join(PAGE));
            lines.push(format!("    http-request return status 200 content-type text/html file {file}"));
        }
        Page::FastCgi => {
            let socket = quoted(format!("unix@{}", place.application.display()));
            lines.push("    default_backend application".to_owned());
            lines.extend(["fcgi-app page", "    docroot /", "    no option keep-conn"].map(str::to_owned));
            lines.extend(["backend application", "    use-fcgi-app page"].map(str::to_owned));
            lines.push(format!("    server page {socket} proto fcgi"));
        }
    }
    lines
}

fn tls(site: &Site, params: &Params, place: &Place) -> String {
    let version = params.version;
    let certificate = quoted(&place.both);
    let mut words = format!(" ssl crt {certificate} ssl-min-ver {version} ssl-max-ver {version}");
    words += &match version {
        Version::Tls13 => format!(" ciphersuites {}", openssl::suite(params.suite)),
        // Its own security level would refuse ciphers without encryption.
        _ => format!(" ciphers {}:@SECLEVEL=0", openssl::suite(params.suite)),
    };
    if let Some(groups) = openssl::groups(*params) {
        words += &format!(" curves {groups}");
    }
    words += &format!(" alpn {}", site.http);
    words += match site.resumption {
        Resumption::Full | Resumption::SessionId => " no-tls-tickets",
        Resumption::Ticket | Resumption::Psk => "",
        Resumption::EarlyData => " allow-0rtt",
    };
    words
}

/// HAProxy's own switch for tickets is one of TLS 1.2: in TLS 1.3 OpenSSL issues two, unless it is configured otherwise by its own
/// configuration.
fn library_settings(site: &Site) -> Option<String> {
    site.params.filter(|params| params.version == Version::Tls13)?;
    let tickets = u8::from(site.resumption != Resumption::Full);
    let sections =
        ["openssl_conf = program", "[program]", "ssl_conf = ssl", "[ssl]", "system_default = context"];
    Some(format!("{}\n[context]\nNumTickets = {tickets}\n", sections.join("\n")))
}

#[cfg(test)]
mod tests {
    use tlstax_spec::Suite;

    use super::*;

    #[test]
    fn the_head_is_no_part_of_the_body() {
        let hit = |line| hit(line).unwrap();
        let first = hit("hit 200 1097 1024 1 0 1 TLSv1.3 TLS_AES_128_GCM_SHA256");
        assert_eq!((first.bytes, first.before, first.early), (1024, Some(0), true));
        assert_eq!((first.version, first.suite), (Some(Version::Tls13), Some(Suite::Aes128Gcm)));
        // Cut off in the middle of the body.
        assert_eq!(hit("hit 200 700 1024 2 1 0 TLSv1.3 TLS_AES_128_GCM_SHA256").bytes, 700);
        assert_eq!(hit("hit 200 1097 1024 2 1 0 - -").resumed, Some(true));
        assert_eq!(super::hit("hit 200"), None);
        assert!(!(HAPROXY.is_hit)("[ALERT]    (7101) : config : Fatal errors found in configuration."));
    }
}
