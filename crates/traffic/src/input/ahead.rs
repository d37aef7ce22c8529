//! [`Ahead`]: reads what comes from elsewhere on a thread of its own, so that waiting for it can be ended.

use std::io::{self, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use super::shared::Shared;

/// One read asks for so much; a pipe gives as much at once.
const BLOCK: usize = 1 << 16;

/// So many blocks wait at most.
const WAITING: usize = 16;

/// How often a waiting reader looks whether it is to end.
const LOOK: Duration = Duration::from_millis(50);

/// What a thread reads ahead: standard input, a pipe. The thread waits in the kernel for what may never come, so that it is left to
/// itself when nobody wants more.
pub struct Ahead {
    blocks: Receiver<io::Result<Vec<u8>>>,
    current: Vec<u8>,
    given: usize,
    has_ended: bool,
}

impl Ahead {
    pub fn begin(mut from: impl Read + Send + 'static) -> Self {
        let (sender, blocks) = sync_channel(WAITING);
        std::thread::spawn(move || {
            loop {
                let mut block = vec![0; BLOCK];
                let read = from.read(&mut block);
                let is_last = !matches!(read, Ok(1..));
                let is_again = matches!(&read, Err(error) if error.kind() == io::ErrorKind::Interrupted);
                if is_again {
                    continue;
                }
                let sent = sender.send(read.map(|read| {
                    block.truncate(read);
                    block
                }));
                if is_last || sent.is_err() {
                    return;
                }
            }
        });
        Self { blocks, current: Vec::new(), given: 0, has_ended: false }
    }

    /// The first bytes: as many as are wanted, or fewer where no more come for a while and there is a whole line.
    ///
    /// # Errors
    /// What the system says.
    pub fn head(&mut self, wanted: usize, shared: &Shared) -> io::Result<Vec<u8>> {
        let mut head = Vec::new();
        while head.len() < wanted && !shared.is_to_end() {
            match self.blocks.recv_timeout(LOOK) {
                Ok(Ok(block)) if !block.is_empty() => head.extend_from_slice(&block),
                Ok(Err(error)) => return Err(error),
                Err(RecvTimeoutError::Timeout) if !head.contains(&b'\n') => {}
                Err(RecvTimeoutError::Timeout) => break,
                Ok(Ok(_)) | Err(RecvTimeoutError::Disconnected) => {
                    self.has_ended = true;
                    break;
                }
            }
        }
        Ok(head)
    }

    /// Waits for more, until nobody wants it.
    ///
    /// # Errors
    /// What the system says, or that nobody wants more.
    pub fn read(&mut self, buffer: &mut [u8], shared: &Shared) -> io::Result<usize> {
        while self.given == self.current.len() && !self.has_ended {
            shared.check()?;
            match self.blocks.recv_timeout(LOOK) {
                Ok(Ok(block)) if !block.is_empty() => (self.current, self.given) = (block, 0),
                Ok(Err(error)) => {
                    self.has_ended = true;
                    return Err(error);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Ok(Ok(_)) | Err(RecvTimeoutError::Disconnected) => self.has_ended = true,
            }
        }
        let left = &self.current[self.given..];
        let length = left.len().min(buffer.len());
        buffer[..length].copy_from_slice(&left[..length]);
        self.given += length;
        Ok(length)
    }
}
