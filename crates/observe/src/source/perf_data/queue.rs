//! [`Queue`]: puts records in the order of their times.

use super::blocks::Place;

/// A record that waits for its turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Waiting {
    pub time: u64,
    pub kind: u32,
    pub misc: u16,
    pub place: Place,
}

/// Puts records in the order of their times. perf reads the buffer of one CPU after the other, and marks when it has been
/// round: what comes two rounds later is younger than all before.
#[derive(Debug, Default)]
pub struct Queue {
    waiting: Vec<Waiting>,
    /// The youngest of the rounds before this one.
    limit: u64,
    youngest: u64,
}

impl Queue {
    pub fn push(&mut self, record: Waiting) {
        self.youngest = self.youngest.max(record.time);
        self.waiting.push(record);
    }

    /// perf has been round: what no later record can come before, in order.
    pub fn finish_round(&mut self) -> Vec<Waiting> {
        let limit = std::mem::replace(&mut self.limit, self.youngest);
        self.take_if(|record| record.time <= limit)
    }

    /// The older half of all.
    pub fn take_half(&mut self) -> Vec<Waiting> {
        let middle = self.waiting.len() / 2;
        let mut times: Vec<u64> = self.waiting.iter().map(|record| record.time).collect();
        let Some(limit) = times.get(middle).is_some().then(|| *times.select_nth_unstable(middle).1) else {
            return Vec::new();
        };
        self.take_if(|record| record.time <= limit)
    }

    pub fn take_all(&mut self) -> Vec<Waiting> {
        self.take_if(|_| true)
    }

    /// Those of the same time stay as they were read.
    fn take_if(&mut self, is_due: impl Fn(&Waiting) -> bool) -> Vec<Waiting> {
        let mut due: Vec<Waiting> = self.waiting.iter().copied().filter(&is_due).collect();
        self.waiting.retain(|record| !is_due(record));
        due.sort_by_key(|record| record.time);
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn push(queue: &mut Queue, time: u64) {
        let place = Place { block: 0, start: 0, end: 0 };
        queue.push(Waiting { time, kind: 9, misc: 0, place });
    }

    fn times(records: &[Waiting]) -> Vec<u64> {
        records.iter().map(|record| record.time).collect()
    }

    /// The example of perf's own comment on rounds (tools/perf/util/ordered-events.h, and before in session.c).
    #[test]
    fn what_no_later_record_can_come_before_is_due() {
        let mut queue = Queue::default();
        [1, 2, 2, 3, 4].iter().for_each(|time| push(&mut queue, *time));
        assert!(queue.finish_round().is_empty());
        [3, 5, 6, 7, 4, 5].iter().for_each(|time| push(&mut queue, *time));
        assert_eq!(times(&queue.finish_round()), [1, 2, 2, 3, 3, 4, 4]);
        [6, 8, 9, 7, 10].iter().for_each(|time| push(&mut queue, *time));
        assert_eq!(times(&queue.finish_round()), [5, 5, 6, 6, 7, 7]);
        assert_eq!(times(&queue.take_all()), [8, 9, 10]);
    }

    #[test]
    fn half_of_it_is_the_older_half() {
        let mut queue = Queue::default();
        assert_eq!(queue.take_half(), []);
        [5, 1, 4, 2, 3].iter().for_each(|time| push(&mut queue, *time));
        assert_eq!(times(&queue.take_half()), [1, 2, 3]);
        assert_eq!(times(&queue.take_all()), [4, 5]);
    }
}
