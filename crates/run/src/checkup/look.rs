//! The check-up: everything that can be said about machine and libraries without a study.

use std::time::Duration;

use tlstax_doc::{Library, Note};
use tlstax_libraries::{Entry, Home, Registry};
use tlstax_measure::pin::{self, Cores};
use tlstax_measure::{host, noise};
use tlstax_spec::Host;

use super::acceleration::Acceleration;
use super::findings::{of_acceleration, of_run, warning};
use super::leftovers::{Leftover, leftovers};
use super::means::Means;
use super::offload::means;
use crate::error::{RunError, cores};
use crate::pool::Pool;

/// How long the noise of the machine is listened to.
const LISTEN: Duration = Duration::from_secs(2);

/// A neighbour shows when readings of a reference kernel spread by more than this.
const NOISY: f64 = 0.05;

#[derive(Debug, Clone, PartialEq)]
pub struct Checkup {
    /// The machine, with its clocks and its noise.
    pub host: Host,
    /// The cores that a measurement would use.
    pub cores: Cores,
    /// Every library of the registry.
    pub libraries: Vec<Library>,
    /// What those that are there make of the CPU.
    pub accelerations: Vec<Acceleration>,
    /// What could take cryptography off their hands.
    pub offload: Vec<Means>,
    pub leftovers: Vec<Leftover>,
    /// Findings, each with its remedy.
    pub notes: Vec<Note>,
}

/// Looks at the machine and at every library of the registry.
///
/// # Errors
/// No CPU may be used, or the user interrupts.
pub fn checkup(home: &Home, registry: &Registry) -> Result<Checkup, RunError> {
    let cores = cores()?;
    let leftovers = leftovers();
    let entries: Vec<&Entry> = registry.entries.iter().collect();
    let mut pool = Pool::new(home, cores, &entries);
    pin::pin_thread(cores.measure).map_err(|error| RunError::Cores(error.to_string()))?;
    let host = Host { noise: Some(noise::probe(LISTEN)), ..host::read() };
    let libraries: Vec<Library> = entries
        .iter()
        .map(|entry| pool.probe(entry))
        .collect::<Result<_, _>>()
        .map_err(|_| RunError::Interrupted)?;
    let present = libraries.iter().filter(|library| library.unavailable.is_none());
    let accelerations: Vec<Acceleration> =
        present.map(|library| Acceleration::of(library, &mut pool)).collect();
    pool.end();
    let mut notes = of_run(&host, &libraries, cores);
    notes.extend(of_noise(&host));
    notes.extend(accelerations.iter().filter_map(|acceleration| of_acceleration(&host, acceleration)));
    let offload = means(&host::offload::read());
    Ok(Checkup { host, cores, libraries, accelerations, offload, leftovers, notes })
}

fn of_noise(host: &Host) -> Option<Note> {
    let noise = host.noise.as_ref()?;
    let spread =
        |spread: &tlstax_spec::Spread| spread.worst_ns.0 as f64 / spread.best_ns.0.max(1) as f64 - 1.0;
    let (latency, throughput) = (spread(&noise.latency), spread(&noise.throughput));
    (latency.max(throughput) > NOISY).then(|| {
        let who = if throughput > 2.0 * latency { "a neighbour on the same physical core" } else { "other work" };
        warning(
            format!("this core is slowed by up to {:.0} %, as by {who}", 100.0 * latency.max(throughput)),
            "stop what else runs here; neighbours of a virtual machine can only be waited for: give more --budget",
        )
    })
}
