//! What numbers a study may contain: everything else is refused before anything runs.

use super::error::StudyError;
use super::form::Study;
use super::limit::Limit;

/// The seconds that a study may take, preparation included: a day at most.
pub const BUDGET_S: std::ops::RangeInclusive<f64> = 1.0..=86_400.0;

/// More cases than this no run can go round, and no reader can overlook.
pub(super) const MAX_CASES: usize = 20_000;

/// Combinations that are tried in looking for the cases that exist: each handshake that the vocabulary allows, on a few
/// numbers of threads, is fewer.
const MAX_COMBINATIONS: usize = 200_000;

impl Study {
    /// Checks every number of the study, and that its lists do not multiply beyond all measure.
    pub(crate) fn check(&self) -> Result<(), StudyError> {
        if !BUDGET_S.contains(&self.budget_s) {
            let what = "the budget in seconds";
            return Err(self.out_of_range("budget_s", what, self.budget_s, "from 1 to 86400"));
        }
        let precision = self.precision.0.0;
        if !(precision > 0.0 && precision <= 1.0) {
            let what = "the precision, a fraction,";
            return Err(self.out_of_range("precision", what, precision, "above 0 and at most 1"));
        }
        self.within("max_rounds", Limit::ROUNDS, &[self.max_rounds.into()])?;
        for matrix in &self.primitive {
            self.within("[[primitive]] sizes", Limit::MESSAGE, &matrix.sizes)?;
            self.within("[[primitive]] threads", Limit::THREADS, &matrix.threads)?;
        }
        for matrix in &self.handshake {
            self.within("[[handshake]] chains", Limit::CHAIN, &matrix.chains)?;
            self.within("[[handshake]] threads", Limit::THREADS, &matrix.threads)?;
        }
        for matrix in &self.bulk {
            self.within("[[bulk]] records", Limit::RECORD, &matrix.records)?;
            self.within("[[bulk]] writes", Limit::WRITE, &matrix.writes)?;
            self.within("[[bulk]] buffers", Limit::BUFFER, &matrix.buffers)?;
        }
        for matrix in &self.idle {
            self.within("[[idle]] connections", Limit::IDLE, &matrix.connections)?;
        }
        for matrix in &self.load {
            let requests = &matrix.requests_per_connection;
            self.within("[[load]] connections", Limit::CONNECTIONS, &matrix.connections)?;
            self.within("[[load]] requests_per_connection", Limit::REQUESTS, requests)?;
            self.within("[[load]] bodies", Limit::BODY, &matrix.bodies)?;
            self.within("[[load]] work_us", Limit::WORK, &matrix.work_us)?;
            self.within("[[load]] resumed_percent", Limit::RESUMED, &matrix.resumed_percent)?;
            self.within("[[load]] rates", Limit::RATE, &matrix.rates)?;
            self.within("[[load]] tls_buffers", Limit::TLS_BUFFER, &matrix.tls_buffers)?;
            self.within("[[load]] workers", Limit::WORKERS, &matrix.workers)?;
            self.within("[[load]] threads", Limit::THREADS, &matrix.threads)?;
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

    fn within(&self, place: &str, limit: Limit, values: &[u64]) -> Result<(), StudyError> {
        match values.iter().find(|value| !limit.allows(**value)) {
            Some(value) => Err(self.out_of_range(place, limit.what, value, &limit.range())),
            None => Ok(()),
        }
    }

    fn out_of_range(&self, place: &str, what: &'static str, value: impl ToString, range: &str) -> StudyError {
        StudyError::OutOfRange {
            study: self.name.clone(),
            place: place.to_owned(),
            what,
            value: value.to_string(),
            range: range.to_owned(),
        }
    }
}
