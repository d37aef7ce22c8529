//! What numbers a study may contain: everything else is refused before anything runs.

use super::error::StudyError;
use super::form::Study;

/// The largest message, body or buffer: large enough to leave every cache, small enough to hold in memory.
const MAX_BYTES: u64 = 64 << 20;

/// The largest body of a load: large transfers are what some studies are about.
const MAX_BODY: u64 = 2 << 30;

/// More cases than this no run can go round, and no reader can overlook.
pub(super) const MAX_CASES: usize = 20_000;

/// Combinations that are tried in looking for the cases that exist: each handshake that the vocabulary allows, on a few
/// numbers of threads, is fewer.
const MAX_COMBINATIONS: usize = 200_000;

impl Study {
    /// Checks every number of the study, and that its lists do not multiply beyond all measure.
    pub(crate) fn check(&self) -> Result<(), StudyError> {
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
            self.within("[[load]] bodies", "a body size in bytes", &matrix.bodies, 0, MAX_BODY)?;
            self.within("[[load]] work_us", "work in microseconds", &matrix.work_us, 0, 1_000_000)?;
            self.within("[[load]] resumed_percent", "a percentage", &matrix.resumed_percent, 1, 100)?;
            self.within("[[load]] rates", "requests per second", &matrix.rates, 0, 1_000_000)?;
            self.within("[[load]] tls_buffers", "a buffer size in bytes", &matrix.tls_buffers, 0, 16384)?;
            self.within("[[load]] workers", "a number of workers", &matrix.workers, 1, 1024)?;
            self.within("[[load]] threads", "a number of threads", &matrix.threads, 1, 1024)?;
        }
        self.few_enough("combinations", self.combinations(), MAX_COMBINATIONS)
    }

    /// Refuses more of something than can be used.
    pub(super) fn few_enough(&self, what: &'static str, found: usize, most: usize) -> Result<(), StudyError> {
        match found <= most {
            true => Ok(()),
            false => Err(StudyError::TooMany { study: self.name.clone(), what, found, most }),
        }
    }

    /// The items of all lists multiplied, matrix by matrix, before those combinations that do not exist are left out.
    fn combinations(&self) -> usize {
        // An empty list counts as one: the others are multiplied before it is seen that nothing comes of them.
        let product = |lengths: &[usize]| {
            lengths.iter().fold(1, |product: usize, length| product.saturating_mul(*length.max(&1)))
        };
        let params = |versions: usize, suites: usize, groups: usize, keys: usize| {
            // One more than the groups: none.
            product(&[versions, suites, groups.saturating_add(1), keys])
        };
        let primitive = self.primitive.iter().map(|m| {
            let ops = m.algorithms.iter().map(|algorithm| algorithm.ops().len()).sum();
            product(&[ops, m.sizes.len(), m.patterns.len(), m.threads.len()])
        });
        let handshake = self.handshake.iter().map(|m| {
            let params = params(m.versions.len(), m.suites.len(), m.groups.len(), m.keys.len());
            product(&[
                params,
                m.resumptions.len(),
                m.chains.len(),
                m.mutual.len(),
                m.threads.len(),
                m.contexts.len(),
            ])
        });
        let bulk = self.bulk.iter().map(|m| {
            let params = params(m.versions.len(), m.suites.len(), m.groups.len(), m.keys.len());
            product(&[params, m.directions.len(), m.records.len(), m.writes.len(), m.buffers.len()])
        });
        let idle = self.idle.iter().map(|m| {
            let params = params(m.versions.len(), m.suites.len(), m.groups.len(), m.keys.len());
            product(&[params, m.sides.len(), m.connections.len()])
        });
        let load = self.load.iter().map(|m| {
            let params = params(m.versions.len(), m.suites.len(), m.groups.len(), m.keys.len());
            let kinds = params.saturating_mul(m.resumptions.len()).saturating_add(m.plain.into());
            let shapes = [
                m.clients.len(),
                m.http.len(),
                m.resumed_percent.len(),
                m.connections.len(),
                m.requests_per_connection.len(),
                m.rates.len(),
                m.directions.len(),
                m.pages.len(),
                m.bodies.len(),
                m.work_us.len(),
                m.threads.len(),
            ];
            let tuning =
                [m.sendfile.len(), m.tls_buffers.len(), m.workers.len(), m.pinned.len(), m.sessions.len()];
            product(&[kinds, product(&shapes), product(&tuning)])
        });
        primitive.chain(handshake).chain(bulk).chain(idle).chain(load).fold(0, usize::saturating_add)
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
