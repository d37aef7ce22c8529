//! [`check`]: what loads cost by the model, beside what they were measured to cost.

use tlstax_doc::model::{Bounds, Checked, Term};
use tlstax_doc::{Measurement, Metric, Outcome, Results, Summaries};
use tlstax_spec::{Direction, Id, Load, Page, Workload};

use crate::costs::Costs;
use crate::demand::Demand;
use crate::work::{Setup, Work, work};

/// What became of the predictions of a model.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct Check {
    /// Each load with its cost, nanoseconds of the server's CPU time for a request; last, where all loads have a rate, the whole in
    /// cores, as `workload`.
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
pub fn check(results: &Results, server: &Id, costs: &Costs<'_>, setup: Setup) -> Check {
    let summaries = Summaries::of(results);
    let (mut measured, mut holes) = (Vec::new(), Vec::new());
    for (place, measurement) in results.measurements.iter().enumerate() {
        let Workload::Load(load) = &measurement.case.workload else { continue };
        let found = can_be_told(measurement, load, server).and_then(|()| {
            let estimate = summaries.estimate(place, Metric::Server);
            let estimate =
                estimate.ok_or_else(|| "it was measured in too few rounds for an interval".to_owned())?;
            let cost = Bounds { value: estimate.value, low: estimate.low, high: estimate.high };
            Ok(Measured { measurement, load, work: work_of(load, costs, setup)?, cost })
        });
        match found {
            Ok(found) => measured.push(found),
            Err(why) => holes.push((measurement.id.clone(), why)),
        }
    }
    let checked =
        |what: String, predicted, measured| Checked { at: results.ended.clone(), what, predicted, measured };
    let each =
        |one: &Measured<'_>| checked(one.measurement.id.clone(), costs.cost(&one.work).bounds(), one.cost);
    let mut all: Vec<Checked> = measured.iter().map(each).collect();
    all.extend(
        whole(&measured, costs).map(|(predicted, found)| checked("workload".to_owned(), predicted, found)),
    );
    Check { checked: all, holes }
}

/// That a load has a figure of this server, and asks for nothing that the model has no terms for.
fn can_be_told(measurement: &Measurement, load: &Load, server: &Id) -> Result<(), String> {
    if measurement.case.library != *server {
        return Err(format!("it is of {}, and the model of {server}", measurement.case.library));
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

/// Where less than this part of the offered rate was reached, requests queued up.
const KEPT_UP: f64 = 0.95;

/// The requests a second that were reached, where those are fewer than were offered.
fn fallen_behind(measurement: &Measurement, load: &Load) -> Option<f64> {
    let samples = || measurement.batches().iter().map(|batch| &batch.sample);
    let seconds: f64 = samples().map(|sample| sample.wall.as_secs()).sum();
    let reached = samples().map(|sample| sample.iterations as f64).sum::<f64>() / seconds;
    (reached < KEPT_UP * f64::from(load.rate)).then_some(reached)
}

/// The work of a request, if the model has a cost of all of it.
fn work_of(load: &Load, costs: &Costs<'_>, setup: Setup) -> Result<Work, String> {
    let demand = Demand::of_load(load);
    let work = work(&demand.likely(), setup, &|path, http| costs.knots(path, http));
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
