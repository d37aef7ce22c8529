//! The loopback interface's own account of what it has carried.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;

use tlstax_spec::Bytes;

use crate::kernel_text::number_after;

/// The interfaces of the network that this thread is in, proc_pid_net(5).
const INTERFACES: &str = "/proc/thread-self/net/dev";

/// More than its lines take with hundreds of interfaces; the loopback interface is the first.
const ROOM: usize = 16 * 1024;

/// Its account, kept open: it is read often.
#[derive(Debug)]
pub struct Loopback(File);

impl Loopback {
    /// That of the network that this thread is in.
    ///
    /// # Errors
    /// The system does not show its interfaces.
    pub fn open() -> io::Result<Self> {
        File::open(INTERFACES).map(Self)
    }

    /// The bytes of all packets that it has carried so far, headers included.
    ///
    /// # Errors
    /// The system shows no such interface.
    pub fn carried(&self) -> io::Result<Bytes> {
        let mut text = vec![0; ROOM];
        let length = self.0.read_at(&mut text, 0)?;
        received(&String::from_utf8_lossy(&text[..length])).ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

/// The first number of its line: what it has received, which is all that was sent.
fn received(interfaces: &str) -> Option<Bytes> {
    interfaces.lines().find_map(|line| number_after(line.trim_start(), "lo:")).map(Bytes)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::net::UdpSocket;

    use super::*;

    #[test]
    fn its_line_is_found_among_others() {
        let text =
            "Inter-|   Receive\n face |bytes    packets\n  eth0: 7 1 0\n    lo: 1234   5    0\n vlo: 9 1 0\n";
        assert_eq!(received(text), Some(Bytes(1234)));
        assert_eq!(received("  eth0: 7 1 0\n"), None);
    }

    #[test]
    fn what_is_sent_is_carried() {
        let loopback = Loopback::open().unwrap();
        let (from, to) = (UdpSocket::bind("127.0.0.1:0").unwrap(), UdpSocket::bind("127.0.0.1:0").unwrap());
        let before = loopback.carried().unwrap();
        assert_eq!(from.send_to(&[0; 10_000], to.local_addr().unwrap()).unwrap(), 10_000);
        assert!(loopback.carried().unwrap().0 >= before.0 + 10_000);
    }
}
