//! A transport in memory: two queues of bytes between two ends that live in one thread.
//!
//! In place of the system, the queues copy what is written and read. That is nobody's work, and they can tell how long it took.

use std::cell::{Cell, RefCell, RefMut};
use std::io::{self, Read, Write};
use std::rc::Rc;

use tlstax_measure::clock::monotonic;
use tlstax_spec::{Nanos, Side};

/// Room for the flights of most handshakes, so that growing is not timed with them.
const ROOM: usize = 16 * 1024;

/// The shortest piece whose copying is timed: two readings of the clock take as long as copying some 4 KiB.
const LARGE: usize = 8 * 1024;

/// The wire between a client and a server, as the one who holds both sees it. Clones are the same wire.
#[derive(Debug, Clone, Default)]
pub struct Wire {
    to_server: Rc<Queue>,
    to_client: Rc<Queue>,
}

impl Wire {
    /// The transport of one side.
    pub fn end(&self, side: Side) -> PipeEnd {
        PipeEnd { incoming: Rc::clone(self.from(opposite(side))), outgoing: Rc::clone(self.from(side)) }
    }

    /// From now on the copying of large pieces is timed.
    pub(crate) fn time_carrying(&self) {
        self.to_server.carrying.timed.set(true);
        self.to_client.carrying.timed.set(true);
    }

    /// What the copying of large pieces took since this was last asked; nothing where it is not timed.
    pub(crate) fn carried(&self) -> Carried {
        let (there, back) = (self.to_server.carrying.took.take(), self.to_client.carrying.took.take());
        Carried { elapsed: there.elapsed + back.elapsed, cpu: there.cpu + back.cpu }
    }

    /// How many bytes a side has put on the wire since the last [`Wire::reset`].
    pub fn sent(&self, by: Side) -> u64 {
        self.from(by).total.get()
    }

    /// The bytes of a side that the other has not read yet: to be looked at, changed or cut by a test.
    pub fn in_flight(&self, from: Side) -> RefMut<'_, Vec<u8>> {
        let queue = self.from(from);
        let read = queue.read.replace(0);
        let mut bytes = queue.bytes.borrow_mut();
        bytes.drain(..read);
        bytes
    }

    /// Ends what a side sends: when all of it is read, the other side reads the end of the transport.
    pub fn end_of(&self, from: Side) {
        self.from(from).ended.set(true);
    }

    /// Makes the wire as new, but keeps its memory.
    pub fn reset(&self) {
        self.to_server.reset();
        self.to_client.reset();
    }

    fn from(&self, side: Side) -> &Rc<Queue> {
        match side {
            Side::Client => &self.to_server,
            Side::Server => &self.to_client,
        }
    }
}

pub(crate) fn opposite(side: Side) -> Side {
    match side {
        Side::Client => Side::Server,
        Side::Server => Side::Client,
    }
}

/// One end of a [`Wire`]. Reads give [`io::ErrorKind::WouldBlock`] when nothing is there; writes take everything.
#[derive(Debug)]
pub struct PipeEnd {
    incoming: Rc<Queue>,
    outgoing: Rc<Queue>,
}

/// What copying took.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Carried {
    pub(crate) elapsed: Nanos,
    /// Without the time for which the thread was kept from its core meanwhile.
    pub(crate) cpu: Nanos,
}

/// Times the copying into a queue and out of it.
#[derive(Debug, Default)]
struct Carrying {
    timed: Cell<bool>,
    took: Cell<Carried>,
    /// Of the fastest copying so far, nanoseconds for 1024 bytes, at least 1.
    fastest: Cell<Option<u64>>,
}

/// Copying that takes so many times what the fastest took was interrupted: from main memory it takes less.
const INTERRUPTED: u64 = 32;

impl Carrying {
    fn copy(&self, length: usize, copy: impl FnOnce()) {
        if length < LARGE || !self.timed.get() {
            return copy();
        }
        let begun = monotonic();
        copy();
        let took = monotonic().since(begun);
        let Carried { elapsed, cpu } = self.took.get();
        self.took.set(Carried { elapsed: elapsed + took, cpu: cpu + self.uninterrupted(took, length) });
    }

    fn uninterrupted(&self, took: Nanos, length: usize) -> Nanos {
        let kib = (length / 1024) as u64;
        let each = (took.0 / kib).max(1);
        let fastest = self.fastest.get().map_or(each, |fastest| fastest.min(each));
        self.fastest.set(Some(fastest));
        if each > INTERRUPTED * fastest { Nanos(fastest * kib) } else { took }
    }
}

impl Read for PipeEnd {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let queue = &self.incoming;
        let mut bytes = queue.bytes.borrow_mut();
        let start = queue.read.get();
        let length = buffer.len().min(bytes.len() - start);
        if length == 0 && !buffer.is_empty() {
            return if queue.ended.get() { Ok(0) } else { Err(io::ErrorKind::WouldBlock.into()) };
        }
        queue.carrying.copy(length, || buffer[..length].copy_from_slice(&bytes[start..start + length]));
        if start + length == bytes.len() {
            bytes.clear();
            queue.read.set(0);
        } else {
            queue.read.set(start + length);
        }
        Ok(length)
    }
}

impl Write for PipeEnd {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        let queue = &self.outgoing;
        queue.carrying.copy(data.len(), || queue.bytes.borrow_mut().extend_from_slice(data));
        self.outgoing.total.set(self.outgoing.total.get() + data.len() as u64);
        Ok(data.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Bytes on their way. `bytes[read..]` is not read yet; the memory is used again once all is read.
#[derive(Debug)]
struct Queue {
    bytes: RefCell<Vec<u8>>,
    read: Cell<usize>,
    total: Cell<u64>,
    ended: Cell<bool>,
    carrying: Carrying,
}

impl Default for Queue {
    fn default() -> Self {
        let bytes = RefCell::new(Vec::with_capacity(ROOM));
        Self {
            bytes,
            read: Cell::new(0),
            total: Cell::new(0),
            ended: Cell::new(false),
            carrying: Carrying::default(),
        }
    }
}

impl Queue {
    fn reset(&self) {
        self.bytes.borrow_mut().clear();
        self.read.set(0);
        self.total.set(0);
        self.ended.set(false);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn bytes_arrive_in_order_and_are_counted() {
        let wire = Wire::default();
        let (mut client, mut server) = (wire.end(Side::Client), wire.end(Side::Server));
        client.write_all(b"abc").unwrap();
        client.write_all(b"def").unwrap();
        let mut buffer = [0; 4];
        assert_eq!(server.read(&mut buffer).unwrap(), 4);
        assert_eq!(&buffer, b"abcd");
        assert_eq!(*wire.in_flight(Side::Client), b"ef");
        assert_eq!(server.read(&mut buffer).unwrap(), 2);
        assert_eq!((wire.sent(Side::Client), wire.sent(Side::Server)), (6, 0));
        assert_eq!(server.read(&mut buffer).unwrap_err().kind(), io::ErrorKind::WouldBlock);
        assert_eq!(client.read(&mut buffer).unwrap_err().kind(), io::ErrorKind::WouldBlock);
    }

    #[test]
    fn the_end_comes_after_the_last_byte() {
        let wire = Wire::default();
        let (mut client, mut server) = (wire.end(Side::Client), wire.end(Side::Server));
        server.write_all(b"x").unwrap();
        wire.end_of(Side::Server);
        let mut buffer = [0; 4];
        assert_eq!(client.read(&mut buffer).unwrap(), 1);
        assert_eq!(client.read(&mut buffer).unwrap(), 0);
        assert_eq!(server.read(&mut buffer).unwrap_err().kind(), io::ErrorKind::WouldBlock);
        wire.reset();
        assert_eq!(client.read(&mut buffer).unwrap_err().kind(), io::ErrorKind::WouldBlock);
        assert_eq!(wire.sent(Side::Server), 0);
    }

    #[test]
    fn carrying_is_timed_where_it_is_asked_for_and_pieces_are_large() {
        let wire = Wire::default();
        let (mut client, mut server) = (wire.end(Side::Client), wire.end(Side::Server));
        let mut carry = |length: usize| {
            client.write_all(&vec![7; length]).unwrap();
            server.read_exact(&mut vec![0; length]).unwrap();
            (wire.carried().elapsed > Nanos(0), wire.carried())
        };
        assert_eq!(carry(1 << 20), (false, Carried::default()));
        wire.time_carrying();
        assert_eq!(carry(1 << 20), (true, Carried::default()));
        assert_eq!(carry(LARGE - 1), (false, Carried::default()));
    }

    #[test]
    fn an_interruption_is_no_cpu_time() {
        let carrying = Carrying::default();
        assert_eq!(carrying.uninterrupted(Nanos(1600), 16 * 1024), Nanos(1600));
        assert_eq!(carrying.uninterrupted(Nanos(32 * 160), 16 * 1024), Nanos(32 * 160));
        assert_eq!(carrying.uninterrupted(Nanos(160), 16 * 1024), Nanos(160));
        assert_eq!(carrying.uninterrupted(Nanos(1_000_000), 16 * 1024), Nanos(160));
    }
}
