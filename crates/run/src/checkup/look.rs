//! The check-up: everything that can be said about machine and libraries without a study.

use std::time::Duration;

use tlstax_doc::{Library, Note};
use tlstax_libraries::{Entry, Home, Registry};
use tlstax_measure::pin::{self, Cores};
use tlstax_measure::{host, noise};
use tlstax_spec::Host;
use tlstax_stats::{Machine, Reading};

use super::acceleration::Acceleration;
use super::compression::of_compression;
use super::findings::{of_acceleration, of_run, warning};
use super::leftovers::{Leftover, leftovers};
use super::means::Means;
use super::offload::means;
use crate::error::{RunError, cores};
use crate::pool::Pool;

/// How long the noise of the machine is listened to.
const LISTEN: Duration = Duration::from_secs(2);

/// Of a machine to itself at least so many readings are undisturbed: some meet an interrupt.
const UNDISTURBED: f64 = 0.9;

#[derive(Debug, Clone, PartialEq)]
pub struct Checkup {
    /// The machine, with its clocks and its noise.
    pub host: Host,
    /// Its measuring core while it was listened to; none where no two readings were alike.
    pub machine: Option<Machine>,
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
    let (noise, readings) = noise::probe(LISTEN);
    let host = Host { noise: Some(noise), ..host::read() };
    let machine = Machine::of(&readings.iter().map(reading).collect::<Vec<_>>());
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
    notes.extend(of_noise(machine.as_ref()));
    notes.extend(accelerations.iter().filter_map(|acceleration| of_acceleration(&host, acceleration)));
    notes
        .extend(entries.iter().zip(&libraries).filter_map(|(entry, library)| of_compression(entry, library)));
    let offload = means(&host::offload::read());
    Ok(Checkup { host, machine, cores, libraries, accelerations, offload, leftovers, notes })
}

fn reading(reading: &tlstax_measure::reference::Reading) -> Reading {
    Reading { latency: reading.latency.0 as f64, throughput: reading.throughput.0 as f64 }
}

/// Somebody on the core. A clock that goes up and down is nobody.
fn of_noise(machine: Option<&Machine>) -> Option<Note> {
    let what = match machine {
        None => "this core was disturbed for as long as it was listened to".to_owned(),
        Some(machine) if machine.undisturbed >= UNDISTURBED => return None,
        Some(Machine { undisturbed, neighbour, .. }) => format!(
            "for {:.0} % of the time somebody else is on this core, and work that fills it takes {neighbour:.2} times as long",
            100.0 * (1.0 - undisturbed)
        ),
    };
    Some(warning(
        what,
        "stop what else runs here; neighbours of a virtual machine can only be waited for: give more --budget",
    ))
}
