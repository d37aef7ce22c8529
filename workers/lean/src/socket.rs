//! Sockets of a client.

use std::io;
use std::net::SocketAddr;
use std::os::fd::{AsFd, OwnedFd};

use rustix::io::Errno;
use rustix::net::{self, AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType};
use tlstax_worker::descriptors;
use tlstax_worker::poll::EventFlags;

#[derive(Debug)]
pub(crate) struct Socket(pub(crate) OwnedFd);

impl Socket {
    /// Begins to connect. On loopback it is done when this returns, as good as always.
    ///
    /// # Errors
    /// Too many files are open, or there is no port left.
    pub(crate) fn connect(address: SocketAddr) -> io::Result<Self> {
        let family = if address.is_ipv4() { AddressFamily::INET } else { AddressFamily::INET6 };
        let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
        let socket = net::socket_with(family, SocketType::STREAM, flags, None).map_err(explained)?;
        // The second part of a request must not wait for the acknowledgement of the first.
        net::sockopt::set_tcp_nodelay(&socket, true)?;
        match net::connect(&socket, &address) {
            Ok(()) | Err(Errno::INPROGRESS) => Ok(Self(socket)),
            Err(error) => Err(explained(error)),
        }
    }

    /// Sends as much as there is room for; none if there is none, or the connection is not established yet.
    pub(crate) fn send(&self, bytes: &[u8]) -> io::Result<Option<usize>> {
        blocked(net::send(&self.0, bytes, SendFlags::NOSIGNAL))
    }

    /// Receives what is there; none if nothing is, 0 at the end.
    pub(crate) fn receive(&self, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        blocked(net::recv(&self.0, buffer, RecvFlags::empty()).map(|(_, length)| length))
    }

    /// Throws away what is there, up to the length of `room`, which is not touched: tcp(7), MSG_TRUNC. None if nothing is
    /// there, 0 at the end.
    pub(crate) fn discard(&self, room: &mut [u8]) -> io::Result<Option<usize>> {
        blocked(net::recv(&self.0, room, RecvFlags::TRUNC).map(|(_, length)| length))
    }

    /// Makes a poll tell of the connection only when so many bytes are there, or the end: socket(7), SO_RCVLOWAT.
    pub(crate) fn wake_at(&self, bytes: usize) -> io::Result<()> {
        let bytes = libc::c_int::try_from(bytes).unwrap_or(libc::c_int::MAX);
        option::set(self.0.as_fd(), libc::SO_RCVLOWAT, bytes)
    }

    /// Says that nothing more will be sent.
    pub(crate) fn end(&self) -> io::Result<()> {
        Ok(net::shutdown(&self.0, net::Shutdown::Write)?)
    }
}

fn blocked(result: Result<usize, Errno>) -> io::Result<Option<usize>> {
    match result {
        Ok(length) => Ok(Some(length)),
        Err(Errno::AGAIN | Errno::INTR) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The error of a call that makes a socket, with the remedy.
fn explained(error: Errno) -> io::Error {
    match error {
        Errno::ADDRNOTAVAIL => io::Error::other(
            "there is no local port left: widen net.ipv4.ip_local_port_range, or use fewer connections",
        ),
        error => descriptors::explained(error),
    }
}

/// What is worth being woken for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Interest {
    Data,
    /// Something to read, or room to send: most connections never wait for room.
    DataAndRoom,
    /// The end of the stream, with everything before it.
    End,
}

impl Interest {
    /// Each change is told once: whoever hears of it goes on until the connection would block.
    pub(crate) fn events(self) -> EventFlags {
        let end = EventFlags::RDHUP | EventFlags::ET;
        match self {
            Self::Data => end | EventFlags::IN,
            Self::DataAndRoom => end | EventFlags::IN | EventFlags::OUT,
            Self::End => end,
        }
    }
}

/// The option that rustix has no function for.
#[allow(unsafe_code)]
mod option {
    use std::io;
    use std::os::fd::{AsRawFd, BorrowedFd};

    pub(super) fn set(socket: BorrowedFd<'_>, name: libc::c_int, value: libc::c_int) -> io::Result<()> {
        let length = size_of_val(&value) as libc::socklen_t;
        // SAFETY: the pointer is valid for as many bytes as the length says, and the call only reads them.
        let status = unsafe {
            libc::setsockopt(socket.as_raw_fd(), libc::SOL_SOCKET, name, (&raw const value).cast(), length)
        };
        if status == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
    }
}
