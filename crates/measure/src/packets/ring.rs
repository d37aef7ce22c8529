//! [`Ring`]: blocks of packets that the kernel fills and we empty, in memory that both see.

use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, Ordering};

use super::socket::set;

/// Bytes of a block; a packet is in one of them.
const BLOCK: usize = 1 << 20;
const BLOCKS: usize = 32;
/// What the kernel is told of frames and does not use for this version, but for checking it.
const FRAME: usize = 1 << 11;
/// How long a block is waited for to be full, milliseconds.
const PATIENCE: u32 = 60;

/// Where `struct tpacket_block_desc` has its status, linux/if_packet.h.
const STATUS: usize = 8;
const OURS: u32 = 1;
const THE_KERNELS: u32 = 0;

/// `struct tpacket_req3`, linux/if_packet.h.
#[repr(C)]
struct Request {
    block_size: u32,
    blocks: u32,
    frame_size: u32,
    frames: u32,
    patience: u32,
    private: u32,
    features: u32,
}

/// Blocks of packets that the kernel fills and we empty.
#[derive(Debug)]
pub struct Ring {
    memory: NonNull<u8>,
    /// The block that we wait for.
    next: usize,
}

// SAFETY: the memory is this ring's alone, and nothing in it belongs to a thread.
unsafe impl Send for Ring {}

impl Ring {
    /// Makes the ring of a packet socket.
    pub fn of(socket: &OwnedFd) -> io::Result<Self> {
        let request = Request {
            block_size: BLOCK as u32,
            blocks: BLOCKS as u32,
            frame_size: FRAME as u32,
            frames: (BLOCK / FRAME * BLOCKS) as u32,
            patience: PATIENCE,
            private: 0,
            features: 0,
        };
        set(socket, libc::SOL_PACKET, libc::PACKET_RX_RING, &request)?;
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: the kernel chooses the place, so nothing of ours is replaced.
        let memory = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                BLOCK * BLOCKS,
                protection,
                libc::MAP_SHARED,
                socket.as_raw_fd(),
                0,
            )
        };
        if memory == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let memory = NonNull::new(memory.cast()).ok_or(io::ErrorKind::OutOfMemory)?;
        Ok(Self { memory, next: 0 })
    }

    fn status(&self) -> &AtomicU32 {
        // SAFETY: it lies in the mapping, aligned to 4, and is written by atomic operations on both sides.
        unsafe { &*self.memory.as_ptr().add(self.next * BLOCK + STATUS).cast::<AtomicU32>() }
    }

    /// The next block, if the kernel has filled it.
    pub fn peek(&self) -> Option<&[u8]> {
        // Its writing of the packets came before its writing of this.
        (self.status().load(Ordering::Acquire) & OURS != 0).then(|| {
            // SAFETY: it lies in the mapping. The kernel does not write a block that is ours, and it stays ours while this is
            // borrowed, since giving it back takes `&mut self`. The status is written by nobody meanwhile.
            unsafe { std::slice::from_raw_parts(self.memory.as_ptr().add(self.next * BLOCK), BLOCK) }
        })
    }

    /// Gives the block back that was shown, and goes on to the next.
    pub fn advance(&mut self) {
        // Our reading came before.
        self.status().store(THE_KERNELS, Ordering::Release);
        self.next = (self.next + 1) % BLOCKS;
    }
}

impl Drop for Ring {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours, of this length, and no reference into it outlives `self`.
        unsafe { libc::munmap(self.memory.as_ptr().cast(), BLOCK * BLOCKS) };
    }
}
