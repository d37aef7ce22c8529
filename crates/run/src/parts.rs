//! How many iterations make a part of a batch.

use tlstax_spec::{Case, Nanos, Sample, Workload};

/// The work in a part of a batch: states of the machine come and go in 10 us to some ms. Shorter parts would be told apart no
/// better, and each costs a reading of the clock.
const PART: Nanos = Nanos(150_000);

/// The work in a part of a window of load: a share of it, but no more than this, of which an end that is read from outside is read
/// several times.
const LOAD_PARTS: u64 = 8;
const LOAD_PART: Nanos = Nanos::from_millis(12);

/// The longest turn of all connections that is a part: shorter ones would hold whatever bursts the responses come in.
const LONGEST_TURN: Nanos = Nanos::from_millis(20);

/// Of a load whose requests are not alike a window has at least so many parts, or none: of fewer not one might be undisturbed.
const PARTS_OF_CYCLES: u64 = 4;

/// How many iterations make a part of a batch, by a trial in which each took so many nanoseconds; 0 where parts cannot be told
/// apart. Those of several threads overlap.
pub fn part(case: &Case, trial: &Sample, each: f64, target: Nanos) -> u64 {
    let of_load = LOAD_PART.min(Nanos(target.0 / LOAD_PARTS));
    if case.threads > 1 {
        return 0;
    }
    match &case.workload {
        Workload::Primitive(_) | Workload::Handshake(_) | Workload::Bulk(_) => times(PART, each),
        Workload::Load(load) if load.cycle() > 1 => {
            let longest = Nanos(target.0 / PARTS_OF_CYCLES);
            let each = if load.rate > 0 { each } else { busier(trial).unwrap_or(each) };
            cycles(of_load, longest, load.cycle(), each)
        }
        // An open loop begins its requests one by one, by the clock.
        Workload::Load(load) if load.rate > 0 => times(of_load, each),
        Workload::Load(load) => load_part(of_load, load.connections, busier(trial).unwrap_or(each)),
        Workload::Idle(_) => 0,
    }
}

/// The same of a load. Its connections take turns, and all of them have equally many requests in a part: responses come in bursts of
/// as many as there are connections. A turn that takes longer than a part may, such as a large transfer, is read from outside.
fn load_part(time: Nanos, connections: u32, each: f64) -> u64 {
    let turn = each * f64::from(connections);
    if turn > LONGEST_TURN.0 as f64 { 0 } else { times(time, turn) * u64::from(connections) }
}

/// The same of a load whose requests are not alike: some come with a handshake, of which some are resumed. Each part has as many of every
/// kind, or the mode of the parts would be that of stretches with few handshakes, and not what the load costs.
fn cycles(time: Nanos, longest: Nanos, cycle: u64, each: f64) -> u64 {
    let of_cycle = each * cycle as f64;
    if of_cycle > longest.0 as f64 { 0 } else { times(time, of_cycle) * cycle }
}

/// Requests in a cycle of a load that has one, if it takes no longer than a window may; else 0.
pub fn cycle(case: &Case, each: f64, longest: Nanos) -> u64 {
    let Workload::Load(load) = &case.workload else { return 0 };
    let is_held = each * load.cycle() as f64 <= longest.0 as f64;
    if is_held && load.cycle() > 1 { load.cycle() } else { 0 }
}

/// What a request of a trial cost the end that had more to do: that is what it takes where nothing has to wait.
fn busier(trial: &Sample) -> Option<f64> {
    let sides = [trial.client, trial.server].into_iter().flatten().map(|side| side.total);
    let most = sides.max().filter(|most| *most > Nanos(0))?;
    Some(most.0 as f64 / trial.iterations.max(1) as f64)
}

/// How often what takes so many nanoseconds fits into that time; once at the least.
fn times(time: Nanos, each: f64) -> u64 {
    ((time.0 as f64 / each).round() as u64).max(1)
}

#[cfg(test)]
mod tests;
