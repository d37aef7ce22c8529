//! Apache httpd.

use tlstax_names::openssl;
use tlstax_spec::{Direction, Http, PADDING, Page, Params, Resumption, Sessions};

use super::server::{APPLICATION, Hit, NO_FORM, Place, Rendered, Server, Site, quoted};
use crate::product::{Product, named};

/// Threads of each worker process: as many as Apache allows by default. A thread has a connection while
/// it reads a request and makes the response, and not while it waits for the next.
const THREADS: u32 = 64;

/// Connections that a process takes beside, for each thread that is free: 16,384 with [`THREADS`].
const WAITING_PER_THREAD: u32 = 256;

/// Written when all modules are content with what was configured.
const PID_FILE: &str = "apache.pid";

/// The chain with the parameters for DHE, which it takes from nowhere else.
const CHAIN_FILE: &str = "chain.pem";

/// Where Debian keeps its modules.
const ROOT: &str = "/usr/lib/apache2";

/// What the access log says of each request, before what mod_ssl says. In HTTP/2 the count of requests is that of something
/// else, and the number of the stream tells the first: clients begin with 1 (RFC 9113 5.1.1).
const LOG_FORMAT: &str = "%>s %B %k %{H2_STREAM_ID}e";
const LOG_FORMAT_TLS: &str = "%{SSL_SESSION_RESUMED}x %{SSL_PROTOCOL}x %{SSL_CIPHER}x";

/// Apache with the event MPM and mod_ssl.
pub const APACHE: Server = Server {
    // mod_http2 logs a stream when it cleans up behind it, which is when the connection wakes up the next time.
    lags: |site| site.http == Http::Http2,
    modules: &["/usr/lib/apache2/modules/mod_ssl.so"],
    compression: Some("SSLCompression on"),
    refusals: &[
        "\"SSLOpenSSLConfCmd Curves ",
        "\"SSLOpenSSLConfCmd CipherString ",
        "\"SSLOpenSSLConfCmd Ciphersuites ",
    ],
    processes: |site| 1 + usize::from(site.tuning.workers),
    // Variables.
    unquotable: &["${"],
    // It listens before its modules are set up, which may be its end.
    is_ready: |place| place.own.join(PID_FILE).exists(),
    ..Server::of(
        Product {
            id: "apache",
            about: "Apache httpd with the event MPM, as the distribution has it",
            remedy: "on Debian: apt-get install apache2-bin",
            program: "apache2",
            version_arguments: &["-v"],
            version: |printed| named("Apache", printed, "Apache/"),
        },
        lacks,
        render,
        hit,
    )
};

fn lacks(site: &Site) -> Option<String> {
    let reason = if site.resumption == Resumption::EarlyData {
        "Apache does not take early data"
    } else if site.tuning.sessions == Sessions::PerWorker {
        "the workers of Apache have the same cache and the same ticket keys, whatever is configured"
    } else if site.params.is_some() && site.tuning.tls_buffer > 0 {
        "Apache has no setting for the size of records"
    } else if site.form {
        NO_FORM
    } else {
        return None;
    };
    Some(reason.to_owned())
}

fn render(site: &Site, place: &Place) -> Rendered {
    let mut lines = modules(site);
    lines.extend(processes(site));
    lines.extend(content(site, place));
    if let Some(params) = &site.params {
        lines.extend(tls(site, params, place));
    }
    let mut files = vec![("apache.conf".to_owned(), lines.join("\n") + "\n")];
    if let Some(dh) = site.params.and_then(openssl::dh_parameters) {
        // A chain that cannot be read has no certificate, and Apache says so.
        let chain = std::fs::read_to_string(&place.certificate).unwrap_or_default();
        files.push((CHAIN_FILE.to_owned(), chain + dh));
    }
    let arguments = ["-DFOREGROUND", "-f", &place.file("apache.conf")].map(str::to_owned).to_vec();
    Rendered { files, arguments, ..Rendered::default() }
}

fn hit(line: &str) -> Option<Hit> {
    let mut fields = line.split(' ');
    let mut next = || fields.next();
    let (status, bytes) = (next()?.parse().ok()?, next()?.parse().ok()?);
    let (count, stream) = (next()?.parse().ok()?, next()?);
    let before = if stream == "-" { count } else { stream.parse::<u64>().ok()?.checked_sub(1)? };
    Some(Hit {
        status,
        bytes,
        before: Some(before),
        resumed: Some(next()? == "Resumed"),
        version: openssl::version_of(next()?),
        suite: openssl::suite_of(next()?),
        ..Hit::default()
    })
}

fn modules(site: &Site) -> Vec<String> {
    let wanted = [
        ("mpm_event", true),
        ("authz_core", true),
        ("dir", true),
        ("ssl", site.params.is_some()),
        ("socache_shmcb", site.resumption == Resumption::SessionId),
        ("http2", site.http == Http::Http2),
        ("headers", site.padding.is_some()),
        ("proxy", site.page == Page::FastCgi),
        ("proxy_fcgi", site.page == Page::FastCgi),
        ("env", site.page == Page::FastCgi),
        ("dav", site.direction == Direction::Upload),
        ("dav_fs", site.direction == Direction::Upload),
    ];
    let lines = wanted.into_iter().filter(|(_, is_wanted)| *is_wanted);
    let root = format!("ServerRoot {ROOT}");
    let load = |(name, _): (&str, bool)| format!("LoadModule {name}_module modules/mod_{name}.so");
    [root].into_iter().chain(lines.map(load)).collect()
}

fn processes(site: &Site) -> Vec<String> {
    let workers = u32::from(site.tuning.workers);
    let all = workers * THREADS;
    vec![
        format!("ServerLimit {workers}"),
        format!("StartServers {workers}"),
        format!("ThreadsPerChild {THREADS}"),
        format!("MaxRequestWorkers {all}"),
        // All of them from the beginning to the end: no process is started or ended for want or excess of idle threads.
        "MinSpareThreads 1".to_owned(),
        format!("MaxSpareThreads {all}"),
        "MaxConnectionsPerChild 0".to_owned(),
        format!("AsyncRequestWorkerFactor {WAITING_PER_THREAD}"),
        "Mutex pthread".to_owned(),
    ]
}

fn content(site: &Site, place: &Place) -> Vec<String> {
    let root =
        if site.direction == Direction::Upload { place.own.join("uploads") } else { place.root.clone() };
    let http = match (site.http, site.params) {
        (Http::Http1, _) => "http/1.1",
        (Http::Http2, Some(_)) => "h2",
        // With prior knowledge a connection begins as one of HTTP/1.1.
        (Http::Http2, None) => "h2c http/1.1",
    };
    let negotiated = if site.params.is_some() { LOG_FORMAT_TLS } else { "- - -" };
    let mut lines = vec![
        "ServerName server.test".to_owned(),
        format!("PidFile {}", quoted(place.own.join(PID_FILE))),
        format!("Listen 127.0.0.1:{}", place.port),
        "ListenBacklog 4096".to_owned(),
        format!("ErrorLog {}", quoted(place.own.join("error.log"))),
        format!("LogFormat \"{LOG_FORMAT} {negotiated}\" tlstax"),
        // A write for each request: BufferedLogs would keep lines until its buffer is full.
        format!("CustomLog {} tlstax", quoted(&place.log)),
        format!("DocumentRoot {}", quoted(root)),
        "DirectoryIndex index.html".to_owned(),
        format!("EnableSendfile {}", on(site.tuning.sendfile)),
        format!("Protocols {http}"),
        "KeepAlive On".to_owned(),
        "KeepAliveTimeout 300".to_owned(),
        "MaxKeepAliveRequests 0".to_owned(),
        "Timeout 300".to_owned(),
    ];
    lines.extend(site.padding.iter().map(|value| format!("Header set {PADDING} {value}")));
    if site.direction == Direction::Upload {
        // A file is put, and replaced by the next.
        let locks = quoted(place.own.join("locks"));
        lines.push(format!("DavLockDB {locks}\nLimitRequestBody 0\n<Location />\n    Dav On\n</Location>"));
    } else if site.page == Page::FastCgi {
        // It would leave out the length that the program tells, and send the page in chunks.
        lines.push("SetEnv ap_trust_cgilike_cl 1".to_owned());
        // A path after `unix:` is read as that of a URL, in which every other character means something: so the folder is
        // said elsewhere.
        lines.push(format!("DefaultRuntimeDir {}", quoted(&place.own)));
        lines.push(format!("ProxyPass / unix:{APPLICATION}|fcgi://localhost/"));
    }
    lines
}

fn tls(site: &Site, params: &Params, place: &Place) -> Vec<String> {
    let tickets = matches!(site.resumption, Resumption::Ticket | Resumption::Psk);
    let cache = match site.resumption {
        Resumption::SessionId => quoted(format!("shmcb:{}(16777216)", place.own.join("sessions").display())),
        _ => "none".to_owned(),
    };
    let chain = match openssl::dh_parameters(*params) {
        Some(_) => quoted(place.folder.join(CHAIN_FILE)),
        None => quoted(&place.certificate),
    };
    let mut lines = vec![
        "SSLEngine on".to_owned(),
        format!("SSLCertificateFile {chain}"),
        format!("SSLCertificateKeyFile {}", quoted(&place.key)),
        format!("SSLProtocol {}", openssl::protocol(params.version)),
        "SSLHonorCipherOrder on".to_owned(),
        format!("SSLSessionTickets {}", on(tickets)),
        format!("SSLSessionCache {cache}"),
        "SSLSessionCacheTimeout 3600".to_owned(),
    ];
    let commands = openssl::commands(*params, u8::from(tickets));
    lines.extend(commands.into_iter().map(|(name, value)| format!("SSLOpenSSLConfCmd {name} {value}")));
    lines
}

const fn on(is_on: bool) -> &'static str {
    if is_on { "On" } else { "Off" }
}

#[cfg(test)]
mod tests {
    use tlstax_spec::{Suite, Version};

    use super::*;

    #[test]
    fn requests_are_read_from_both_versions_of_http() {
        let hit = |line: &str| hit(line).unwrap();
        let first = hit("200 1024 0 - Initial TLSv1.3 TLS_AES_128_GCM_SHA256");
        assert_eq!(
            (first.status, first.bytes, first.before, first.resumed),
            (200, 1024, Some(0), Some(false))
        );
        assert_eq!((first.version, first.suite), (Some(Version::Tls13), Some(Suite::Aes128Gcm)));
        let later = hit("404 0 7 - Resumed TLSv1.2 ECDHE-RSA-AES128-GCM-SHA256");
        assert_eq!((later.before, later.resumed, later.version), (Some(7), Some(true), Some(Version::Tls12)));
        let stream =
            |number| hit(&format!("200 1024 1 {number} Initial TLSv1.3 TLS_AES_128_GCM_SHA256")).before;
        assert_eq!((stream(1), stream(3)), (Some(0), Some(2)));
        assert_eq!(hit("200 1024 0 - - - -").version, None);
        assert_eq!((super::hit("200 1024"), super::hit("200 1024 0 0 - - -")), (None, None));
    }
}
