//! Counting records that nobody reads.
//!
//! A record's plaintext is as long as its header says, less the overhead, so a body needs only its headers read. Where the
//! server cut the body of the last response into equal records and does so again, even most headers are passed over; the
//! one behind each stretch, and that of the last record, must be where they are expected.

/// Shorter records are copied along rather than discarded one by one.
const LARGE: usize = 4096;

/// Records that are passed over in one go.
const STRETCH: u64 = 0;

/// The records of one response's body so far, without the one that the head was in.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Walk {
    /// The plaintext in the first.
    size: usize,
    /// How many of that size there were.
    count: u32,
    /// Whether one was not of that size, the last one aside.
    is_uneven: bool,
}

/// What is passed over.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Stride {
    /// Records behind this one.
    pub(super) records: u64,
    /// Their plaintext, and that of this one.
    pub(super) plaintext: u64,
}

impl Walk {
    /// Whether the next header is worth a system call of its own.
    pub(super) const fn is_large(&self) -> bool {
        self.size >= LARGE
    }

    /// A record with so much plaintext, of a body of which so much is left with it. How many may be passed over is known
    /// from the `shape` of the response before.
    pub(super) fn step(&mut self, plaintext: usize, left: u64, shape: Option<usize>) -> Option<Stride> {
        let after = left.checked_sub(plaintext as u64)?;
        if self.count == 0 {
            self.size = plaintext;
        }
        if plaintext == self.size {
            self.count = self.count.saturating_add(1);
        } else if after > 0 || plaintext > self.size {
            self.is_uneven = true;
        }
        let may_pass = shape == Some(plaintext) && plaintext >= LARGE && !self.is_uneven;
        // The last record's header is always read.
        let whole = after.saturating_sub(1) / (plaintext as u64).max(1);
        let records = if may_pass { whole.min(STRETCH) } else { 0 };
        // A stretch at most.
        self.count = self.count.saturating_add(records as u32);
        Some(Stride { records, plaintext: plaintext as u64 * (records + 1) })
    }

    /// The size of all records but the last, if they were alike and several, for the next response.
    pub(super) fn shape(&self) -> Option<usize> {
        (self.count >= 2 && !self.is_uneven).then_some(self.size)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;

    /// Walks over records as a connection does; how many headers were read, and the shape.
    fn walk(records: &[usize], shape: Option<usize>) -> Option<(usize, Option<usize>)> {
        let mut walk = Walk::default();
        let mut left: u64 = records.iter().map(|record| *record as u64).sum();
        let (mut at, mut read) = (0, 0);
        while left > 0 {
            let stride = walk.step(*records.get(at)?, left, shape)?;
            left -= stride.plaintext;
            at += 1 + stride.records as usize;
            read += 1;
        }
        (at == records.len()).then(|| (read, walk.shape()))
    }

    #[test]
    fn equal_records_are_passed_over_the_second_time() {
        let mut records = vec![16_384; 200];
        records.push(77);
        let (read, shape) = walk(&records, None).unwrap();
        assert_eq!((read, shape), (201, Some(16_384)));
        // 200 in strides of 65, and the last.
        assert_eq!(walk(&records, shape), Some((5, shape)));
        // A whole last record is looked at too.
        assert_eq!(walk(&[16_384; 131], shape).unwrap().0, 3);
    }

    #[test]
    fn uneven_records_are_not() {
        let mut records = [16_384, 16_384, 250].repeat(20);
        let (read, shape) = walk(&records, None).unwrap();
        assert_eq!((read, shape), (60, None));
        records = vec![1000; 50];
        assert_eq!(walk(&records, Some(1000)).unwrap().0, 50, "small records are copied");
    }

    #[test]
    fn more_than_the_body_is_refused() {
        assert_eq!(Walk::default().step(11, 10, None), None);
    }

    proptest! {
        #[test]
        fn no_record_is_counted_wrongly(
            size in 1_usize..=16_384, count in 0_usize..200, last in 1_usize..=16_384, shape in any::<bool>()
        ) {
            let mut records = vec![size; count];
            records.push(last.min(size));
            let shape = shape.then_some(size);
            prop_assert!(walk(&records, shape).is_some());
        }

        #[test]
        fn without_a_shape_every_header_is_read(records in proptest::collection::vec(1_usize..=16_384, 1..50)) {
            prop_assert_eq!(walk(&records, None).unwrap().0, records.len());
        }
    }
}
