//! Where a run stands while it goes round.

use tlstax_doc::Slice;
use tlstax_measure::clock;
use tlstax_spec::Nanos;

use super::sitting::Sitting;
use super::state::State;

/// The references are read again after so much work: states of the machine last longer, and a reading of 0.3 ms
/// then takes a few percent of the run.
pub(crate) const SLICE_WORK: Nanos = Nanos::from_millis(8);

/// Where a run stands.
pub(crate) struct Course {
    pub sitting: Sitting,
    pub state: State,
    /// What the run had lasted before it was gone on with.
    pub before_ms: u64,
    /// When the references were last read.
    pub slice_at: Nanos,
    /// The timed work since then: scripted workers take no time of ours.
    pub worked: Nanos,
}

impl Course {
    pub fn after(last: Option<&Slice>) -> Self {
        Self {
            sitting: Sitting::new(last.map_or(1, |slice| slice.sitting.saturating_add(1))),
            state: State::default(),
            before_ms: last.map_or(0, |slice| slice.at_ms),
            slice_at: Nanos(0),
            worked: Nanos(0),
        }
    }

    pub fn needs_reading(&self) -> bool {
        self.worked.max(clock::monotonic().since(self.slice_at)) >= SLICE_WORK
    }

    pub fn note_slice(&mut self) {
        (self.slice_at, self.worked) = (clock::monotonic(), Nanos(0));
    }
}
