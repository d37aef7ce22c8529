//! How long the requests of a batch took.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hdrhistogram::Histogram;
use hdrhistogram::serialization::{Serializer as _, V2Serializer};
use tlstax_measure::clock::monotonic;
use tlstax_spec::{Nanos, Stage};

use crate::job::JobError;

/// Latencies from a microsecond to a minute, to three digits.
const LONGEST_US: u64 = 60_000_000;
const DIGITS: u8 = 3;

/// A histogram of microseconds.
#[derive(Debug, Clone)]
pub struct Latencies(Histogram<u64>);

impl Default for Latencies {
    fn default() -> Self {
        Self(
            Histogram::new_with_bounds(1, LONGEST_US, DIGITS)
                .expect("the highest is more than twice the lowest, and three digits are fewer than five"),
        )
    }
}

impl Latencies {
    /// Notes a request that began at this time and has just been answered.
    pub fn note(&mut self, begun: Nanos) {
        let micros = (monotonic().since(begun).0 + 500) / 1000;
        self.0.saturating_record(micros.max(1));
    }

    /// Forgets all of them.
    pub fn reset(&mut self) {
        self.0.reset();
    }

    /// All of them together in HdrHistogram's V2 encoding, base64, as [`tlstax_spec::Sample::latency`] wants it.
    ///
    /// # Errors
    /// They cannot be added up or encoded, which nobody has seen.
    pub fn encode<'a>(parts: impl IntoIterator<Item = &'a Self>) -> Result<String, JobError> {
        let failed =
            |error: &dyn std::fmt::Display| JobError::failed(Stage::Run, format!("latencies: {error}"));
        let mut all = Self::default();
        for part in parts {
            all.0.add(&part.0).map_err(|error| failed(&error))?;
        }
        let mut bytes = Vec::new();
        V2Serializer::new().serialize(&all.0, &mut bytes).map_err(|error| failed(&error))?;
        Ok(STANDARD.encode(bytes))
    }
}
