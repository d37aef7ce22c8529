//! The state of the machine, as the readings so far tell it.

use tlstax_doc::{Cores, Measurement, Results};
use tlstax_spec::Nanos;
use tlstax_stats::Reading;

/// What is known of the machine while a run goes on.
#[derive(Debug, Default)]
pub(crate) struct State {
    /// Each core at its best, and what counts as quiet.
    pub cores: Cores,
    latest: Reading,
    /// The cores are looked at again at so many readings: that reads all of them.
    look_at: usize,
}

impl State {
    /// Notes the latest reading.
    pub fn note(&mut self, latency: Nanos, throughput: Nanos) {
        self.latest = Reading { latency: latency.0 as f64, throughput: throughput.0 as f64 };
    }

    /// Looks at all readings again, where there are enough new ones.
    pub fn look(&mut self, results: &Results) {
        let readings = results.slices.len();
        if readings >= self.look_at {
            self.cores = Cores::of(&results.slices, results.measurements.iter().map(Measurement::batches));
            self.look_at = readings + readings / 16 + 1;
        }
    }

    /// Whether the latest reading shows somebody else on the machine. Never on a machine that is never quiet: nothing gets
    /// better there by waiting for another time.
    pub fn is_disturbed(&self) -> bool {
        let machine = self.cores.measuring().and_then(|baseline| baseline.machine.as_ref());
        machine.is_some_and(|machine| !machine.is_undisturbed(self.latest))
    }
}

#[cfg(test)]
mod tests {
    use tlstax_doc::Slice;

    use super::*;

    fn slice(throughput: u64) -> Slice {
        let (latency_ns, throughput_ns) = (Nanos(1000), Nanos(throughput));
        Slice {
            round: 1,
            sitting: 1,
            at_ms: 0,
            latency_ns,
            throughput_ns,
            steal_ns: Nanos(0),
            throttled_ns: Nanos(0),
        }
    }

    fn readings(slices: Vec<Slice>) -> Results {
        crate::rounds::tests::results(Vec::new(), slices)
    }

    #[test]
    fn a_reading_with_a_neighbour_in_it_is_a_disturbance_and_another_clock_is_none() {
        let mut state = State::default();
        state.note(Nanos(1000), Nanos(1400));
        assert!(!state.is_disturbed(), "nothing is known yet");
        state.look(&readings([vec![slice(1000); 20], vec![slice(1400); 20]].concat()));
        assert!(state.is_disturbed());
        state.note(Nanos(1050), Nanos(1052));
        assert!(!state.is_disturbed());
    }

    #[test]
    fn a_machine_that_is_never_quiet_is_not_waited_for() {
        let mut state = State::default();
        let wild: Vec<Slice> = (0..40).map(|at| slice(1000 + 200 * at)).collect();
        state.look(&readings(wild));
        assert_eq!(state.cores.measuring().and_then(|baseline| baseline.machine.as_ref()), None);
        state.note(Nanos(1000), Nanos(8800));
        assert!(!state.is_disturbed());
    }
}
