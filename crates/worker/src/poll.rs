//! What one thread waits for.

use std::io;
use std::os::fd::{AsFd, OwnedFd};

use rustix::event::{Timespec, epoll};
use rustix::io::Errno;
use tlstax_spec::Nanos;

pub use rustix::event::epoll::EventFlags;

/// An epoll, whose tokens tell what was watched.
pub struct Poll {
    epoll: OwnedFd,
    events: Vec<epoll::Event>,
}

/// As many events as are taken from the kernel in one call, as in common servers.
const EVENTS: usize = 512;

impl Poll {
    /// Watches nothing yet.
    ///
    /// # Errors
    /// Too many files are open.
    pub fn new() -> io::Result<Self> {
        Ok(Self { epoll: epoll::create(epoll::CreateFlags::CLOEXEC)?, events: Vec::with_capacity(EVENTS) })
    }

    /// Tells of these events from now on.
    ///
    /// # Errors
    /// The source is watched already, or is none to be watched.
    pub fn watch(&self, source: impl AsFd, token: u64, events: EventFlags) -> io::Result<()> {
        Ok(epoll::add(&self.epoll, source, epoll::EventData::new_u64(token), events)?)
    }

    /// Tells of other events from now on.
    ///
    /// # Errors
    /// The source is not watched.
    pub fn watch_for(&self, source: impl AsFd, token: u64, events: EventFlags) -> io::Result<()> {
        Ok(epoll::modify(&self.epoll, source, epoll::EventData::new_u64(token), events)?)
    }

    /// Waits for the next events; there are none if none came in time.
    ///
    /// # Errors
    /// The system's own.
    pub fn wait(
        &mut self,
        timeout: Option<Nanos>,
    ) -> io::Result<impl ExactSizeIterator<Item = (u64, EventFlags)>> {
        let timeout = timeout.map(|time| Timespec {
            tv_sec: (time.0 / 1_000_000_000).cast_signed(),
            tv_nsec: (time.0 % 1_000_000_000).cast_signed(),
        });
        self.events.clear();
        match epoll::wait(&self.epoll, rustix::buffer::spare_capacity(&mut self.events), timeout.as_ref()) {
            // A signal: whoever waits looks at what it was for and comes back.
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        Ok(self.events.iter().map(|event| (event.data.u64(), event.flags)))
    }
}
