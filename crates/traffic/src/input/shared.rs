//! [`Shared`]: what all threads of a count have in common.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use tlstax_measure::signal;

use super::notice::Notice;

/// So many buffers are kept for another time.
const MOST_BUFFERS: usize = 16;

/// What all threads of a count have in common.
#[derive(Default)]
pub struct Shared {
    read: AtomicU64,
    buffers: Mutex<Vec<Vec<u8>>>,
    notices: Mutex<Vec<Notice>>,
}

impl Shared {
    /// Whether somebody has asked for the end.
    #[allow(clippy::unused_self)]
    pub fn is_to_end(&self) -> bool {
        signal::interrupted()
    }

    /// What a reader says that nobody wants to hear on: what comes next is not the end of what it reads.
    pub fn check(&self) -> io::Result<()> {
        if self.is_to_end() { Err(io::Error::other("interrupted")) } else { Ok(()) }
    }

    /// Bytes have been read, as they are on the disk.
    pub fn add_read(&self, bytes: usize) {
        self.read.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    pub fn read(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }

    /// A buffer of that length, filled with anything.
    pub fn buffer(&self, length: usize) -> Vec<u8> {
        let kept = self.buffers.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut buffer = kept.unwrap_or_default();
        if buffer.len() < length {
            buffer.resize(length, 0);
        }
        buffer
    }

    /// Takes a buffer that is not needed any more.
    pub fn give_back(&self, buffer: Vec<u8>) {
        let mut buffers = self.buffers.lock().unwrap_or_else(PoisonError::into_inner);
        if buffers.len() < MOST_BUFFERS {
            buffers.push(buffer);
        }
    }

    pub fn note(&self, notice: Notice) {
        self.notices.lock().unwrap_or_else(PoisonError::into_inner).push(notice);
    }

    pub fn take_notices(&self) -> Vec<Notice> {
        std::mem::take(&mut self.notices.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
