//! Real servers with two files, each with the log that `tlstax traffic --suggest` asks for.

use std::fs;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::needs::are_there;
use crate::processes::within;
use crate::running_server::free;
use crate::stage::{Stage, allow, root};

/// The files of each server, and their sizes.
pub const SMALL: (&str, u64) = ("/small", 1_024);
pub const LARGE: (&str, u64) = ("/large", 102_400);

/// A server that can be started here.
pub struct Server {
    pub id: &'static str,
    pub program: &'static str,
    /// What its log tells of a connection.
    pub tells: &'static [&'static str],
    /// Whether it tells which requests are the first of their connections.
    pub tells_connections: bool,
    /// Its configuration by what is suggested, and the words that it is started with.
    pub(super) configuration: fn(&Place, &str) -> String,
    pub(super) arguments: fn(&Place) -> Vec<String>,
    /// Whether its standard output is its log.
    pub(super) logs_to_output: bool,
}

/// Where a server has its files.
pub struct Place {
    pub folder: PathBuf,
    pub port: u16,
}

impl Place {
    pub fn path(&self, name: &str) -> String {
        self.folder.join(name).display().to_string()
    }

    pub fn log(&self) -> PathBuf {
        self.folder.join("access.log")
    }

    pub fn configuration(&self) -> PathBuf {
        self.folder.join("configuration")
    }
}

/// A server that runs; it ends with this value.
pub struct Site {
    child: Child,
    pub place: Place,
}

impl Server {
    /// Starts it; none, with a printed reason, where it is not installed.
    pub fn start(&self, stage: &Stage) -> Option<Site> {
        are_there(&[Path::new(self.program)]).then(|| {
            let place = Place { folder: stage.path(self.id), port: free().port() };
            write_files(stage, self.id);
            let suggested = stage.run(&format!("traffic --suggest {}", self.id)).ends(0).stdout;
            fs::write(place.configuration(), (self.configuration)(&place, &suggested)).unwrap();
            let mut command = Command::new(self.program);
            command.args((self.arguments)(&place)).env("HOME", &place.folder).stdin(Stdio::null());
            let create = |name: &str| fs::File::create(place.folder.join(name)).unwrap();
            command.stderr(create("errors"));
            command.stdout(create(if self.logs_to_output { "access.log" } else { "output" }));
            let site = Site { child: command.spawn().unwrap(), place };
            let is_up = within(10, || TcpStream::connect(("127.0.0.1", site.place.port)).is_ok());
            assert!(is_up, "{}: {}", self.id, stage.read(&format!("{}/errors", self.id)));
            site
        })
    }
}

/// What is served, and the certificate with its key in one file.
fn write_files(stage: &Stage, id: &str) {
    for (path, size) in [SMALL, LARGE] {
        stage.write(&format!("{id}/www{path}"), vec![b'.'; usize::try_from(size).unwrap()]);
    }
    let pki = root().join("pki/ecdsa-p256");
    let both = ["server-2.pem", "server.key"].map(|name| fs::read_to_string(pki.join(name)).unwrap());
    stage.write(&format!("{id}/both.pem"), both.concat());
    // Its processes may be of another user.
    for name in ["", id, &format!("{id}/www")] {
        allow(&stage.path(name), 0o755);
    }
}

impl Site {
    /// Ends the server when it has so many lines in its log: it writes the last ones after its responses. lighttpd keeps them until
    /// its end.
    pub fn end(mut self, lines: u64) -> Place {
        let log = self.place.log();
        let has_all = || fs::read_to_string(&log).is_ok_and(|text| text.lines().count() as u64 >= lines);
        let _ = within(2, has_all);
        self.stop();
        Place { folder: self.place.folder.clone(), port: self.place.port }
    }

    fn stop(&mut self) {
        // SIGTERM, so that its workers end too.
        let _ = Command::new("kill").arg(self.child.id().to_string()).stderr(Stdio::null()).status();
        let _ = self.child.wait();
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            self.stop();
        }
    }
}

/// The lines of a suggestion that begin with a word.
pub fn lines_of(suggested: &str, word: &str) -> String {
    let lines: Vec<_> = suggested.lines().filter(|line| line.trim_start().starts_with(word)).collect();
    assert!(!lines.is_empty(), "nothing begins with {word} in what is suggested: {suggested}");
    lines.join("\n")
}
