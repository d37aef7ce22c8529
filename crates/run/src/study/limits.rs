//! What numbers a study may contain: everything else is refused before anything runs.

use tlstax_spec::Limit;

use super::error::StudyError;
use super::form::Study;
use super::matrix::{Matrix, combinations};
use super::params::Negotiated;

/// The seconds that a study may take, preparation included: a day at most.
pub const BUDGET_S: std::ops::RangeInclusive<f64> = 1.0..=86_400.0;

/// More cases than this no run can go round, and no reader can overlook.
pub(super) const MAX_CASES: usize = 20_000;

/// Combinations that are tried in looking for the cases that exist: each handshake that the vocabulary allows, on a few
/// numbers of threads, is fewer.
const MAX_COMBINATIONS: usize = 200_000;

/// The rounds of batches that a study may have.
const ROUNDS: Limit = Limit::new(1, 100_000, "the number of rounds");

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
        self.within("max_rounds", ROUNDS, &self.max_rounds.map(u64::from).into_iter().collect::<Vec<_>>())?;
        self.check_lists(&self.primitive)?;
        self.check_lists(&self.handshake)?;
        self.check_lists(&self.bulk)?;
        self.check_lists(&self.idle)?;
        self.check_lists(&self.load)?;
        self.few_enough("combinations", self.combinations(), MAX_COMBINATIONS)
    }

    /// Refuses more of something than can be used.
    pub(super) fn few_enough(&self, what: &'static str, found: usize, most: usize) -> Result<(), StudyError> {
        match found <= most {
            true => Ok(()),
            false => Err(StudyError::TooMany { study: self.name.clone(), what, found, most }),
        }
    }

    fn check_lists<M: Matrix>(&self, matrices: &[M]) -> Result<(), StudyError> {
        for (matrix, list) in
            matrices.iter().flat_map(|matrix| M::LISTS.iter().map(move |list| (matrix, list)))
        {
            let place = format!("{} {}", M::PLACE, list.key);
            self.within(&place, list.limit.unwrap_or(Limit::NONE), &(list.numbers)(matrix))?;
        }
        Ok(())
    }

    /// The items of all lists multiplied, matrix by matrix, before those combinations that do not exist are left out.
    fn combinations(&self) -> usize {
        let primitive = self.primitive.iter().map(|m| {
            let ops: usize = m.algorithms.iter().map(|algorithm| algorithm.ops().len()).sum();
            ops.max(1).saturating_mul(combinations(m, &[]))
        });
        let of = |lists: Negotiated<'_>, rest: usize| lists.combinations().saturating_mul(rest);
        let handshake = self.handshake.iter().map(|m| of(m.negotiated(), combinations(m, &[])));
        let bulk = self.bulk.iter().map(|m| of(m.negotiated(), combinations(m, &[])));
        let idle = self.idle.iter().map(|m| of(m.negotiated(), combinations(m, &[])));
        let load = self.load.iter().map(|m| {
            let kinds = of(m.negotiated(), m.resumptions.len().max(1)).saturating_add(m.plain.into());
            let clients = m.clients.len().max(1);
            kinds.saturating_mul(clients).saturating_mul(combinations(m, &["resumptions"]))
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
