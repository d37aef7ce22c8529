//! Packets of a network interface, as a packet socket shows them (packet(7)).

mod block;
mod filter;
mod ring;
mod socket;

use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

pub use self::block::Packet;
use self::ring::Ring;
use self::socket::{bind, index, open, set};
use crate::kernel_text::number;

/// Packets of a network interface from now on, both ways. What is not of TCP is shown with its headers only.
#[derive(Debug)]
pub struct Packets {
    socket: OwnedFd,
    ring: Ring,
}

/// Why an interface shows no packets.
#[derive(Debug)]
pub enum NoPackets {
    NoSuchInterface,
    /// This user may not: it takes the capability CAP_NET_RAW.
    Forbidden,
    Other(io::Error),
}

/// `struct tpacket_stats_v3`, linux/if_packet.h.
#[repr(C)]
#[derive(Default)]
struct Statistics {
    packets: u32,
    drops: u32,
    freezes: u32,
}

const TPACKET_V3: libc::c_int = 2;
/// ARPHRD_LOOPBACK.
const LOOPBACK: u32 = 772;
const PACKET_IGNORE_OUTGOING: libc::c_int = 23;

impl From<io::Error> for NoPackets {
    fn from(error: io::Error) -> Self {
        match error.raw_os_error() {
            Some(libc::EPERM | libc::EACCES) => Self::Forbidden,
            _ => Self::Other(error),
        }
    }
}

impl Packets {
    /// Begins to show the packets of an interface.
    ///
    /// # Errors
    /// There is none of that name, this user may not, or the kernel says why.
    pub fn of(name: &str) -> Result<Self, NoPackets> {
        let index = index(name).ok_or(NoPackets::NoSuchInterface)?;
        let socket = open()?;
        set(&socket, libc::SOL_PACKET, libc::PACKET_VERSION, &TPACKET_V3)?;
        filter::attach(&socket)?;
        // There each packet is sent and received.
        if number(format!("/sys/class/net/{name}/type")) == Some(LOOPBACK) {
            set(&socket, libc::SOL_PACKET, PACKET_IGNORE_OUTGOING, &1)?;
        }
        let ring = Ring::of(&socket)?;
        bind(&socket, index)?;
        Ok(Self { socket, ring })
    }

    /// Waits for packets, at most so long, and shows those that are there.
    ///
    /// # Errors
    /// The interface went away or down, or waiting fails.
    pub fn wait(&mut self, most: Duration, mut take: impl FnMut(&Packet<'_>)) -> io::Result<()> {
        while let Some(block) = self.ring.peek() {
            block::packets(block).for_each(|packet| take(&packet));
            self.ring.advance();
        }
        let most = Timespec { tv_sec: most.as_secs().cast_signed(), tv_nsec: most.subsec_nanos().into() };
        let mut socket = [PollFd::new(&self.socket, PollFlags::IN)];
        match poll(&mut socket, Some(&most)) {
            Ok(_) if socket[0].revents().contains(PollFlags::ERR) => {
                let found = rustix::net::sockopt::socket_error(&self.socket)?;
                found.map_err(io::Error::from)
            }
            Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Packets that were lost since this was asked last: we were too slow.
    ///
    /// # Errors
    /// What the kernel says.
    pub fn lost(&self) -> io::Result<u64> {
        let mut statistics = Statistics::default();
        let mut length = size_of::<Statistics>() as libc::socklen_t;
        // SAFETY: the kernel writes at most `length` bytes to the pointer, which are all there.
        let status = unsafe {
            libc::getsockopt(
                self.socket.as_raw_fd(),
                libc::SOL_PACKET,
                libc::PACKET_STATISTICS,
                (&raw mut statistics).cast(),
                &raw mut length,
            )
        };
        if status == 0 { Ok(statistics.drops.into()) } else { Err(io::Error::last_os_error()) }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::{TcpListener, TcpStream};

    use super::*;

    #[test]
    fn an_interface_that_is_not_there_is_told() {
        assert!(matches!(Packets::of("no such one"), Err(NoPackets::NoSuchInterface)));
        assert!(matches!(Packets::of("nul\0"), Err(NoPackets::NoSuchInterface)));
    }

    #[test]
    fn packets_of_the_loopback_come_once() {
        let mut packets = match Packets::of("lo") {
            Ok(packets) => packets,
            // Where we may not, that is what is said.
            Err(error) => return assert!(matches!(error, NoPackets::Forbidden), "{error:?}"),
        };
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let mut client = TcpStream::connect(("127.0.0.1", port)).unwrap();
        let (mut server, _) = listener.accept().unwrap();
        client.write_all(&[7; 1_000]).unwrap();
        server.read_exact(&mut [0; 1_000]).unwrap();
        drop(client);
        let mut payloads = 0;
        for _ in 0..20 {
            let seen = |packet: &Packet<'_>| {
                let is_ours = packet.bytes.get(22..24) == Some(&port.to_be_bytes()[..]);
                payloads += usize::from(is_ours && packet.ether_type == 0x0800 && packet.length > 1_000);
            };
            packets.wait(Duration::from_millis(50), seen).unwrap();
        }
        assert_eq!(payloads, 1);
        assert_eq!(packets.lost().unwrap(), 0);
    }
}
