//! The state of the machine that the script makes up: a slow drift and a neighbour that comes and goes.

use fastrand::Rng;
use tlstax_spec::Nanos;

use super::format::Noise;
use super::recording::{Factor, Recording, Walk};

/// What the references cost on a quiet machine.
const REFERENCE: f64 = 150_000.0;

/// How much of the drift is left after one step; the rest is new. Some hundred steps make it another one.
const MEMORY: f64 = 0.98;

/// The share of the neighbour's slowdown that a chain of dependent instructions feels: it leaves execution units idle
/// anyway, so sharing them costs it little.
const LATENCY_SHARE: f64 = 0.1;

/// 2^64 divided by the golden ratio: small seeds and small sittings, which are the usual ones, then never meet.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// A machine that moves on by one step with every batch and reading.
#[derive(Debug)]
pub struct Machine {
    noise: Noise,
    rng: Rng,
    /// In standard deviations.
    drift: f64,
    busy: bool,
    /// A real machine, whose disturbances come on top.
    recorded: Option<Walk>,
    /// By how much slower this process is than others.
    luck: f64,
    /// By how much slower the machine is than it was at first.
    slower: f64,
}

impl Machine {
    /// A machine in a state that the seed and the sitting decide.
    pub fn new(noise: Noise, recording: Option<Recording>, seed: u64, sitting: u64) -> Self {
        let mut rng = Rng::with_seed(seed ^ sitting.wrapping_mul(GOLDEN));
        let drift = normal(&mut rng);
        let busy = rng.f64() < noise.busy;
        let luck = jitter(&mut rng, noise.luck);
        let is_slower = noise.slower_from > 0 && sitting >= noise.slower_from;
        let slower = if is_slower { 1.0 + noise.slower } else { 1.0 };
        let recorded = recording.map(|recording| Walk::begin(recording, &mut rng));
        Self { noise, rng, drift, busy, recorded, luck, slower }
    }

    /// The factors on the costs of the parts of the next batch, which all are in one state of the made-up machine; a single
    /// one where only the whole is told.
    pub fn batch(&mut self, parts: Option<u64>) -> Vec<Factor> {
        self.step();
        let state = self.factor(1.0) * self.luck;
        let recorded = match (&self.recorded, parts) {
            (Some(walk), Some(parts)) => walk.parts(parts, &mut self.rng),
            (Some(walk), None) => vec![walk.whole()],
            (None, parts) => vec![Factor::busy(1.0); parts.unwrap_or(1) as usize],
        };
        let jitter = |rng: &mut Rng| (1.0 + self.noise.jitter * normal(rng)).max(0.1);
        recorded.into_iter().map(|factor| factor.times(state * jitter(&mut self.rng))).collect()
    }

    /// The factor on a whole batch whose cost differs from batch to batch by this standard deviation.
    pub fn jitter(&mut self, deviation: f64) -> f64 {
        jitter(&mut self.rng, deviation)
    }

    /// The next readings of the latency-bound and the throughput-bound kernel.
    pub fn references(&mut self) -> (Nanos, Nanos) {
        self.step();
        let (latency, throughput) = self.recorded.as_mut().map_or((REFERENCE, REFERENCE), Walk::read);
        let reading = |undisturbed: f64, share| Nanos((undisturbed * self.factor(share)) as u64);
        (reading(latency, LATENCY_SHARE), reading(throughput, 1.0))
    }

    /// The neighbour stays busy for a geometric number of steps, and comes back so that its share of time is as told.
    fn step(&mut self) {
        self.drift = MEMORY * self.drift + (1.0 - MEMORY * MEMORY).sqrt() * normal(&mut self.rng);
        let leaves = 1.0 / self.noise.busy_length.max(1.0);
        let comes = leaves * self.noise.busy / (1.0 - self.noise.busy).max(f64::EPSILON);
        let changes = self.rng.f64() < if self.busy { leaves } else { comes };
        self.busy ^= changes && self.noise.busy < 1.0;
    }

    fn factor(&self, share: f64) -> f64 {
        let neighbour = if self.busy { self.noise.busy_slowdown * share } else { 0.0 };
        (1.0 + self.noise.drift * self.drift).max(0.1) * (1.0 + neighbour) * self.slower
    }
}

/// A factor around 1; without a deviation nothing is drawn, so that it changes nothing that comes after it.
fn jitter(rng: &mut Rng, deviation: f64) -> f64 {
    if deviation > 0.0 { (1.0 + deviation * normal(rng)).max(0.1) } else { 1.0 }
}

/// A standard normal number, by the Box-Muller transform.
fn normal(rng: &mut Rng) -> f64 {
    let radius = (-2.0 * (1.0 - rng.f64()).ln()).sqrt();
    radius * (std::f64::consts::TAU * rng.f64()).cos()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_noise_every_batch_is_exact() {
        let mut machine = Machine::new(Noise::default(), None, 7, 0);
        assert!((0..100).all(|_| machine.batch(Some(2)) == [Factor::busy(1.0); 2]));
        assert_eq!(machine.references(), (Nanos(150_000), Nanos(150_000)));
    }

    #[test]
    fn the_neighbour_takes_its_share_and_shows_in_the_throughput_reference() {
        let noise = Noise { busy: 0.25, busy_slowdown: 0.5, busy_length: 10.0, ..Noise::default() };
        let mut machine = Machine::new(noise, None, 7, 0);
        let readings: Vec<_> = (0..20_000).map(|_| machine.references()).collect();
        let busy = readings.iter().filter(|(_, throughput)| throughput.0 == 225_000).count();
        let quiet = readings.iter().filter(|(_, throughput)| throughput.0 == 150_000).count();
        assert_eq!(busy + quiet, readings.len());
        assert!((4_000..6_000).contains(&busy), "{busy}");
        assert!(readings.iter().all(|(latency, _)| latency.0 <= 157_500));
    }

    #[test]
    fn the_luck_of_a_process_lasts_and_the_references_do_not_show_it() {
        let lucky = |sitting| Machine::new(Noise { luck: 0.1, ..Noise::default() }, None, 7, sitting);
        let factors = [1, 2, 3].map(|sitting| lucky(sitting).batch(Some(3)));
        assert!(factors.iter().all(|parts| parts.iter().all(|factor| *factor == parts[0])));
        assert!(factors[0] != factors[1] && factors[1] != factors[2]);
        assert_eq!(lucky(1).references(), (Nanos(150_000), Nanos(150_000)));
    }

    #[test]
    fn a_machine_that_changes_is_slower_from_that_sitting_on_in_all_that_it_does() {
        let noise = Noise { slower_from: 4, slower: 0.2, ..Noise::default() };
        let costs = |sitting| {
            let mut machine = Machine::new(noise.clone(), None, 7, sitting);
            (machine.batch(Some(1))[0], machine.references().0)
        };
        assert_eq!(
            [3, 4, 9].map(costs),
            [(1.0, 150_000), (1.2, 180_000), (1.2, 180_000)]
                .map(|(factor, ns)| (Factor::busy(factor), Nanos(ns)))
        );
    }

    #[test]
    fn one_seed_gives_one_machine_in_one_sitting() {
        let noise = Noise { jitter: 0.01, drift: 0.02, ..Noise::default() };
        let factors = |seed, sitting| {
            let mut machine = Machine::new(noise.clone(), None, seed, sitting);
            (0..50).flat_map(|_| machine.batch(Some(2))).collect::<Vec<_>>()
        };
        assert_eq!(factors(1, 3), factors(1, 3));
        let others = [(1, 0), (1, 1), (1, 2), (2, 0), (2, 1)].map(|(seed, sitting)| factors(seed, sitting));
        for (at, factors) in others.iter().enumerate() {
            assert!(!others[..at].contains(factors), "{at}");
        }
    }
}
