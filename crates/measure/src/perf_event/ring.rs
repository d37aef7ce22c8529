//! [`Ring`]: records that the kernel writes and we read, in memory that both see.

use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering};

/// Where `struct perf_event_mmap_page` has data_head and data_tail, linux/perf_event.h.
const HEAD: usize = 1024;
const TAIL: usize = 1032;

/// A header of 8 bytes: type, flags, length with the header.
const HEADER: usize = 8;

/// Records that the kernel writes and we read. What has been read is given back by [`Ring::release`].
#[derive(Debug)]
pub struct Ring {
    memory: NonNull<u8>,
    /// Of the whole mapping: a page, then the data.
    length: usize,
    page: usize,
    /// Up to where the kernel had written when we looked last.
    head: u64,
    /// Up to where we have read.
    tail: u64,
}

/// A record. What lies across the end of the ring is in two parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record<'r> {
    /// PERF_RECORD_*.
    pub kind: u32,
    pub misc: u16,
    /// Without the header.
    pub body: (&'r [u8], &'r [u8]),
}

impl Ring {
    /// Maps the ring of an event with so many bytes of data: a page, doubled any number of times.
    ///
    /// # Errors
    /// The kernel allows this user no more memory for rings (EPERM), or there is none.
    pub fn map(event: &OwnedFd, bytes: usize) -> io::Result<Self> {
        let page = rustix::param::page_size();
        if !bytes.is_multiple_of(page) || !(bytes / page).is_power_of_two() {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        let length = page + bytes;
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: the kernel chooses the place, so nothing of ours is replaced.
        let memory = unsafe {
            libc::mmap(std::ptr::null_mut(), length, protection, libc::MAP_SHARED, event.as_raw_fd(), 0)
        };
        if memory == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let memory = NonNull::new(memory.cast()).ok_or(io::ErrorKind::OutOfMemory)?;
        Ok(Self { memory, length, page, head: 0, tail: 0 })
    }

    /// How many bytes of records it holds.
    pub fn capacity(&self) -> usize {
        self.length - self.page
    }

    fn counter(&self, at: usize) -> &AtomicU64 {
        // SAFETY: both lie in the first page, aligned to 8, and are written by atomic operations on both sides.
        unsafe { &*self.memory.as_ptr().add(at).cast::<AtomicU64>() }
    }

    /// Looks how far the kernel has written.
    pub fn look(&mut self) {
        // Its writing of the records came before its writing of this.
        self.head = self.counter(HEAD).load(Ordering::Acquire);
    }

    /// The next record that had been written when we looked.
    pub fn peek(&self) -> Option<Record<'_>> {
        let (header, _) = self.bytes(self.tail, HEADER)?;
        // Records are multiples of 8, and so is the ring: a header is in one part.
        let kind = u32::from_ne_bytes(header.get(..4)?.try_into().ok()?);
        let misc = u16::from_ne_bytes(header.get(4..6)?.try_into().ok()?);
        let body = self.bytes(self.tail + HEADER as u64, self.size()?.checked_sub(HEADER)?)?;
        Some(Record { kind, misc, body })
    }

    fn size(&self) -> Option<usize> {
        let (header, _) = self.bytes(self.tail, HEADER)?;
        Some(u16::from_ne_bytes(header.get(6..8)?.try_into().ok()?).into())
    }

    /// Bytes that had been written when we looked, in the one or two parts in which they lie.
    fn bytes(&self, from: u64, length: usize) -> Option<(&[u8], &[u8])> {
        if self.head.wrapping_sub(from) < length as u64
            || self.head.wrapping_sub(from) > self.capacity() as u64
        {
            return None;
        }
        // The capacity is a power of two, and fits.
        let start = (from & (self.capacity() as u64 - 1)) as usize;
        let first = length.min(self.capacity() - start);
        // SAFETY: both parts lie within the data behind the first page, and the kernel writes nothing between our tail and its
        // head: the tail does not move while these are borrowed, since that takes `&mut self`.
        unsafe {
            let data = self.memory.as_ptr().add(self.page);
            Some((
                std::slice::from_raw_parts(data.add(start), first),
                std::slice::from_raw_parts(data, length - first),
            ))
        }
    }

    /// Goes on to the next record.
    pub fn advance(&mut self) {
        // A size of 0 would be a broken ring: all of it is passed over.
        match self.size().filter(|size| *size >= HEADER) {
            Some(size) => self.tail = self.tail.wrapping_add(size as u64),
            None => self.tail = self.head,
        }
    }

    /// Lets the kernel write where we have read.
    pub fn release(&mut self) {
        // Our reading came before.
        self.counter(TAIL).store(self.tail, Ordering::Release);
    }
}

impl Drop for Ring {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours, of this length, and no reference into it outlives `self`.
        unsafe { libc::munmap(self.memory.as_ptr().cast(), self.length) };
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::os::fd::AsFd;

    use super::*;

    const DATA: usize = 4096;

    /// A ring in a file of memory, into which the test writes as the kernel would.
    struct Fake {
        ring: Ring,
        file: OwnedFd,
        page: usize,
        head: u64,
    }

    impl Fake {
        fn new() -> Self {
            let file = rustix::fs::memfd_create("ring", rustix::fs::MemfdFlags::CLOEXEC).unwrap();
            let page = rustix::param::page_size();
            let data = DATA.max(page);
            rustix::fs::ftruncate(&file, (page + data) as u64).unwrap();
            Self { ring: Ring::map(&file, data).unwrap(), file, page, head: 0 }
        }

        fn write(&mut self, kind: u32, body: &[u8]) {
            let size = u16::try_from(8 + body.len()).unwrap();
            let header = [&kind.to_ne_bytes()[..], &2_u16.to_ne_bytes(), &size.to_ne_bytes()].concat();
            for byte in header.iter().chain(body) {
                let at = self.page as u64 + self.head % self.ring.capacity() as u64;
                rustix::io::pwrite(self.file.as_fd(), &[*byte], at).unwrap();
                self.head += 1;
            }
            rustix::io::pwrite(self.file.as_fd(), &self.head.to_ne_bytes(), HEAD as u64).unwrap();
        }
    }

    #[test]
    fn records_come_one_after_the_other_and_across_the_end() {
        let mut fake = Fake::new();
        assert_eq!(fake.ring.peek(), None);
        let long = vec![7; fake.ring.capacity() - 32];
        fake.write(9, &long);
        assert_eq!(fake.ring.peek(), None, "nobody has looked");
        fake.ring.look();
        let record = fake.ring.peek().unwrap();
        assert_eq!((record.kind, record.misc, record.body), (9, 2, (long.as_slice(), &[][..])));
        fake.ring.advance();
        assert_eq!(fake.ring.peek(), None);
        fake.ring.release();
        fake.write(
            3,
            &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24],
        );
        fake.ring.look();
        let record = fake.ring.peek().unwrap();
        let (first, second) = record.body;
        assert_eq!((first.len(), second.len(), second[0]), (16, 8, 17));
        let mut tail = [0; 8];
        rustix::io::pread(fake.file.as_fd(), &mut tail, TAIL as u64).unwrap();
        assert_eq!(u64::from_ne_bytes(tail), fake.ring.capacity() as u64 - 24);
    }

    #[test]
    fn a_ring_is_a_power_of_two() {
        let fake = Fake::new();
        assert!(Ring::map(&fake.file, 3 * fake.page).is_err() && Ring::map(&fake.file, 100).is_err());
    }

    #[test]
    fn a_broken_record_ends_the_reading_and_no_more() {
        let mut fake = Fake::new();
        // A size of 0.
        rustix::io::pwrite(fake.file.as_fd(), &64_u64.to_ne_bytes(), HEAD as u64).unwrap();
        fake.ring.look();
        assert_eq!(fake.ring.peek(), None);
        fake.ring.advance();
        assert_eq!(fake.ring.tail, 64);
    }
}
