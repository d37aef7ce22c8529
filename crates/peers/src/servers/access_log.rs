//! The account of a server: its access log, read as it grows.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read};
use std::time::Duration;

use tlstax_measure::folder::Folder;
use tlstax_measure::signal;
use tlstax_spec::wire::Usage;

use super::server::{Hit, Server};

/// How long a server may take to write down what it has served: servers gather lines.
const PATIENCE_STEPS: u32 = 1000;
const STEP: Duration = Duration::from_millis(2);

/// How often a server that holds lines back is signalled to write them, in steps: it may have served more since.
const URGE_STEPS: u32 = 50;

/// A log that has not grown for so many steps is complete: several times as long as any server here gathers lines.
const SETTLED_STEPS: u32 = 20;

#[derive(Debug)]
pub struct AccessLog {
    server: &'static Server,
    folder: Folder,
    name: &'static str,
    file: Option<File>,
    /// The beginning of a line whose end has not been written yet.
    rest: Vec<u8>,
    counted: Usage,
    /// Ports on which a connection is open, of servers that do not tell connections apart otherwise.
    open: HashSet<u16>,
    /// A request that was not answered as it should be: the first status other than 2xx.
    refused: Option<u16>,
}

impl AccessLog {
    /// A log of this name, that the server has not begun, perhaps.
    pub fn new(server: &'static Server, folder: Folder, name: &'static str) -> Self {
        Self {
            server,
            folder,
            name,
            file: None,
            rest: Vec::new(),
            counted: Usage::default(),
            open: HashSet::new(),
            refused: None,
        }
    }

    /// What was counted so far, without looking for more.
    pub fn counted(&self) -> &Usage {
        &self.counted
    }

    /// The first status in the log that is no success.
    pub fn take_refused(&mut self) -> Option<u16> {
        self.refused.take()
    }

    /// Reads on until so many requests are counted in all, or the server had two seconds to write them down, which it is urged
    /// to do.
    ///
    /// # Errors
    /// The log cannot be read, or holds what the server's own format does not explain.
    pub fn read_until(&mut self, requests: u64, mut urge: impl FnMut()) -> io::Result<()> {
        for step in 0..PATIENCE_STEPS {
            self.read()?;
            if self.counted.requests >= requests || signal::interrupted() {
                break;
            }
            if step % URGE_STEPS == 0 {
                urge();
            }
            std::thread::sleep(STEP);
        }
        Ok(())
    }

    /// Reads on until nothing more comes, where it is not known how much there is.
    ///
    /// # Errors
    /// As of [`Self::read_until`].
    pub fn settle(&mut self, mut urge: impl FnMut()) -> io::Result<()> {
        for _ in 0..PATIENCE_STEPS / SETTLED_STEPS {
            urge();
            let before = self.counted.requests;
            for _ in 0..SETTLED_STEPS {
                std::thread::sleep(STEP);
                self.read()?;
            }
            if self.counted.requests == before || signal::interrupted() {
                break;
            }
        }
        Ok(())
    }

    /// Drops the ports on which no connection is open any more: a client may close without saying so, and another may get its port.
    pub fn forget_closed(&mut self, open: impl FnOnce() -> HashSet<u16>) {
        if !self.open.is_empty() {
            let open = open();
            self.open.retain(|port| open.contains(port));
        }
    }

    fn read(&mut self) -> io::Result<()> {
        if self.file.is_none() {
            match self.folder.read(self.name) {
                Ok(file) => self.file = Some(file),
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
                Err(error) => return Err(error),
            }
        }
        let Some(file) = &mut self.file else { return Ok(()) };
        let mut bytes = std::mem::take(&mut self.rest);
        file.read_to_end(&mut bytes)?;
        let end = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        self.rest = bytes.split_off(end);
        for line in String::from_utf8_lossy(&bytes).lines().filter(|line| (self.server.is_hit)(line)) {
            let hit = (self.server.hit)(line).ok_or_else(|| {
                io::Error::new(
                    io::ErrorKind::InvalidData,
                    format!("a line of the access log is not understood: {line}"),
                )
            })?;
            self.count(&hit);
        }
        Ok(())
    }

    fn count(&mut self, hit: &Hit) {
        let is_first = self.is_first(hit);
        let counted = &mut self.counted;
        counted.requests += 1;
        counted.bytes += hit.bytes;
        counted.connections += u64::from(is_first);
        if !(200..300).contains(&hit.status) {
            self.refused = self.refused.or(Some(hit.status));
        }
        if hit.version.is_none() {
            return;
        }
        if is_first {
            counted.handshakes += 1;
            counted.resumed += u64::from(hit.resumed == Some(true));
            counted.early += u64::from(hit.early);
        }
        counted.version = hit.version;
        counted.suite = hit.suite;
        counted.group = hit.group.or(counted.group);
    }

    /// Whether the request is the first on its connection.
    fn is_first(&mut self, hit: &Hit) -> bool {
        let Some(port) = hit.port else { return hit.before == Some(0) };
        let is_new = if hit.is_last { !self.open.remove(&port) } else { self.open.insert(port) };
        is_new || hit.before == Some(0)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use tlstax_spec::{Group, Suite, Version};

    use super::super::nginx::NGINX;
    use super::*;

    /// A log in a folder, and a hand that writes it.
    fn log() -> (AccessLog, File, tempfile::TempDir) {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::open(place.path()).unwrap();
        let file = folder.create("access.log").unwrap();
        (AccessLog::new(&NGINX, folder, "access.log"), file, place)
    }

    #[test]
    fn lines_are_counted_as_they_come() {
        let (mut log, mut file, _place) = log();
        let line = "200 1024 1 . - TLSv1.3 TLS_AES_128_GCM_SHA256 X25519\n";
        write!(file, "{line}{}", &line[..20]).unwrap();
        log.read_until(1, || ()).unwrap();
        assert_eq!((log.counted().requests, log.counted().handshakes, log.counted().bytes), (1, 1, 1024));
        writeln!(file, "{}200 1024 2 r - TLSv1.3 TLS_AES_128_GCM_SHA256 X25519", &line[20..]).unwrap();
        writeln!(file, "500 0 1 r - TLSv1.3 TLS_AES_128_GCM_SHA256 -").unwrap();
        log.read_until(4, || ()).unwrap();
        let counted = log.counted().clone();
        assert_eq!((counted.requests, counted.connections, counted.resumed), (4, 3, 1));
        assert_eq!((counted.version, counted.suite), (Some(Version::Tls13), Some(Suite::Aes128Gcm)));
        assert_eq!((counted.group, log.take_refused()), (Some(Group::X25519), Some(500)));
    }

    #[test]
    fn plain_http_has_connections_and_no_handshakes() {
        let (mut log, mut file, _place) = log();
        writeln!(file, "200 5 1 . - - - -").unwrap();
        log.read_until(1, || ()).unwrap();
        assert_eq!((log.counted().connections, log.counted().handshakes), (1, 0));
    }

    #[test]
    fn connections_are_distinguished_by_the_ports_of_clients() {
        let (mut log, _file, _place) = log();
        let mut is_first = |port, is_last, before| {
            log.is_first(&Hit { port: Some(port), is_last, before, ..Hit::default() })
        };
        assert_eq!([1, 1, 2, 1].map(|port| is_first(port, false, None)), [true, false, true, false]);
        // Closed, and the port is another connection's.
        assert_eq!([true, false].map(|is_last| is_first(1, is_last, None)), [false, true]);
        assert_eq!([(); 2].map(|()| is_first(3, true, None)), [true, true]);
        // What the server counts it knows better.
        assert!(is_first(2, false, Some(0)));
        log.forget_closed(|| HashSet::from([1]));
        assert_eq!(
            [1, 2].map(|port| log.is_first(&Hit { port: Some(port), ..Hit::default() })),
            [false, true]
        );
    }

    #[test]
    fn rubbish_is_no_hit() {
        let (mut log, mut file, _place) = log();
        writeln!(file, "what?").unwrap();
        let error = log.read_until(1, || ()).unwrap_err();
        assert!(error.to_string().contains("what?"), "{error}");
    }
}
