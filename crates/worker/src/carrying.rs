//! What a queue in memory takes to copy what passes through it, told apart from the sides that it is copied for.

use std::cell::Cell;

use tlstax_measure::clock::monotonic;
use tlstax_spec::Nanos;

/// The shortest piece whose copying is timed: two readings of the clock take as long as copying some 4 KiB.
pub(crate) const LARGE: usize = 8 * 1024;

/// What copying took.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Carried {
    pub(crate) elapsed: Nanos,
    /// Without the time for which the thread was kept from its core meanwhile.
    pub(crate) cpu: Nanos,
}

/// Times the copying into a queue and out of it.
#[derive(Debug, Default)]
pub(crate) struct Carrying {
    timed: Cell<bool>,
    took: Cell<Carried>,
    /// Of the fastest copying so far, its nanoseconds and bytes.
    fastest: Cell<Option<(u64, u64)>>,
}

/// Copying that takes so many times what the fastest took was interrupted: from main memory it takes less.
const INTERRUPTED: u64 = 32;

impl Carrying {
    /// From now on the copying of large pieces is timed.
    pub(crate) fn time(&self) {
        self.timed.set(true);
    }

    /// What it took since this was last asked.
    pub(crate) fn took(&self) -> Carried {
        self.took.take()
    }

    /// Copies so many bytes.
    pub(crate) fn copy(&self, length: usize, copy: impl FnOnce()) {
        if length < LARGE || !self.timed.get() {
            return copy();
        }
        let begun = monotonic();
        copy();
        let took = monotonic().since(begun);
        let Carried { elapsed, cpu } = self.took.get();
        self.took.set(Carried { elapsed: elapsed + took, cpu: cpu + self.uninterrupted(took, length) });
    }

    fn uninterrupted(&self, took: Nanos, length: usize) -> Nanos {
        let (took, length) = (took.0.max(1), length as u64);
        let (least, of) = self.fastest.get().unwrap_or((took, length));
        // Compared as rates, without a division.
        let (this, fastest) = (took.saturating_mul(of), least.saturating_mul(length));
        if this <= fastest {
            self.fastest.set(Some((took, length)));
        }
        Nanos(if this > fastest.saturating_mul(INTERRUPTED) { fastest / of } else { took })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interruption_is_no_cpu_time() {
        let carrying = Carrying::default();
        assert_eq!(carrying.uninterrupted(Nanos(1600), 16 * 1024), Nanos(1600));
        assert_eq!(carrying.uninterrupted(Nanos(32 * 160), 16 * 1024), Nanos(32 * 160));
        assert_eq!(carrying.uninterrupted(Nanos(160), 16 * 1024), Nanos(160));
        assert_eq!(carrying.uninterrupted(Nanos(1_000_000), 16 * 1024), Nanos(160));
    }
}
