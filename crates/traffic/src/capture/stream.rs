//! [`Stream`]: what one end of a connection sent, in the order in which it was sent.

use std::cmp::Ordering;

use super::records::{Listener, Records};
use super::segment::Segment;

/// Segments that wait for one before them.
const MOST_AHEAD: usize = 64;
/// Their bytes.
const MOST_BYTES_AHEAD: usize = 256 << 10;
/// How many bytes may have been acknowledged before the first of them is seen: a first flight.
const FARTHEST_BACK: i32 = 64 << 10;
/// What one of them takes in memory beside its bytes.
const BESIDE: usize = 64;

/// What one end of a connection sent.
#[derive(Default)]
pub struct Stream {
    /// The sequence number of the first byte that was, or could have been seen.
    first: Option<u32>,
    /// Of the byte that comes next.
    next: u32,
    /// What came too early, in order.
    ahead: Vec<Piece>,
    bytes_ahead: usize,
    records: Records,
    /// Whether its beginning and its end have been seen.
    pub has_begun: bool,
    pub has_ended: bool,
    /// Whether it had any bytes.
    pub has_bytes: bool,
}

/// A segment that came too early.
struct Piece {
    at: u32,
    bytes: Box<[u8]>,
    missing: u32,
}

/// What became of segments that do not count.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Losses {
    /// All of their bytes had come before.
    pub repeated: u64,
    /// Nothing could be told of them, since something before them is missing.
    pub behind_gap: u64,
    /// They were captured too short to tell what had to be known.
    pub snapped: u64,
    /// Places at which bytes are missing.
    pub gaps: u64,
}

impl Stream {
    /// The end has said where it begins: behind its SYN.
    pub fn begin(&mut self, first: u32) {
        self.go_back_to(first);
        self.expect(first);
        if self.next == first {
            self.records.begin();
        }
        self.has_begun = true;
    }

    /// The other end waits for this byte: what is before it has come, or will not be seen.
    pub fn expect(&mut self, next: u32) {
        if self.first.is_none() {
            self.first = Some(next);
            self.next = next;
        }
    }

    /// An answer may overtake what it acknowledges, and then says of the beginning that it has come.
    fn go_back_to(&mut self, first: u32) {
        if self.is_before(first) {
            self.first = Some(first);
            self.next = first;
        }
    }

    /// Whether this byte is before all that was thought of as the beginning, and could be it.
    fn is_before(&self, first: u32) -> bool {
        let is_near = |known| (1..FARTHEST_BACK).contains(&distance(first, known));
        !self.has_begun && !self.has_bytes && self.first.is_some_and(is_near)
    }

    /// Whether a SYN before this byte is the one of this stream.
    pub fn begins_at(&self, first: u32) -> bool {
        self.first.is_none_or(|known| known == first) || self.is_before(first)
    }

    /// Bytes of memory that it holds beside itself.
    pub fn held(&self) -> usize {
        self.bytes_ahead + self.records.held()
    }

    /// Takes a segment, and what waited for it.
    pub fn take(&mut self, segment: &Segment<'_>, listener: &mut impl Listener, losses: &mut Losses) {
        self.expect(segment.at);
        if segment.length() == 0 {
            return;
        }
        self.go_back_to(segment.at);
        self.has_bytes = true;
        if distance(self.next, segment.at) > 0 {
            self.keep(segment);
            while self.ahead.len() > MOST_AHEAD || self.bytes_ahead > MOST_BYTES_AHEAD {
                self.give_up(listener, losses);
            }
            return;
        }
        self.pass_on(segment.at, segment.bytes, segment.missing, listener, losses);
        self.go_on(listener, losses);
    }

    /// Passes on what waits for segments that will not come any more.
    pub fn flush(&mut self, listener: &mut impl Listener, losses: &mut Losses) {
        while !self.ahead.is_empty() {
            self.give_up(listener, losses);
        }
        self.records.flush(listener);
    }

    fn keep(&mut self, segment: &Segment<'_>) {
        let next = self.next;
        let place = self.ahead.partition_point(|piece| {
            let order = distance(next, piece.at).cmp(&distance(next, segment.at));
            // Of two that begin alike, the longer one last, whichever came first.
            order.then((piece.bytes.len()).cmp(&segment.bytes.len())) != Ordering::Greater
        });
        let piece = Piece { at: segment.at, bytes: segment.bytes.into(), missing: segment.missing };
        self.bytes_ahead += piece.bytes.len() + BESIDE;
        self.ahead.insert(place, piece);
    }

    /// Goes on behind the gap before the first piece.
    fn give_up(&mut self, listener: &mut impl Listener, losses: &mut Losses) {
        let Some(first) = self.ahead.first() else { return };
        let gap = distance(self.next, first.at);
        if gap > 0 {
            losses.gaps += 1;
            self.records.skip(gap.unsigned_abs(), listener);
            self.next = first.at;
        }
        self.go_on(listener, losses);
    }

    /// Passes on the pieces that have nothing missing before them.
    fn go_on(&mut self, listener: &mut impl Listener, losses: &mut Losses) {
        while self.ahead.first().is_some_and(|piece| distance(self.next, piece.at) <= 0) {
            let piece = self.ahead.remove(0);
            self.bytes_ahead -= piece.bytes.len() + BESIDE;
            self.pass_on(piece.at, &piece.bytes, piece.missing, listener, losses);
        }
    }

    /// Passes on what is new of a segment that begins at the next byte, or before it.
    fn pass_on(
        &mut self,
        at: u32,
        bytes: &[u8],
        missing: u32,
        listener: &mut impl Listener,
        losses: &mut Losses,
    ) {
        let length = (bytes.len() as u32).saturating_add(missing);
        let known = self.next.wrapping_sub(at);
        if known >= length {
            losses.repeated += 1;
            return;
        }
        self.next = at.wrapping_add(length);
        // Below the length, which is one of a slice but for what is missing.
        let new = bytes.get(known as usize..).unwrap_or_default();
        let missing = (length - known) - new.len() as u32;
        let is_read = self.records.read(new, listener);
        let is_whole = missing == 0 || self.records.skip(missing, listener);
        losses.behind_gap += u64::from(!is_read);
        losses.snapped += u64::from(is_read && !is_whole);
    }
}

/// How far a sequence number is behind another, which is less than half of all away.
const fn distance(from: u32, to: u32) -> i32 {
    to.wrapping_sub(from).cast_signed()
}
