//! What numbers a study may contain: everything else is refused before anything runs.

use super::form::{Study, StudyError};

/// The largest message, body or buffer: large enough to leave every cache, small enough to hold in memory.
const MAX_BYTES: u64 = 64 << 20;

impl Study {
    /// Checks every number of the study.
    pub(super) fn check(&self) -> Result<(), StudyError> {
        if !(self.budget_s >= 1.0 && self.budget_s <= 86_400.0) {
            return Err(self.out_of_range("budget_s", "the budget in seconds", self.budget_s, 1, 86_400));
        }
        if !(self.precision > 0.0 && self.precision <= 1.0) {
            return Err(self.out_of_range("precision", "the precision, a fraction,", self.precision, 0, 1));
        }
        self.within("max_rounds", "the number of rounds", &[self.max_rounds.into()], 1, 100_000)?;
        for matrix in &self.primitive {
            self.within("[[primitive]] sizes", "a message size in bytes", &matrix.sizes, 1, MAX_BYTES)?;
            self.within("[[primitive]] threads", "a number of threads", &matrix.threads, 1, 1024)?;
        }
        for matrix in &self.handshake {
            self.within("[[handshake]] chains", "the certificates in a chain", &matrix.chains, 1, 3)?;
            self.within("[[handshake]] threads", "a number of threads", &matrix.threads, 1, 1024)?;
        }
        for matrix in &self.bulk {
            self.within("[[bulk]] records", "a record size in bytes", &matrix.records, 512, 16384)?;
            self.within("[[bulk]] writes", "a write size in bytes", &matrix.writes, 1, MAX_BYTES)?;
            self.within("[[bulk]] buffers", "a buffer size in bytes", &matrix.buffers, 1, MAX_BYTES)?;
        }
        for matrix in &self.idle {
            self.within("[[idle]] connections", "a number of connections", &matrix.connections, 1, 100_000)?;
        }
        for matrix in &self.load {
            self.within("[[load]] connections", "a number of connections", &matrix.connections, 1, 10_000)?;
            self.within(
                "[[load]] requests_per_connection",
                "requests",
                &matrix.requests_per_connection,
                0,
                1_000_000,
            )?;
            self.within("[[load]] bodies", "a body size in bytes", &matrix.bodies, 0, MAX_BYTES)?;
            self.within("[[load]] work_us", "work in microseconds", &matrix.work_us, 0, 1_000_000)?;
        }
        Ok(())
    }

    fn within(
        &self,
        place: &str,
        what: &'static str,
        values: &[u64],
        low: u64,
        high: u64,
    ) -> Result<(), StudyError> {
        match values.iter().find(|value| !(low..=high).contains(value)) {
            Some(value) => Err(self.out_of_range(place, what, value, low, high)),
            None => Ok(()),
        }
    }

    fn out_of_range(
        &self,
        place: &str,
        what: &'static str,
        value: impl ToString,
        low: u64,
        high: u64,
    ) -> StudyError {
        StudyError::OutOfRange {
            study: self.name.clone(),
            place: place.to_owned(),
            what,
            value: value.to_string(),
            low,
            high,
        }
    }
}
