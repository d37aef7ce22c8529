//! Servers that run already: one of this test process that answers as it is told to, and a real nginx.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};

use serde_json::Value;

use crate::needs::{NGINX, are_there};
use crate::processes::within;
use crate::run::Run;
use crate::stage::{Stage, allow, block, root};

const LEAN: &str = "target/workers/bin/lean";

/// A stage with the lean client and no library.
pub fn stage() -> Stage {
    let stage = Stage::with(&[]);
    register(&stage, LEAN);
    stage
}

/// The same, where the client was built.
pub fn with_client() -> Option<Stage> {
    are_there(&[&root().join(LEAN)]).then(stage)
}

/// The same, where there is nginx, too.
pub fn with_nginx() -> Option<Stage> {
    are_there(&[&root().join(LEAN), Path::new(NGINX)]).then(stage)
}

/// Registers a program as the lean client, and nothing else.
pub fn register(stage: &Stage, program: &str) {
    stage.write("registry.toml", block("lean", &format!("program = [\"{program}\"]")));
}

/// `tlstax load --server` with these flags, on one connection.
pub fn load(stage: &Stage, server: SocketAddr, more: &str) -> Run {
    Run::of(&mut command(stage, server, more.split_whitespace()))
}

/// The same to its end, with what was written.
#[track_caller]
pub fn measured(stage: &Stage, server: SocketAddr, more: &str) -> (Run, Value) {
    stage.with_results(load(stage, server, more), "load")
}

/// The same of one case, which is measured.
#[track_caller]
pub fn is_measured(stage: &Stage, server: SocketAddr, more: &str) -> (Run, Value) {
    let (run, results) = measured(stage, server, more);
    let all = results["measurements"].as_array().unwrap();
    assert!(all.len() == 1 && all[0]["outcome"]["is"] == "measured", "{results} {run}");
    (run.ends(0), results)
}

pub fn command<'a>(stage: &Stage, server: SocketAddr, more: impl IntoIterator<Item = &'a str>) -> Command {
    let (server, more) = (server.to_string(), more.into_iter().collect::<Vec<_>>());
    let mut command = stage.command(["load", "--server", &server, "-o", "load"].iter().chain(&more));
    for (flag, value) in [("--budget", "60s"), ("--precision", "100"), ("--connections", "1")] {
        if !more.contains(&flag) {
            command.args([flag, value]);
        }
    }
    command
}

/// A request as a server got it.
#[derive(Debug, Clone)]
pub struct Asked {
    pub line: String,
    pub host: String,
    pub body: usize,
    /// Of all connections so far, its own.
    pub connection: usize,
}

/// A server in this process, which is never taken for the server's own process: tlstax comes from it.
pub struct Answering {
    pub address: SocketAddr,
    pub asked: Arc<Mutex<Vec<Asked>>>,
    pub connections: Arc<Mutex<usize>>,
}

impl Answering {
    /// Answers each request with a head and so many bytes; a head of HTTP/1.0 closes. The threads end with the process.
    pub fn with(answer: impl Fn(&Asked) -> (String, usize) + Send + Sync + 'static) -> Self {
        Self::at("127.0.0.1".parse().unwrap(), answer)
    }

    /// The same at another address of this machine.
    pub fn at(ip: IpAddr, answer: impl Fn(&Asked) -> (String, usize) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind((ip, 0)).unwrap();
        let server = Self {
            address: listener.local_addr().unwrap(),
            asked: Arc::default(),
            connections: Arc::default(),
        };
        let (asked, connections, answer) =
            (server.asked.clone(), server.connections.clone(), Arc::new(answer));
        std::thread::spawn(move || {
            for socket in listener.incoming().filter_map(Result::ok) {
                *connections.lock().unwrap() += 1;
                let (asked, connection, answer) =
                    (asked.clone(), *connections.lock().unwrap(), answer.clone());
                std::thread::spawn(move || serve(socket, connection, &asked, &*answer));
            }
        });
        server
    }

    /// Answers with so many bytes.
    pub fn well(body: usize) -> Self {
        Self::with(move |_| (format!("HTTP/1.1 200 OK\r\nContent-Length: {body}\r\n\r\n"), body))
    }
}

fn serve(
    socket: TcpStream,
    connection: usize,
    asked: &Mutex<Vec<Asked>>,
    answer: &dyn Fn(&Asked) -> (String, usize),
) -> Option<()> {
    let mut reader = BufReader::new(socket.try_clone().ok()?);
    let mut writer = socket;
    loop {
        let mut head: Vec<String> = Vec::new();
        while head.last().is_none_or(|line| !line.is_empty()) {
            let mut line = Vec::new();
            // What is no text is no request: a ClientHello, for one.
            if reader.read_until(b'\n', &mut line).ok()? == 0 {
                return None;
            }
            head.push(String::from_utf8(line).ok()?.trim_end().to_owned());
        }
        let value = |name: &str| {
            let line = head.iter().find_map(|line| line.strip_prefix(name));
            line.map(str::trim).unwrap_or_default().to_owned()
        };
        let mut body = vec![0; value("Content-Length:").parse().unwrap_or(0)];
        reader.read_exact(&mut body).ok()?;
        let is_last = value("Connection:") == "close";
        let one = Asked { line: head[0].clone(), host: value("Host:"), body: body.len(), connection };
        asked.lock().unwrap().push(one.clone());
        let (mut response, size) = answer(&one);
        if is_last {
            response = response.replacen("\r\n", "\r\nConnection: close\r\n", 1);
        }
        let closes = is_last || response.starts_with("HTTP/1.0");
        let mut response = response.into_bytes();
        response.resize(response.len() + size, b'.');
        writer.write_all(&response).ok()?;
        if closes {
            return None;
        }
    }
}

/// A real nginx that serves one file over TLS; it ends with this value.
pub struct Nginx {
    child: Child,
    pub address: SocketAddr,
}

impl Nginx {
    /// Listens where it is told, with these directives in its server block.
    pub fn start(stage: &Stage, name: &str, address: SocketAddr, directives: &str) -> Self {
        let folder = stage.path(name);
        stage.write(&format!("{name}/www/index.html"), "hello\n");
        // Its processes may be of another user.
        for path in [stage.path(""), folder.clone(), folder.join("www")] {
            allow(&path, 0o755);
        }
        let (here, pki) = (folder.display(), root().join("pki/rsa-2048"));
        let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map(|kind| format!("{kind}_temp_path {here}/{kind}; "))
            .concat();
        let configuration = format!(
            "daemon off; pid {here}/pid; error_log {here}/error.log; events {{}}\n\
             http {{ access_log off; keepalive_requests 1000000; {temporary}\n\
             server {{ ssl_certificate {pki}/server-2.pem; ssl_certificate_key {pki}/server.key; root {here}/www;\n\
             {directives} }} }}\n",
            pki = pki.display()
        );
        stage.write(&format!("{name}/nginx.conf"), configuration);
        let mut command = Command::new(NGINX);
        command.arg("-e").arg(folder.join("error.log")).arg("-c").arg(folder.join("nginx.conf"));
        let child = command.stdin(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let server = Self { child, address };
        let is_up = within(10, || TcpStream::connect(address).is_ok());
        assert!(is_up, "nginx: {}", stage.read(&format!("{name}/error.log")));
        server
    }

    /// One that speaks these versions of TLS on a free port of loopback.
    pub fn tls(stage: &Stage, versions: &str) -> Self {
        let address = free();
        let directives = format!("listen {address} ssl http2; ssl_protocols {versions};");
        Self::start(stage, "nginx", address, &directives)
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // SIGTERM, so that its workers end too.
        let _ = Command::new("kill").arg(self.pid().to_string()).status();
        let _ = self.child.wait();
    }
}

/// An address of loopback where nothing listens.
pub fn free() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}
