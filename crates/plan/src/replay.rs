//! A workload as loads that a client can offer: a study with a case for each kind of connection that matters.

mod case;
mod text;

use tlstax_doc::Workload;

use self::case::Case;
use crate::workload::assumed::Assumed;
use crate::workload::kinds::{Gathered, gathered};
use crate::workload::negotiated::Impossible;
use crate::workload::rate::{Rate, Rates};

/// What of a workload is offered.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ReplaySettings {
    /// The share of connections that the cases have to stand for.
    pub share: f64,
    pub rate: Rate,
}

impl Default for ReplaySettings {
    fn default() -> Self {
        Self { share: 0.95, rate: Rate::Busiest }
    }
}

/// A workload as loads.
#[derive(Debug, Clone, PartialEq)]
pub struct Replay {
    /// The study, TOML; what is left out and assumed stands in its comments.
    pub study: String,
    pub cases: usize,
    /// The share of connections that the cases stand for.
    pub covered: f64,
    /// What is left out, a sentence for each reason.
    pub left_out: Vec<String>,
    /// What is not known, and was assumed in its place: a sentence each.
    pub assumed: Vec<String>,
}

/// Why nothing can be offered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoReplay {
    #[error("the workload has neither connections nor requests: there is nothing to offer")]
    Nothing,
    #[error("no connection of the workload can be offered: {}", .0.join("; "))]
    Impossible(Vec<String>),
}

/// The loads of a workload.
///
/// # Errors
/// There is nothing in it, or nothing that a client of ours can offer.
pub fn replay(workload: &Workload, settings: ReplaySettings) -> Result<Replay, NoReplay> {
    let kinds = gathered(workload);
    let all: f64 = kinds.iter().map(Gathered::weight).sum();
    if all <= 0.0 {
        return Err(NoReplay::Nothing);
    }
    let chosen = Chosen::of(workload, &kinds, settings, all);
    if chosen.cases.is_empty() {
        return Err(NoReplay::Impossible(chosen.left_out(all)));
    }
    let covered = chosen.covered / all;
    let (left_out, assumed) = (chosen.left_out(all), chosen.assumed.sentences());
    let study = text::study(&chosen.cases, covered, settings.rate, &left_out, &assumed);
    Ok(Replay { study, cases: chosen.cases.len(), covered, left_out, assumed })
}

/// The cases, and what is not among them.
struct Chosen {
    cases: Vec<(Case, f64)>,
    /// Connections that the cases stand for.
    covered: f64,
    impossible: Vec<(Impossible, f64)>,
    /// Kinds that are rare, and their connections.
    rare: (usize, f64),
    assumed: Assumed,
}

impl Chosen {
    /// The kinds that most connections are of, as many as it takes.
    fn of(workload: &Workload, kinds: &[Gathered], settings: ReplaySettings, all: f64) -> Self {
        let mut assumed = Assumed::default();
        let rates = Rates::of(workload, settings.rate, &mut assumed);
        let mut chosen =
            Self { cases: Vec::new(), covered: 0.0, impossible: Vec::new(), rare: (0, 0.0), assumed };
        for kind in kinds {
            let weight = kind.weight();
            if chosen.covered >= settings.share * all {
                chosen.rare = (chosen.rare.0 + 1, chosen.rare.1 + weight);
                continue;
            }
            match Case::of(kind, workload, &rates, &mut chosen.assumed) {
                Ok(case) => {
                    chosen.add(case, weight / all);
                    chosen.covered += weight;
                }
                Err(why) => chosen.impossible.push((why, weight)),
            }
        }
        chosen
    }

    /// Kinds that differ only in what had to be assumed are one case.
    fn add(&mut self, case: Case, share: f64) {
        match self.cases.iter_mut().find(|(known, _)| known.is_same(&case)) {
            Some((known, of)) => {
                known.merge(&case);
                *of += share;
            }
            None => self.cases.push((case, share)),
        }
    }

    fn left_out(&self, all: f64) -> Vec<String> {
        let percent = |weight: f64| weight / all * 100.0;
        let mut sentences: Vec<String> = Impossible::ALL
            .into_iter()
            .filter_map(|why| {
                let same = self.impossible.iter().filter(|(other, _)| *other == why);
                let weight: f64 = same.map(|(_, weight)| weight).sum();
                (weight > 0.0).then(|| format!("{:.1} % of connections: {}", percent(weight), why.meaning()))
            })
            .collect();
        if self.rare.0 > 0 {
            let (kinds, weight) = self.rare;
            sentences.push(format!("{:.1} % of connections: rare kinds, {kinds} of them", percent(weight)));
        }
        sentences
    }
}

#[cfg(test)]
mod tests;
