//! [`check`]: what loads cost by the model, beside what they were measured to cost.

use tlstax_doc::model::{Bounds, Checked, Model, Regime, Term};
use tlstax_doc::{Measurement, Metric, Outcome, Results, Summaries};
use tlstax_spec::{Case, Direction, Load, Page, Workload};

use crate::costs::Costs;
use crate::design::work_of;
use crate::work::{RECORD, Work};

/// What became of the predictions of a model.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct Check {
    /// Each load with its cost, nanoseconds of the server's CPU time for a request; last, where all loads of the server are here and
    /// have a rate, the whole in cores, as `workload`.
    pub checked: Vec<Checked>,
    /// Loads that say nothing of the model, by the ids of their cases, with the reasons.
    pub holes: Vec<(String, String)>,
}

/// A load that can be held against its prediction.
struct Measured<'r> {
    measurement: &'r Measurement,
    load: &'r Load,
    /// For a request.
    work: Work,
    /// Nanoseconds for a request.
    cost: Bounds,
}

/// The loads of results beside what they cost by the model, of those that its server was measured with.
pub fn check(results: &Results, costs: &Costs<'_>) -> Check {
    let summaries = Summaries::of(results);
    let (mut measured, mut holes, mut is_whole) = (Vec::new(), Vec::new(), true);
    for (place, measurement) in results.measurements.iter().enumerate() {
        let Workload::Load(load) = &measurement.case.workload else { continue };
        let found = can_be_told(measurement, load, costs.model()).and_then(|()| {
            let estimate = summaries.estimate(place, Metric::Server);
            let estimate =
                estimate.ok_or_else(|| "it was measured in too few rounds for an interval".to_owned())?;
            let cost = Bounds { value: estimate.value, low: estimate.low, high: estimate.high };
            Ok(Measured { measurement, load, work: known_work_of(load, costs)?, cost })
        });
        match found {
            Ok(found) => measured.push(found),
            Err(why) => {
                is_whole &= measurement.case.library != costs.model().server;
                holes.push((measurement.id.clone(), why));
            }
        }
    }
    let checked =
        |what: String, predicted, measured| Checked { at: results.ended.clone(), what, predicted, measured };
    let each =
        |one: &Measured<'_>| checked(one.measurement.id.clone(), costs.cost(&one.work).bounds(), one.cost);
    let mut all: Vec<Checked> = measured.iter().map(each).collect();
    // The sum of some loads is not that of the workload.
    let whole = whole(&measured, costs).filter(|_| is_whole);
    all.extend(whole.map(|(predicted, found)| checked(Checked::WORKLOAD.to_owned(), predicted, found)));
    Check { checked: all, holes }
}

/// That a load has a figure of this server, and asks for nothing that the model has no terms for.
fn can_be_told(measurement: &Measurement, load: &Load, model: &Model) -> Result<(), String> {
    if measurement.case.library != model.server {
        return Err(format!("it is of {}, and the model of {}", measurement.case.library, model.server));
    }
    if let Some(other) = other_regime(&measurement.case, load, &model.regime) {
        return Err(format!("{other}: the model says nothing of that"));
    }
    if let Outcome::Measured { .. } = measurement.outcome {
        let is_plain_file = load.page == Page::Static && load.work_us == 0 && load.response_headers == 0;
        if let Some(reached) = fallen_behind(measurement, load) {
            let why = format!("it fell behind: {reached:.0} of {} requests a second were reached", load.rate);
            return Err(why);
        }
        return match load.direction {
            Direction::Download if is_plain_file => Ok(()),
            Direction::Download => {
                Err("it asks for more than a file, which the model has no cost of".to_owned())
            }
            Direction::Upload => Err("it is an upload, which the model has no cost of".to_owned()),
        };
    }
    Err(measurement.outcome.hole().unwrap_or_else(|| "it was not measured".to_owned()))
}

/// In what a load is of another state of the server than that in which the costs of a model hold; its rate is not one of these, since
/// what is offered has one and calibration has none.
fn other_regime(case: &Case, load: &Load, regime: &Regime) -> Option<String> {
    let numbers = [
        ("threads", u32::from(case.threads), 1),
        ("workers", u32::from(load.tuning.workers), u32::from(regime.workers)),
        ("connections", load.connections, regime.connections),
    ];
    let other = numbers.into_iter().find(|(_, own, usual)| own != usual);
    let other = other.map(|(what, own, usual)| format!("it has {own} {what}, and the model {usual}"));
    let (own, usual) = (&load.client, &regime.client);
    other.or_else(|| (own != usual).then(|| format!("its client is {own}, and that of the model {usual}")))
}

/// Where less than this part of the offered rate was reached, requests queued up.
const KEPT_UP: f64 = 0.95;

/// The requests a second that were reached, where those are fewer than were offered.
fn fallen_behind(measurement: &Measurement, load: &Load) -> Option<f64> {
    let samples = || measurement.batches().iter().map(|batch| &batch.sample);
    let seconds: f64 = samples().map(|sample| sample.wall.as_secs()).sum();
    let reached = samples().map(|sample| sample.iterations as f64).sum::<f64>() / seconds;
    (reached < KEPT_UP * f64::from(load.rate)).then_some(reached)
}

/// The work of a request as the server of the load was set up, if the model has a cost of all of it.
fn known_work_of(load: &Load, costs: &Costs<'_>) -> Result<Work, String> {
    // Where the model knows no size, one that stands for all makes a body a term, which is then missing.
    let work = work_of(load, &|path, http| match costs.knots(path, http) {
        knots if knots.is_empty() => vec![RECORD],
        knots => knots,
    });
    // A connection that calibration could not tell from its handshake is in that one's cost.
    let missing = costs.missing(&work).into_iter().find(|(term, _)| *term != Term::Connection);
    match missing {
        None => Ok(work),
        Some((term, _)) => Err(format!("the model has no cost of: {term}")),
    }
}

/// All loads at their rates: cores, predicted and measured. None where one has no rate of its own.
fn whole(measured: &[Measured<'_>], costs: &Costs<'_>) -> Option<(Bounds, Bounds)> {
    let rates: Vec<f64> = measured.iter().map(|one| f64::from(one.load.rate)).collect();
    if measured.is_empty() || rates.contains(&0.0) {
        return None;
    }
    let mut all = Work::default();
    let (mut value, mut below, mut above) = (0.0, 0.0, 0.0);
    for (one, rate) in measured.iter().zip(rates) {
        all.extend(&one.work.scaled(rate));
        value += one.cost.value * rate;
        below += ((one.cost.value - one.cost.low) * rate).powi(2);
        above += ((one.cost.high - one.cost.value) * rate).powi(2);
    }
    let found = Bounds { value, low: value - below.sqrt(), high: value + above.sqrt() };
    let cores = |bounds: Bounds| Bounds {
        value: bounds.value / SECOND,
        low: bounds.low / SECOND,
        high: bounds.high / SECOND,
    };
    Some((cores(costs.cost(&all).bounds()), cores(found)))
}

/// Nanoseconds of a second.
const SECOND: f64 = 1e9;

#[cfg(test)]
mod tests;
