//! Sockets on 127.0.0.1. Nothing here ever binds or connects to another address.

use std::cell::Cell;
use std::io::{self, IoSlice, Read, Write};
use std::net::{Ipv4Addr, SocketAddrV4, TcpStream};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::rc::Rc;

use rustix::io::Errno;
use rustix::net::{self, AddressFamily, SocketFlags, SocketType};

use crate::descriptors::explained;
use crate::poll::EventFlags;

/// Connections that may wait to be accepted: more than a load opens at once, up to the system's limit.
const BACKLOG: i32 = 4096;

/// A listening socket on a port that the system chooses, and the port.
pub(super) fn listen() -> io::Result<(OwnedFd, u16)> {
    let socket = tcp()?;
    net::bind(&socket, &SocketAddrV4::new(Ipv4Addr::LOCALHOST, 0))?;
    net::listen(&socket, BACKLOG)?;
    let address = SocketAddrV4::try_from(net::getsockname(&socket)?)?;
    Ok((socket, address.port()))
}

/// The next connection; none if nobody waits.
pub(super) fn accept(listener: &OwnedFd) -> io::Result<Option<Socket>> {
    loop {
        match net::accept_with(listener, SocketFlags::NONBLOCK | SocketFlags::CLOEXEC) {
            Ok(socket) => return Socket::new(socket).map(Some),
            Err(Errno::AGAIN) => return Ok(None),
            // The client has gone again before we came.
            Err(Errno::CONNABORTED | Errno::INTR) => {}
            Err(error) => return Err(explained(error)),
        }
    }
}

/// A new connection, which may not be established yet: until then it is not ready to be written.
pub(super) fn connect(port: u16) -> io::Result<Socket> {
    let socket = tcp()?;
    match net::connect(&socket, &SocketAddrV4::new(Ipv4Addr::LOCALHOST, port)) {
        Ok(()) | Err(Errno::INPROGRESS) => Socket::new(socket),
        Err(error) => Err(error.into()),
    }
}

fn tcp() -> io::Result<OwnedFd> {
    let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
    net::socket_with(AddressFamily::INET, SocketType::STREAM, flags, None).map_err(explained)
}

/// One end of a TCP connection, shared between whoever waits for it and the library that uses it as its transport.
#[derive(Debug, Clone)]
pub(super) struct Socket {
    shared: Rc<Shared>,
}

#[derive(Debug)]
struct Shared {
    stream: TcpStream,
    /// Whether the last write found no room, so that something waits in the library to be sent.
    blocked: Cell<bool>,
}

impl Socket {
    fn new(socket: OwnedFd) -> io::Result<Self> {
        let stream = TcpStream::from(socket);
        // A response must not wait for the acknowledgement of its first part.
        stream.set_nodelay(true)?;
        Ok(Self { shared: Rc::new(Shared { stream, blocked: Cell::new(false) }) })
    }

    /// Whether the last write found no room.
    pub(super) fn is_blocked(&self) -> bool {
        self.shared.blocked.get()
    }

    fn written(&self, result: io::Result<usize>) -> io::Result<usize> {
        let blocked = matches!(&result, Err(error) if error.kind() == io::ErrorKind::WouldBlock);
        self.shared.blocked.set(blocked);
        result
    }
}

impl Read for Socket {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        (&self.shared.stream).read(buffer)
    }
}

impl Write for Socket {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        self.written((&self.shared.stream).write(data))
    }

    fn write_vectored(&mut self, data: &[IoSlice<'_>]) -> io::Result<usize> {
        self.written((&self.shared.stream).write_vectored(data))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Changes of a connection in both directions. Each change is told once: whoever hears of it goes on until the connection
/// would block.
pub(super) const CHANGES: EventFlags =
    EventFlags::IN.union(EventFlags::OUT).union(EventFlags::RDHUP).union(EventFlags::ET);

impl AsFd for Socket {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.shared.stream.as_fd()
    }
}
