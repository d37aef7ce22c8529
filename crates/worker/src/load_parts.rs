//! What one end of a load took for each part of a window.

use tlstax_measure::clock::thread_cpu;
use tlstax_spec::Nanos;

/// The CPU clock of this thread, read whenever so many more responses are complete: at the client that they have come, at the
/// server that they are sent.
#[derive(Debug, Default)]
pub struct LoadParts {
    /// Responses in a part; 0 where parts are not told.
    part: u64,
    /// Responses that the part in hand lacks.
    lacks: u64,
    /// When the part in hand began.
    begun: Nanos,
    parts: Vec<Nanos>,
}

impl LoadParts {
    /// A window begins, whose parts have so many responses; 0 tells none.
    pub fn begin(&mut self, part: u64) {
        *self = Self { part, lacks: part, begun: thread_cpu(), parts: Vec::new() };
    }

    /// A response is complete. Where parts are not told this does nothing.
    pub fn answered(&mut self) {
        if self.part == 0 {
            return;
        }
        self.lacks -= 1;
        if self.lacks == 0 {
            self.lacks = self.part;
            self.cut(thread_cpu());
        }
    }

    /// So much of the part in hand was no work, such as waiting awake.
    pub fn leave_out(&mut self, spent: Nanos) {
        self.begun += spent;
    }

    /// The window has ended. What came after the last response, such as closing connections, belongs to the last part.
    pub fn end(&mut self) -> Vec<Nanos> {
        if let Some(last) = self.parts.last_mut() {
            *last += thread_cpu().since(self.begun);
        }
        std::mem::take(self).parts
    }

    fn cut(&mut self, now: Nanos) {
        self.parts.push(now.since(self.begun));
        self.begun = now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_has_as_many_responses_as_were_asked_for() {
        let mut parts = LoadParts::default();
        for (part, responses, expected) in [(4, 12, 3), (0, 12, 0), (5, 4, 0)] {
            parts.begin(part);
            (0..responses).for_each(|_| parts.answered());
            assert_eq!(parts.end().len(), expected);
        }
        // Between windows responses count for nothing.
        parts.answered();
        assert_eq!(parts.end(), []);
    }

    #[test]
    fn what_was_no_work_is_left_out() {
        let mut parts = LoadParts::default();
        parts.begin(1);
        parts.leave_out(Nanos(1_000_000_000_000));
        parts.answered();
        assert_eq!(parts.parts, [Nanos(0)]);
    }

    #[test]
    fn every_nanosecond_of_a_window_is_in_one_part() {
        let before = thread_cpu();
        let mut parts = LoadParts::default();
        parts.begin(1);
        let begun = parts.begun;
        (0..10).for_each(|_| parts.answered());
        let cut = parts.begun;
        assert_eq!(parts.parts.iter().copied().sum::<Nanos>(), cut.since(begun));
        let sum = parts.end().into_iter().sum::<Nanos>();
        assert!(sum >= cut.since(begun) && sum <= thread_cpu().since(before));
    }
}
