//! lighttpd.

use std::path::Path;

use tlstax_names::openssl;
use tlstax_spec::{Direction, Http, PADDING, Page, Params, Resumption, Sessions};

use super::server::{Hit, NO_FORM, Place, Rendered, Server, Site, quoted};
use crate::product::{Product, named};

/// Modules that are packages of their own in some releases, and what needs them.
const TLS_MODULE: &str = "/usr/lib/lighttpd/mod_openssl.so";
const UPLOAD_MODULE: &str = "/usr/lib/lighttpd/mod_webdav.so";

/// What the access log says of each request, before what was configured.
const LOG_FORMAT: &str = "%s %B %H %k %{remote}p";

/// It keeps this number in 16 bits.
const MOST_REQUESTS: u16 = u16::MAX;

/// lighttpd with mod_openssl.
pub const LIGHTTPD: Server = Server {
    modules: &[TLS_MODULE],
    refusals: &["SSL_CONF_cmd Curves ", "SSL_CONF_cmd CipherString ", "SSL_CONF_cmd Ciphersuites "],
    // Without workers the first process serves by itself.
    processes: |site| 1 + usize::from(workers(site)),
    // It takes a backslash for one before a quotation mark only, so two of them stay two.
    unquotable: &["\\"],
    // A connection of HTTP/2 has a line of its own when it ends, with a status that no request has in the end.
    is_hit: |line| !line.starts_with("100 "),
    // By itself it writes every four seconds.
    written_out: Some("logfiles cycled"),
    ..Server::of(
        Product {
            id: "lighttpd",
            about: "lighttpd with mod_openssl, as the distribution has it",
            remedy: "on Debian: apt-get install lighttpd lighttpd-mod-openssl lighttpd-mod-webdav",
            program: "lighttpd",
            version_arguments: &["-v"],
            version: |printed| named("lighttpd", printed, "lighttpd/"),
        },
        lacks,
        render,
        hit,
    )
};

fn lacks(site: &Site) -> Option<String> {
    let is_missing = |module: &str| !Path::new(module).is_file();
    let reason = if site.resumption != Resumption::Full {
        "lighttpd does not tell which connections it has resumed, so nothing on its side proves it"
    } else if site.tuning.sessions == Sessions::PerWorker {
        "lighttpd resumes nothing here: there are no sessions that workers could keep apart"
    } else if site.params.is_some() && site.tuning.tls_buffer > 0 {
        "lighttpd has no setting for the size of records"
    } else if site.params.and_then(openssl::dh_parameters).is_some() {
        "lighttpd lets OpenSSL choose the parameters of DHE by the size of the key, whatever is configured"
    } else if site.params.is_some() && is_missing(TLS_MODULE) {
        "lighttpd lacks its module for TLS; on Debian: apt-get install lighttpd-mod-openssl"
    } else if site.form {
        NO_FORM
    } else if site.direction == Direction::Upload && is_missing(UPLOAD_MODULE) {
        "lighttpd lacks its module for uploads; on Debian: apt-get install lighttpd-mod-webdav"
    } else {
        return None;
    };
    Some(reason.to_owned())
}

fn render(site: &Site, place: &Place) -> Rendered {
    let mut lines = general(site, place);
    lines.extend(content(site, place));
    if let Some(params) = &site.params {
        lines.extend(tls(params, place));
    }
    let files = vec![("lighttpd.conf".to_owned(), lines.join("\n") + "\n")];
    let arguments = ["-D", "-f", &place.file("lighttpd.conf")].map(str::to_owned).to_vec();
    Rendered { files, arguments, ..Rendered::default() }
}

fn hit(line: &str) -> Option<Hit> {
    let mut fields = line.split(' ');
    let mut next = || fields.next();
    let (status, bytes) = (next()?.parse().ok()?, next()?.parse().ok()?);
    let is_http2 = next()?.starts_with("HTTP/2");
    let (count, port) = (next()?.parse::<u64>().ok()?, next()?.parse().ok()?);
    Some(Hit {
        status,
        bytes,
        // In HTTP/2 it counts from 1, and those that have not been answered yet, too.
        before: Some(if is_http2 { count.checked_sub(1)? } else { count }),
        port: is_http2.then_some(port),
        version: openssl::version_of(next()?),
        suite: openssl::suite_of(next()?),
        ..Hit::default()
    })
}

/// What it is configured with: without workers there is one process, and none above it.
fn workers(site: &Site) -> u16 {
    if site.tuning.workers == 1 { 0 } else { site.tuning.workers }
}

fn general(site: &Site, place: &Place) -> Vec<String> {
    let mut modules = vec!["mod_accesslog"];
    modules.extend(site.params.map(|_| "mod_openssl"));
    modules.extend((site.page == Page::FastCgi).then_some("mod_fastcgi"));
    modules.extend(site.padding.as_ref().map(|_| "mod_setenv"));
    modules.extend((site.direction == Direction::Upload).then_some("mod_webdav"));
    let modules: Vec<_> = modules.iter().map(|module| format!("\"{module}\"")).collect();
    let http2 = if site.http == Http::Http2 { "enable" } else { "disable" };
    // No static file is logged with what was negotiated, so this is what was configured; nothing else can be.
    let negotiated = site
        .params
        .map(|params| format!("{} {}", openssl::protocol(params.version), openssl::suite(params.suite)));
    let negotiated = negotiated.as_deref().unwrap_or("- -");
    vec![
        format!("server.modules = ( {} )", modules.join(", ")),
        "server.bind = \"127.0.0.1\"".to_owned(),
        format!("server.port = {}", place.port),
        format!("server.max-worker = {}", workers(site)),
        "server.max-fds = 65536".to_owned(),
        "server.max-connections = 16384".to_owned(),
        "server.listen-backlog = 4096".to_owned(),
        format!("server.max-keep-alive-requests = {MOST_REQUESTS}"),
        "server.max-keep-alive-idle = 300".to_owned(),
        "server.max-read-idle = 300".to_owned(),
        "server.max-write-idle = 300".to_owned(),
        format!(
            "server.feature-flags = ( \"server.h2proto\" => \"{http2}\", \"server.h2c\" => \"{http2}\" )"
        ),
        format!("accesslog.filename = {}", quoted(&place.log)),
        format!("accesslog.format = \"{LOG_FORMAT} {negotiated}\""),
    ]
}

fn content(site: &Site, place: &Place) -> Vec<String> {
    let root =
        if site.direction == Direction::Upload { place.own.join("uploads") } else { place.root.clone() };
    let backend = if site.tuning.sendfile { "sendfile" } else { "writev" };
    let mut lines = vec![
        format!("server.document-root = {}", quoted(root)),
        format!("server.upload-dirs = ( {} )", quoted(&place.own)),
        format!("server.network-backend = \"{backend}\""),
        "index-file.names = ( \"index.html\" )".to_owned(),
        "mimetype.assign = ( \"\" => \"text/html\" )".to_owned(),
    ];
    let padding = |value| format!("setenv.add-response-header = ( \"{PADDING}\" => \"{value}\" )");
    lines.extend(site.padding.as_ref().map(padding));
    if site.direction == Direction::Upload {
        // A file is put, and replaced by the next.
        lines.push("webdav.activate = \"enable\"".to_owned());
    } else if site.page == Page::FastCgi {
        let socket = quoted(&place.application);
        lines.push(format!(
            "fastcgi.server = ( \"/\" => (( \"socket\" => {socket}, \"check-local\" => \"disable\" )) )"
        ));
    }
    lines
}

fn tls(params: &Params, place: &Place) -> Vec<String> {
    let version = openssl::protocol(params.version).to_owned();
    let mut commands = vec![
        ("MinProtocol", version.clone()),
        ("MaxProtocol", version),
        ("Options", "-SessionTicket".to_owned()),
    ];
    commands.extend(openssl::commands(*params, 0));
    let commands: Vec<_> =
        commands.into_iter().map(|(name, value)| format!("\"{name}\" => \"{value}\"")).collect();
    vec![
        "ssl.engine = \"enable\"".to_owned(),
        format!("ssl.pemfile = {}", quoted(&place.certificate)),
        format!("ssl.privkey = {}", quoted(&place.key)),
        format!("ssl.openssl.ssl-conf-cmd = ( {} )", commands.join(", ")),
    ]
}

#[cfg(test)]
mod tests {
    use tlstax_spec::{Suite, Version};

    use super::*;

    #[test]
    fn streams_are_distinguished_from_connections() {
        let hit = |line| hit(line).unwrap();
        let first = hit("200 1024 HTTP/1.1 0 34946 TLSv1.3 TLS_AES_128_GCM_SHA256");
        assert_eq!((first.bytes, first.before, first.port), (1024, Some(0), None));
        assert_eq!((first.version, first.suite), (Some(Version::Tls13), Some(Suite::Aes128Gcm)));
        let stream = hit("200 1024 HTTP/2.0 3 34964 - -");
        assert_eq!((stream.before, stream.port, stream.version), (Some(2), Some(34964), None));
        assert!(!(LIGHTTPD.is_hit)("100 3324 HTTP/2.0 3 34964 - -"));
        assert_eq!(super::hit("200 1024 HTTP/2.0 0 34964 - -"), None);
    }
}
