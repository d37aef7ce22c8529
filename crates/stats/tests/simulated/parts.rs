//! A simulated machine at the grain of the parts of a batch: a neighbour who comes for 10 us to some ms, in states that last for
//! hundreds of milliseconds, a clock that wanders, and processes that lie in memory as luck has it.

use fastrand::Rng;
use tlstax_stats::{Baseline, Observation, Reading};

/// What the machine does during a run.
#[derive(Debug, Clone, Copy)]
pub struct Neighbour {
    /// The share of time in which nobody disturbs the machine.
    pub undisturbed: f64,
    /// The shortest and the longest of his stays, in parts of a batch.
    pub stays: (f64, f64),
    /// What he costs while he is there: from, to.
    pub costs: (f64, f64),
    /// From this share of the run on he is there without end; 1 if he is not.
    pub stays_from: f64,
}

impl Neighbour {
    pub const fn of(undisturbed: f64) -> Self {
        Self { undisturbed, stays: (0.1, 200.0), costs: (1.15, 1.6), stays_from: 1.0 }
    }
}

/// How the machine itself is.
#[derive(Debug, Clone, Copy)]
pub struct Plant {
    /// Standard deviation of the clock, as a part of it, within a run.
    pub wander: f64,
    /// The clock of the run as a multiple of the usual.
    pub cycle: f64,
    /// Standard deviation of what a part takes by itself.
    pub jitter: f64,
    /// Standard deviation of the luck of a process.
    pub layout: f64,
}

impl Plant {
    pub const USUAL: Self = Self { wander: 0.01, cycle: 1.0, jitter: 0.003, layout: 0.003 };
}

pub struct Run {
    pub cases: Vec<Vec<Observation>>,
    pub baseline: Baseline,
}

/// So many cases that cost 100 undisturbed at the usual clock, in so many rounds; three rounds are a sitting.
pub fn run(cases: usize, rounds: u32, plant: Plant, neighbour: Neighbour, rng: &mut Rng) -> Run {
    const PARTS: usize = 13;
    let mut machine =
        Machine { plant, neighbour, rng: rng.fork(), drift: 0.0, left: 0.0, costs: 1.0, forever: false };
    let mut readings = vec![machine.read()];
    let mut found = vec![Vec::new(); cases];
    let mut layouts = vec![1.0; cases];
    for round in 0..rounds {
        machine.forever = f64::from(round) >= neighbour.stays_from * f64::from(rounds);
        for (case, observations) in found.iter_mut().enumerate() {
            if round % 3 == 0 {
                layouts[case] = (plant.layout * normal(&mut machine.rng)).exp();
            }
            let parts: Vec<f64> = (0..PARTS).map(|_| 100.0 * layouts[case] * machine.part()).collect();
            let cost = parts.iter().sum::<f64>() / PARTS as f64;
            let reading = readings.len() - 1;
            let (before, after) = (readings[reading], machine.read());
            readings.push(after);
            observations.push(Observation { round, sitting: round / 3, cost, before, after, reading, parts });
        }
    }
    let baseline = Baseline::of(&readings).expect("a run has readings");
    Run { cases: found, baseline }
}

struct Machine {
    plant: Plant,
    neighbour: Neighbour,
    rng: Rng,
    drift: f64,
    /// How much longer the neighbour stays as he is, in parts.
    left: f64,
    costs: f64,
    forever: bool,
}

impl Machine {
    /// What one part takes, as a multiple of what it takes undisturbed.
    fn part(&mut self) -> f64 {
        let jitter = 1.0 + self.plant.jitter * normal(&mut self.rng);
        self.cycle() * jitter * self.spend(1.0)
    }

    /// A reading is as long as a third of a part; it shows the fastest of three slices.
    fn read(&mut self) -> Reading {
        let cycle = self.cycle();
        let slowest = (0..3).map(|_| self.spend(0.3)).fold(f64::INFINITY, f64::min);
        let mut noise = || 1.0 + 0.002 * normal(&mut self.rng);
        let (one, other) = (noise(), noise());
        Reading {
            latency: 100.0 * cycle * (1.0 + (slowest - 1.0) / 10.0) * one,
            throughput: 87.0 * cycle * slowest * other,
        }
    }

    fn cycle(&mut self) -> f64 {
        const MEMORY: f64 = 0.999;
        self.drift = MEMORY * self.drift + (1.0 - MEMORY * MEMORY).sqrt() * normal(&mut self.rng);
        self.plant.cycle * (self.plant.wander * self.drift).exp()
    }

    /// The mean of what the neighbour costs over so long, in which he may come and go.
    fn spend(&mut self, long: f64) -> f64 {
        let (mut rest, mut sum) = (long, 0.0);
        while rest > 0.0 {
            if self.left <= 0.0 {
                self.change();
            }
            let stay = rest.min(self.left);
            sum += stay * self.costs;
            rest -= stay;
            self.left -= stay;
        }
        sum / long
    }

    fn change(&mut self) {
        let Neighbour { undisturbed, stays: (least, most), costs: (from, to), .. } = self.neighbour;
        self.left = least * (most / least).powf(self.rng.f64());
        let is_there = self.forever || self.rng.f64() >= undisturbed;
        self.costs = if is_there { from + (to - from) * self.rng.f64() } else { 1.0 };
    }
}

fn normal(rng: &mut Rng) -> f64 {
    let radius = (-2.0 * (1.0 - rng.f64()).ln()).sqrt();
    radius * (std::f64::consts::TAU * rng.f64()).cos()
}
