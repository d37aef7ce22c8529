//! What idle TCP connections take of the kernel's memory, beside that of the processes that hold them.

use std::io::{self, Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::os::fd::AsRawFd as _;
use std::time::Duration;

use rustix::net::sockopt::{set_socket_linger, set_tcp_quickack};
use tlstax_spec::{Bytes, SocketMemory};

use crate::slab::Slab;

/// Both ends are here, and most users may have 1024 files.
const CONNECTIONS: u32 = 400;

/// No interval of a median holds in 95 of 100 cases with fewer.
const GENERATIONS: u32 = 6;

/// A usual full handshake of TLS 1.3, the client's flights first.
const FLIGHTS: [usize; 3] = [330, 1480, 74];

/// How often the queues are looked at, and how long between: an acknowledgement may be 40 ms late.
const LOOKS: u32 = 50;
const PAUSE: Duration = Duration::from_millis(10);

/// Makes generations of connections over the loopback interface, lets each carry what a handshake does, and reads the kernel's
/// accounts when all that was sent has arrived and nothing more comes. Takes about a second.
pub fn probe() -> SocketMemory {
    let mut found = SocketMemory { connections: CONNECTIONS, ..SocketMemory::default() };
    if let Err(reason) = generations(&mut found) {
        found.unread = Some(reason);
    }
    found
}

fn generations(found: &mut SocketMemory) -> Result<(), String> {
    let loopback = |error: io::Error| format!("connections over the loopback interface: {error}");
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(loopback)?;
    // The first fills what the kernel keeps of earlier ones.
    for generation in 0..=GENERATIONS {
        let before = Slab::read()?;
        let ends = connect(&listener).map_err(loopback)?;
        let buffers = settled(&ends).map_err(|error| format!("SO_MEMINFO of a socket: {error}"))?;
        let objects = Slab::read()?.grown_since(&before, u64::from(CONNECTIONS / 2));
        drop_at_once(ends);
        if generation > 0 {
            found.buffers.push(buffers);
            found.objects.push(objects);
        }
    }
    Ok(())
}

/// Both ends of each connection, after a handshake's worth of data.
fn connect(listener: &TcpListener) -> io::Result<Vec<TcpStream>> {
    let address = listener.local_addr()?;
    let mut ends = Vec::with_capacity(2 * CONNECTIONS as usize);
    for _ in 0..CONNECTIONS {
        let (mut client, mut server) = (TcpStream::connect(address)?, listener.accept()?.0);
        for (place, bytes) in FLIGHTS.into_iter().enumerate() {
            match place % 2 {
                0 => carry(&mut client, &mut server, bytes)?,
                _ => carry(&mut server, &mut client, bytes)?,
            }
        }
        ends.extend([client, server]);
    }
    Ok(ends)
}

fn carry(from: &mut TcpStream, to: &mut TcpStream, bytes: usize) -> io::Result<()> {
    let mut data = vec![0; bytes];
    from.write_all(&data)?;
    to.read_exact(&mut data)?;
    // What is not acknowledged stays in the sender's queue.
    Ok(set_tcp_quickack(&*to, true)?)
}

/// What all sockets hold in their queues and have put by for them, once everything is acknowledged.
fn settled(ends: &[TcpStream]) -> io::Result<Bytes> {
    for _ in 0..LOOKS {
        let accounts = ends.iter().map(account).collect::<io::Result<Vec<_>>>()?;
        if accounts.iter().all(|account| account[WRITE_QUEUE] == 0) {
            let held = |account: &Account| HELD.iter().map(|place| u64::from(account[*place])).sum::<u64>();
            return Ok(Bytes(accounts.iter().map(held).sum()));
        }
        std::thread::sleep(PAUSE);
    }
    Err(io::Error::new(io::ErrorKind::TimedOut, "what was sent is not acknowledged"))
}

/// SK_MEMINFO_VARS numbers in bytes, linux/sock_diag.h.
type Account = [u32; 9];

/// SK_MEMINFO_WMEM_QUEUED.
const WRITE_QUEUE: usize = 5;

/// What is received and not read, what is put by, what is to be sent, options, and what waits for the owner of the lock:
/// SK_MEMINFO_RMEM_ALLOC, _FWD_ALLOC, _WMEM_QUEUED, _OPTMEM, _BACKLOG. The others are limits, counts or counted twice.
const HELD: [usize; 5] = [0, 4, WRITE_QUEUE, 6, 7];

/// The kernel's account of a socket's memory.
fn account(socket: &TcpStream) -> io::Result<Account> {
    let mut account = Account::default();
    let mut length = size_of::<Account>() as libc::socklen_t;
    // SAFETY: the pointer is valid for as many bytes as the length says, and the kernel writes no more than that.
    let status = unsafe {
        libc::getsockopt(
            socket.as_raw_fd(),
            libc::SOL_SOCKET,
            libc::SO_MEMINFO,
            account.as_mut_ptr().cast(),
            &mut length,
        )
    };
    if status == 0 { Ok(account) } else { Err(io::Error::last_os_error()) }
}

/// Ends connections without a trace in the kernel (TIME-WAIT), and gives it time to free what it frees later.
fn drop_at_once(ends: Vec<TcpStream>) {
    for end in &ends {
        // Where it is refused, the connection ends as others do.
        let _ = set_socket_linger(end, Some(Duration::ZERO));
    }
    drop(ends);
    std::thread::sleep(5 * PAUSE);
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn sockets_take_memory_or_there_is_a_reason() {
        let SocketMemory { connections, objects, buffers, unread } = probe();
        match unread {
            Some(reason) => assert!(reason.contains("slabinfo") || reason.contains("SO_MEMINFO"), "{reason}"),
            None => {
                assert_eq!((objects.len(), buffers.len()), (6, 6));
                let socket = objects[0].0 / (2 * u64::from(connections));
                assert!((1024..32_768).contains(&socket), "{objects:?}");
            }
        }
    }

    #[test]
    fn an_idle_socket_holds_less_than_one_with_data() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let mut client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (server, _) = listener.accept().unwrap();
        let held = |end: &TcpStream| account(end).unwrap()[HELD[0]];
        assert_eq!(held(&server), 0);
        client.write_all(&[0; 10_000]).unwrap();
        assert!(held(&server) >= 10_000, "{:?}", account(&server));
    }
}
