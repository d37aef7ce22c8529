//! A capture of one port of loopback.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Stdio};
use std::time::Duration;

use crate::needs::not_tested;
use crate::processes::{signal, within};

pub struct Tcpdump {
    child: Child,
    errors: BufReader<ChildStderr>,
}

impl Tcpdump {
    /// Captures into a file from now on; none, with a printed reason, where that cannot be done.
    pub fn start(file: &Path, port: u16) -> Option<Self> {
        let mut command = Command::new("tcpdump");
        // As who it is, so that it can write where we can; with room for what comes while it is not running, where each packet takes
        // as much as the longest may: handshakes are whole, and large records are cut.
        let room = ["-B", "131072", "-s", "4096"];
        command.args(["-i", "lo", "-Z", "root"]).args(room).args(["-U", "--immediate-mode", "-w"]).arg(file);
        command.args(["tcp", "port", &port.to_string()]);
        let Ok(mut child) = command.stdin(Stdio::null()).stderr(Stdio::piped()).spawn() else {
            not_tested("tcpdump is missing; scripts/test.sh installs it");
            return None;
        };
        let mut errors = BufReader::new(child.stderr.take().unwrap());
        let mut said = String::new();
        while !said.contains("listening on") {
            let mut line = String::new();
            if errors.read_line(&mut line).unwrap() == 0 {
                child.wait().unwrap();
                not_tested(format!("tcpdump captures nothing here: {}", said.trim()));
                return None;
            }
            said += &line;
        }
        Some(Self { child, errors })
    }

    /// Ends the capture when nothing more is written to its file; it must have every packet.
    pub fn end(mut self, file: &Path) {
        let mut written = 0;
        let is_settled = within(10, || {
            std::thread::sleep(Duration::from_millis(200));
            let before = std::mem::replace(&mut written, fs::metadata(file).unwrap().len());
            before == written
        });
        assert!(is_settled, "{} goes on growing", file.display());
        signal("-INT", self.child.id());
        self.child.wait().unwrap();
        let mut said = String::new();
        self.errors.read_to_string(&mut said).unwrap();
        assert!(said.contains("\n0 packets dropped by kernel"), "{said}");
    }
}

impl Drop for Tcpdump {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
