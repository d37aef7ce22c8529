//! A simulated machine with the faults of shared virtual ones, so that the truth is known.

use fastrand::Rng;
use tlstax_stats::{Baseline, Observation, Reading};

/// A case as the simulation knows it.
#[derive(Debug, Clone, Copy)]
pub struct Truth {
    /// Nanoseconds per iteration on the undisturbed machine.
    pub cost: f64,
    /// How much of a slowdown of throughput the case feels: 0 as a latency-bound one, 1 as a vector one.
    pub lanes: f64,
}

/// How a case between the two kernels feels the machine. Which is right is not known, so both have to come out well.
#[derive(Debug, Clone, Copy)]
pub enum Law {
    /// Its parts follow one kernel each, and their times add up.
    Sum,
    /// The geometric mean of the kernels.
    Product,
}

/// What the machine does during a run.
#[derive(Debug, Clone, Copy)]
pub struct Weather {
    /// The factor of the whole run: a slower host, a lower clock.
    pub slower: f64,
    /// The neighbour's factor on throughput that never goes away in this run.
    pub neighbour: f64,
    /// The share of rounds in a burst.
    pub bursts: f64,
    /// The share of the time with a neighbour on the sibling thread.
    pub siblings: f64,
    /// How far the clock wanders within the run: standard deviation of its logarithm.
    pub drift: f64,
    pub law: Law,
}

impl Weather {
    /// Little happens.
    pub const CALM: Self = Self { bursts: 0.05, siblings: 0.05, drift: 0.003, ..Self::ROUGH };

    /// A third of the rounds in bursts, a neighbour for a third of the time, a slow drift.
    pub const ROUGH: Self =
        Self { slower: 1.0, neighbour: 1.0, bursts: 0.33, siblings: 0.33, drift: 0.01, law: Law::Sum };
}

pub struct Run {
    pub cases: Vec<Vec<Observation>>,
    pub readings: Vec<Reading>,
    /// What each case really costs in this run on the machine at its best, where its best is what the baseline says.
    pub truths: Vec<f64>,
}

impl Run {
    pub fn baseline(&self) -> Baseline {
        Baseline::of(&self.readings).expect("a run has readings")
    }
}

/// Runs the cases in shuffled order for some rounds, a reading between every two batches.
pub fn run(truths: &[Truth], rounds: u32, weather: Weather, rng: &mut Rng) -> Run {
    let mut machine = Machine::new(weather, rng.fork());
    let layout: Vec<f64> = truths.iter().map(|_| (0.002 * normal(rng)).exp()).collect();
    let mut cases = vec![Vec::new(); truths.len()];
    let mut order: Vec<usize> = (0..truths.len()).collect();
    let mut readings = vec![machine.read()];
    for round in 0..rounds {
        machine.enter_round();
        rng.shuffle(&mut order);
        for &case in &order {
            let before = readings[readings.len() - 1];
            let cost = machine.batch(truths[case]) * layout[case];
            let after = machine.read();
            readings.push(after);
            cases[case].push(Observation {
                round,
                sitting: round,
                cost,
                before,
                after,
                ..Observation::default()
            });
        }
    }
    let best = Baseline::of(&readings).expect("a run has readings").best.relative_to(UNDISTURBED);
    let truths =
        truths.iter().zip(layout).map(|(truth, layout)| truth.under(best, weather.law) * layout).collect();
    Run { cases, readings, truths }
}

/// The kernels on the undisturbed machine.
const UNDISTURBED: Reading = Reading { latency: 100.0, throughput: 40.0 };

impl Truth {
    /// The cost with both kernels at these multiples of what they take on the undisturbed machine.
    fn under(self, state: Reading, law: Law) -> f64 {
        let Reading { latency, throughput } = state;
        self.cost
            * match law {
                Law::Sum => latency + self.lanes * (throughput - latency),
                Law::Product => latency.powf(1.0 - self.lanes) * throughput.powf(self.lanes),
            }
    }
}

/// The state of the machine, moved on by every batch.
struct Machine {
    weather: Weather,
    rng: Rng,
    drift: f64,
    burst: f64,
    neighbour: f64,
}

impl Machine {
    fn new(weather: Weather, rng: Rng) -> Self {
        let mut machine = Self { weather, rng, drift: 0.0, burst: 1.0, neighbour: 1.0 };
        machine.drift = weather.drift * normal(&mut machine.rng);
        machine
    }

    /// Whole rounds are in a burst or not; the clock wanders from round to round.
    fn enter_round(&mut self) {
        const MEMORY: f64 = 0.95;
        let step = self.weather.drift * (1.0 - MEMORY * MEMORY).sqrt();
        self.drift = MEMORY * self.drift + step * normal(&mut self.rng);
        self.burst = if self.rng.f64() < self.weather.bursts { self.between(1.1, 1.7) } else { 1.0 };
    }

    /// The neighbour comes and goes every ten batches or so.
    fn tick(&mut self) {
        if self.rng.f64() < 0.1 {
            self.neighbour =
                if self.rng.f64() < self.weather.siblings { self.between(1.1, 1.6) } else { 1.0 };
        }
    }

    /// The factors on latency and on throughput.
    fn state(&self) -> Reading {
        let clock = self.weather.slower * self.burst * self.drift.exp();
        let neighbour = self.neighbour * self.weather.neighbour;
        Reading { latency: clock * (1.0 + 0.1 * (neighbour - 1.0)), throughput: clock * neighbour }
    }

    fn read(&mut self) -> Reading {
        let Reading { latency, throughput } = self.state();
        Reading {
            latency: UNDISTURBED.latency * latency * self.jitter(0.002),
            throughput: UNDISTURBED.throughput * throughput * self.jitter(0.002),
        }
    }

    fn batch(&mut self, truth: Truth) -> f64 {
        self.tick();
        let preempted = if self.rng.f64() < 0.03 { self.between(1.05, 1.5) } else { 1.0 };
        truth.under(self.state(), self.weather.law) * self.jitter(0.005) * preempted
    }

    fn jitter(&mut self, sigma: f64) -> f64 {
        (sigma * normal(&mut self.rng)).exp()
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.rng.f64()
    }
}

/// A draw from the standard normal distribution (Box and Muller 1958).
fn normal(rng: &mut Rng) -> f64 {
    let radius = (-2.0 * (1.0 - rng.f64()).ln()).sqrt();
    radius * (std::f64::consts::TAU * rng.f64()).cos()
}
