//! Every server as it is installed here.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::print_stdout)]

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use tlstax_measure::accounting;
use tlstax_spec::{
    Direction, Group, Http, Key, PADDING, Page, Params, Resumption, Suite, Tuning, Version, padding_value,
};

use super::{Ground, Program, RunFolder, Running, SERVERS, Site};
use crate::refused::Refused;

pub(super) const TLS_13: Params = Params {
    version: Version::Tls13,
    suite: Suite::Aes128Gcm,
    group: Some(Group::X25519),
    key: Key::EcdsaP256,
};

pub(super) const TLS_12: Params = Params {
    version: Version::Tls12,
    suite: Suite::EcdheEcdsaAes256Gcm,
    group: Some(Group::X25519),
    key: Key::EcdsaP256,
};

pub(super) const DHE: Params = Params {
    version: Version::Tls12,
    suite: Suite::DheRsaAes128Gcm,
    group: Some(Group::Ffdhe2048),
    key: Key::Rsa2048,
};

pub(super) fn site(params: Option<Params>) -> Site {
    Site {
        params,
        resumption: Resumption::Full,
        http: Http::Http1,
        direction: Direction::Download,
        form: false,
        body: 1024,
        padding: None,
        page: Page::Static,
        tuning: Tuning::default(),
    }
}

pub(super) fn pki() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../pki")
}

/// The servers that are installed here; prints which are not tested.
pub(super) fn installed() -> impl Iterator<Item = Program> {
    SERVERS.iter().filter_map(|server| {
        Program::find(server).map_err(|reason| println!("not tested: {}: {reason}", server.id())).ok()
    })
}

/// Starts a server on a folder of its own, which goes with it.
fn start(program: &Program, site: &Site) -> Result<(Running, RunFolder), Refused> {
    start_on(program, site, &[])
}

fn start_in(parent: &Path, program: &Program, site: &Site) -> Result<(Running, RunFolder), Refused> {
    let mut folder = RunFolder::create_in(parent).unwrap();
    let mut ground = Ground { pki: pki(), folder: &mut folder, cpus: Vec::new(), all: Vec::new() };
    Ok((Running::start(program, site, &mut ground)?, folder))
}

/// What was started; none, with a printed reason, where the server or its TLS library has no such thing.
fn supported(
    program: &Program,
    started: Result<(Running, RunFolder), Refused>,
) -> Option<(Running, RunFolder)> {
    let id = program.server.id();
    match started {
        Ok(started) => Some(started),
        Err(Refused::Unsupported(reason)) => {
            println!("not tested: {id}: {reason}");
            None
        }
        Err(refused) => panic!("{id}: {refused:?}"),
    }
}

fn start_on(program: &Program, site: &Site, ports: &[u16]) -> Result<(Running, RunFolder), Refused> {
    let mut folder = RunFolder::create().unwrap();
    let mut ground = Ground { pki: pki(), folder: &mut folder, cpus: Vec::new(), all: Vec::new() };
    let mut ports = ports.iter().copied();
    let port = || {
        let free = || TcpListener::bind("127.0.0.1:0")?.local_addr().map(|address| address.port());
        ports.next().map_or_else(free, Ok)
    };
    let running = Running::start_on(program, site, &mut ground, port)?;
    Ok((running, folder))
}

/// The status and the length of the body of the answer to one request.
fn ask(stream: &mut TcpStream, request: &str) -> (u16, usize) {
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let (mut head, mut byte) = (Vec::new(), [0]);
    while !head.ends_with(b"\r\n\r\n") {
        stream.read_exact(&mut byte).unwrap();
        head.push(byte[0]);
    }
    let head = String::from_utf8(head).unwrap().to_ascii_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length:"));
    let mut body = vec![0; length.map_or(0, |length| length.trim().parse().unwrap())];
    stream.read_exact(&mut body).unwrap();
    (head[9..12].parse().unwrap(), body.len())
}

pub(super) fn ask_once(running: &Running) -> (u16, usize) {
    ask(&mut connect(running), LAST)
}

fn connect(running: &Running) -> TcpStream {
    TcpStream::connect(("127.0.0.1", running.port())).unwrap()
}

const GET: &str = "GET / HTTP/1.1\r\nHost: server.test\r\n\r\n";
const LAST: &str = "GET / HTTP/1.1\r\nHost: server.test\r\nConnection: close\r\n\r\n";

#[test]
fn the_version_is_read() {
    for (id, printed, version) in [
        (
            "apache",
            "Server version: Apache/2.4.71 (Debian)\nServer built:   2026-11-12T08:58:41\n",
            "Apache 2.4.71",
        ),
        (
            "haproxy",
            "HAProxy version 2.6.12-1+deb12u4 2026/10/17 - https://haproxy.org/\nStatus: long-term\n",
            "HAProxy 2.6.12-1+deb12u4",
        ),
        ("lighttpd", "lighttpd/1.4.69 (ssl) - a light and fast webserver\n", "lighttpd 1.4.69"),
        ("caddy", "2.6.2\n", "Caddy 2.6.2"),
        ("caddy", "v2.10.0 h1:abc=\n", "Caddy 2.10.0"),
        ("caddy", "Error: what?", ""),
    ] {
        let server = SERVERS.iter().find(|server| server.id() == id).unwrap();
        assert_eq!((server.product.version)(printed).unwrap_or_default(), version, "{id}");
    }
}

#[test]
fn every_server_answers_and_counts() {
    for program in installed() {
        for body in [0, 1024, 1 << 20] {
            let (mut running, _folder) = start(&program, &Site { body, ..site(None) }).unwrap();
            let id = program.server.id();
            assert_eq!(running.read(0).unwrap().usage.requests, 0, "{id}");
            let mut first = connect(&running);
            for request in [GET, GET, LAST] {
                assert_eq!(ask(&mut first, request), (200, body as usize), "{id}");
            }
            assert_eq!(ask(&mut connect(&running), LAST), (200, body as usize), "{id}");
            let usage = running.read(4).unwrap().usage;
            assert_eq!((usage.requests, usage.connections), (4, 2), "{id}, {body} bytes");
            assert_eq!((usage.bytes, usage.handshakes), (4 * u64::from(body), 0), "{id}");
            assert!(usage.cpu_ns.0 > 0, "{id}");
        }
    }
}

#[test]
fn every_server_adds_a_header_of_so_many_bytes() {
    for program in installed() {
        for (bytes, page) in [(32, Page::Static), (8192, Page::Static), (8192, Page::FastCgi)] {
            let id = program.server.id();
            let site = Site { padding: padding_value(bytes), page, ..site(None) };
            let (mut running, _folder) = start(&program, &site).unwrap();
            let mut stream = connect(&running);
            stream.write_all(LAST.as_bytes()).unwrap();
            let mut response = Vec::new();
            stream.read_to_end(&mut response).unwrap();
            let (head, body) = response.split_at(response.len() - 1024);
            let head = std::str::from_utf8(head).unwrap();
            assert!(head.ends_with("\r\n\r\n"), "{id}, {page}");
            let line = head.lines().find(|line| line.to_ascii_lowercase().starts_with(PADDING)).unwrap();
            assert_eq!(
                (line.len() + "\r\n".len(), body.len()),
                (bytes as usize, 1024),
                "{id}, {page}: {line}"
            );
            let usage = running.read(1).unwrap().usage;
            assert_eq!((usage.requests, usage.bytes), (1, 1024), "{id}: the header is no body");
        }
    }
}

#[test]
fn every_server_passes_on_a_dynamic_page_and_keeps_an_upload() {
    for program in installed() {
        let id = program.server.id();
        let dynamic = start(&program, &Site { page: Page::FastCgi, ..site(None) });
        if let Some((mut running, _folder)) = supported(&program, dynamic) {
            for _ in 0..3 {
                assert_eq!(ask(&mut connect(&running), LAST), (200, 1024), "{id}");
            }
            assert_eq!(running.read(3).unwrap().usage.bytes, 3 * 1024, "{id}");
        }
        let upload = start(&program, &Site { direction: Direction::Upload, body: 0, ..site(None) });
        if let Some((mut running, _folder)) = supported(&program, upload) {
            let head = "PUT /upload HTTP/1.1\r\nHost: server.test\r\nContent-Length: 100000\r\n\r\n";
            let put = head.to_owned() + &"x".repeat(100_000);
            let mut stream = connect(&running);
            assert_eq!(ask(&mut stream, &put).0, 201, "{id}");
            assert_eq!(ask(&mut stream, &put).0, 204, "{id}");
            assert_eq!(running.read(2).unwrap().usage.connections, 1, "{id}");
        }
    }
}

#[test]
fn a_form_is_read_as_a_whole_and_answered_once() {
    for program in installed() {
        let site = Site { direction: Direction::Upload, form: true, body: 0, ..site(None) };
        let Some((mut running, _folder)) = supported(&program, start(&program, &site)) else { continue };
        let head = "POST /upload HTTP/1.1\r\nHost: server.test\r\nContent-Type: multipart/form-data; boundary=b\r\n\
                    Content-Length: 100000\r\n\r\n";
        let mut stream = connect(&running);
        for half in [40_000, 60_000] {
            // The answer must not come before the end of the form.
            stream.write_all((head.to_owned() + &"x".repeat(half)).as_bytes()).unwrap();
            stream.set_read_timeout(Some(Duration::from_millis(50))).unwrap();
            let early = stream.read(&mut [0; 16]).map_err(|error| error.kind());
            assert!(
                matches!(early, Err(std::io::ErrorKind::WouldBlock)),
                "{}: {early:?}",
                program.server.id()
            );
            assert_eq!(ask(&mut stream, &"x".repeat(100_000 - half)).0, 204, "{}", program.server.id());
        }
        let usage = running.read(2).unwrap().usage;
        assert_eq!(
            (usage.requests, usage.connections),
            (2, 1),
            "{}: what it asks itself is no hit",
            program.server.id()
        );
    }
}

#[test]
fn every_server_starts_with_tls_and_leaves_nothing() {
    for program in installed() {
        for params in [TLS_12, TLS_13] {
            let (running, folder) = start(&program, &site(Some(params))).unwrap();
            let (pids, port, path) = (running.processes(), running.port(), folder.folder().path().to_owned());
            assert!(!pids.is_empty() && path.is_dir(), "{}", program.server.id());
            drop((running, folder));
            let left: Vec<_> = pids.iter().filter(|pid| accounting::is_alive(**pid)).collect();
            assert!(left.is_empty() && !path.exists(), "{} left {left:?}", program.server.id());
            assert!(TcpStream::connect(("127.0.0.1", port)).is_err(), "{}", program.server.id());
        }
        assert!(program.version.contains(" with "), "{}", program.version);
    }
}

/// Makes a folder that everybody may enter, as may its parent.
fn create_open(path: &Path) {
    std::fs::create_dir_all(path).unwrap();
    for path in [path.parent().unwrap(), path] {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
}

#[test]
fn d23_paths_are_quoted_in_every_configuration() {
    let folder = tempfile::tempdir().unwrap();
    let place = |program: &Program| {
        let name = r#"a b'c"d\e#(;%20|"#.to_owned();
        let path = folder
            .path()
            .join(program.server.unquotable.iter().fold(name, |name, text| name.replace(text, "_")));
        create_open(&path);
        path
    };
    let dhe = Site { resumption: Resumption::SessionId, ..site(Some(DHE)) };
    let upload = Site { direction: Direction::Upload, body: 0, ..site(None) };
    let sites = [site(None), site(Some(TLS_13)), dhe, Site { page: Page::FastCgi, ..site(None) }, upload];
    for program in installed() {
        let odd = place(&program);
        for site in &sites {
            let is_plain_download = site.params.is_none() && site.direction == Direction::Download;
            let started = supported(&program, start_in(&odd, &program, site));
            if let Some((running, _folder)) = started.filter(|_| is_plain_download) {
                assert_eq!(ask_once(&running), (200, 1024), "{}: {site:?}", program.server.id());
            }
        }
    }
}

#[test]
fn d23_a_path_that_no_quotation_carries_is_refused_with_the_remedy() {
    let folder = tempfile::tempdir().unwrap();
    for program in installed() {
        let unquotable = program.server.unquotable.iter().map(|text| format!("x{text}y"));
        for name in unquotable.chain(["line\nfeed".to_owned()]) {
            let path = folder.path().join(name);
            create_open(&path);
            let refused = start_in(&path, &program, &site(None)).unwrap_err();
            let Refused::Failed(failure) = refused else { panic!("{refused:?}") };
            assert!(failure.message.contains("set TMPDIR"), "{failure:?}");
            assert!(!failure.message.contains('\n'), "{failure:?}");
        }
    }
}

#[test]
fn a_suite_that_the_library_lacks_is_no_failure() {
    let rc4 = Params { suite: Suite::RsaRc4128Md5, group: None, key: Key::Rsa2048, ..TLS_12 };
    let hybrid = Params { group: Some(Group::X25519MlKem768), ..TLS_13 };
    for program in installed() {
        for params in [rc4, hybrid] {
            if supported(&program, start(&program, &site(Some(params)))).is_some() {
                println!("not tested: {} has {params:?}", program.version);
            }
        }
    }
}

#[test]
fn only_words_of_the_tls_library_are_its_refusal() {
    assert!(SERVERS.iter().all(|server| !server.refusals.is_empty()));
    let refusal = |output| super::nginx::NGINX.refusal(output);
    let curves = "nginx: [emerg] SSL_CTX_set1_curves_list(\"X25519MLKEM768\") failed (SSL: error:0A080106)";
    assert_eq!(
        refusal(curves).unwrap(),
        "nginx says: SSL_CTX_set1_curves_list(\"X25519MLKEM768\") failed (SSL: error:0A080106)"
    );
    let haproxy = "[ALERT] (7) : config : Proxy 'site': unable to set SSL cipher list to 'RC4-MD5' for bind '*:1' at [x:18].";
    assert_eq!(refusal(haproxy), None, "each server is known by its own words");
    let refused = super::haproxy::HAPROXY.refusal(haproxy).unwrap();
    assert_eq!(refused, "haproxy says: unable to set SSL cipher list to 'RC4-MD5'");
    assert_eq!(refusal("nginx: [emerg] cannot load certificate \"x\": BIO_new_file() failed"), None);
    assert_eq!(refusal("SSL_CONF_cmd(\"NumTickets\", \"1\") failed"), None);
}

#[test]
fn a_port_that_is_taken_is_not_the_last() {
    for program in installed() {
        let held = TcpListener::bind("127.0.0.1:0").unwrap();
        let taken = held.local_addr().unwrap().port();
        let (running, _folder) = start_on(&program, &site(None), &[taken]).unwrap();
        assert_ne!(running.port(), taken);
        assert_eq!(ask(&mut connect(&running), LAST).0, 200, "{}", program.server.id());
    }
}

#[test]
fn no_port_at_all_is_a_failure_and_no_loss() {
    let Some(program) = installed().next() else { return };
    let held = TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = held.local_addr().unwrap().port();
    let refused = start_on(&program, &site(None), &[taken; 5]).unwrap_err();
    let Refused::Failed(failure) = refused else { panic!("{refused:?}") };
    assert!(!failure.lost && failure.message.contains(&taken.to_string()), "{failure:?}");
}

#[test]
fn a_server_that_is_killed_is_lost_with_its_words() {
    for program in installed() {
        let (mut running, _folder) = start(&program, &site(None)).unwrap();
        let mut stream = connect(&running);
        assert_eq!(ask(&mut stream, GET).0, 200);
        let pids: Vec<String> = running.processes().iter().map(u32::to_string).collect();
        assert!(Command::new("kill").arg("-KILL").args(&pids).status().unwrap().success());
        while !running.is_lost() {
            std::thread::sleep(Duration::from_millis(2));
        }
        let Err(Refused::Failed(failure)) = running.read(1) else { panic!("{}", program.server.id()) };
        assert!(failure.lost && failure.message.contains("signal: 9"), "{failure:?}");
    }
}

#[test]
fn a_worker_process_that_is_killed_before_anything_was_read_is_missed() {
    for program in installed().filter(|program| (program.server.processes)(&site(None)) > 1) {
        let (mut running, _folder) = start(&program, &site(None)).unwrap();
        assert_eq!(ask_once(&running), (200, 1024));
        assert!(!running.is_lost(), "{}: a process of its own has ended", program.server.id());
        let worker = running.processes()[1].to_string();
        assert!(Command::new("kill").args(["-KILL", &worker]).status().unwrap().success());
        assert!(running.is_lost_under_client(), "{}", program.server.id());
    }
}
