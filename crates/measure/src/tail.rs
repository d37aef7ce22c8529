//! The last words of a child: its stderr, read all the time so that it never blocks, and kept up to a bound.

use std::collections::VecDeque;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, poll};

use crate::clock::monotonic;

const BOUND: usize = 8 * 1024;

/// A thread that reads a stream to its end and keeps its last [`BOUND`] bytes.
#[derive(Debug)]
pub(crate) struct Tail {
    bytes: Arc<Mutex<VecDeque<u8>>>,
    /// Closing it ends the thread even if somebody keeps the other end of the stream open.
    stop: Option<OwnedFd>,
    thread: Option<JoinHandle<()>>,
}

impl Tail {
    pub(crate) fn of(stream: OwnedFd) -> io::Result<Self> {
        let bytes = Arc::new(Mutex::new(VecDeque::with_capacity(BOUND)));
        let (stopped, stop) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC)?;
        let kept = Arc::clone(&bytes);
        let thread = std::thread::Builder::new()
            .name("stderr".to_owned())
            .spawn(move || read_all(stream.as_fd(), stopped.as_fd(), &kept))?;
        Ok(Self { bytes, stop: Some(stop), thread: Some(thread) })
    }

    /// What is kept at the moment; bytes that are no UTF-8 are replaced.
    pub(crate) fn text(&self) -> String {
        let mut bytes = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(bytes.make_contiguous()).trim().to_owned()
    }

    /// Waits until the stream has ended, but not longer than `patience`; then reading is over.
    pub(crate) fn finish(&mut self, patience: Duration) {
        let start = monotonic();
        let patience = patience.as_nanos() as u64;
        while self.thread.as_ref().is_some_and(|thread| !thread.is_finished())
            && monotonic().since(start).0 < patience
        {
            std::thread::sleep(Duration::from_millis(1));
        }
        self.stop = None;
        if let Some(thread) = self.thread.take() {
            // The thread cannot panic, and if it did, what it has kept would still be good.
            let _ = thread.join();
        }
    }
}

impl Drop for Tail {
    fn drop(&mut self) {
        self.finish(Duration::ZERO);
    }
}

fn read_all(stream: BorrowedFd<'_>, stopped: BorrowedFd<'_>, kept: &Mutex<VecDeque<u8>>) {
    let mut chunk = [0; 4096];
    loop {
        let mut ready = [PollFd::new(&stream, PollFlags::IN), PollFd::new(&stopped, PollFlags::IN)];
        match poll(&mut ready, None) {
            Ok(_) => {}
            Err(rustix::io::Errno::INTR) => continue,
            Err(_) => return,
        }
        if ready[0].revents().is_empty() {
            // Only the stop pipe is ready: nobody writes any more, or nobody wants to know.
            return;
        }
        match rustix::io::read(stream, &mut chunk) {
            Ok(0) => return,
            Ok(length) => keep(&mut kept.lock().unwrap_or_else(PoisonError::into_inner), &chunk[..length]),
            Err(rustix::io::Errno::INTR) => {}
            Err(_) => return,
        }
        // A stream that is never silent must not keep us from stopping.
        if !ready[1].revents().is_empty() {
            return;
        }
    }
}

fn keep(kept: &mut VecDeque<u8>, chunk: &[u8]) {
    kept.extend(chunk);
    let excess = kept.len().saturating_sub(BOUND);
    kept.drain(..excess);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_end_is_kept() {
        let mut kept = VecDeque::new();
        for number in 0..10_000u32 {
            keep(&mut kept, format!("{number}\n").as_bytes());
        }
        assert_eq!(kept.len(), BOUND);
        assert!(kept.make_contiguous().ends_with(b"9998\n9999\n"));
    }
}
