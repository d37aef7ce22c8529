//! Runs that meet on one machine: the later one waits, goes away, or is measured beside the other and says so.

use std::io;
use std::time::Duration;

use clap::ValueEnum;
use tlstax_doc::{Note, Severity};
use tlstax_measure::occupancy::{Holder, Occupancy, occupy};
use tlstax_measure::{pin, signal};
use tlstax_run::RunError;

use crate::output::warn;

/// How often a run that waits looks whether the other has ended.
const SLICE: Duration = Duration::from_millis(200);

/// What to do while another run measures on the same CPUs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum IfBusy {
    /// Wait for its end; the budget begins then.
    Wait,
    /// End at once with exit code 3.
    Refuse,
    /// Measure beside it; the results say so.
    Go,
}

/// Takes hold of all CPUs that the run may use, for as long as the first lives. It is none beside another run: then there is a
/// note for readers of the results.
pub fn meet(choice: IfBusy) -> anyhow::Result<(Option<Occupancy>, Option<Note>)> {
    let cpus = pin::available();
    let mut has_said = false;
    loop {
        let holder = match occupy(&cpus) {
            Ok(occupancy) => return Ok((Some(occupancy), None)),
            Err(holder) => holder,
        };
        match choice {
            IfBusy::Refuse => {
                let remedy =
                    "measure when it has ended; --if-busy wait does so by itself, --if-busy go does not care";
                return Err(io::Error::new(io::ErrorKind::ResourceBusy, format!("{holder}: {remedy}")).into());
            }
            IfBusy::Go => {
                warn(&format!("{holder}: both are disturbed, and the results say so"));
                return Ok((None, Some(beside(&holder))));
            }
            IfBusy::Wait if !has_said => {
                warn(&format!("{holder}: waiting for its end; --if-busy refuse or go does not wait"));
                has_said = true;
            }
            IfBusy::Wait => {}
        }
        if signal::interrupted() {
            return Err(RunError::Interrupted.into());
        }
        std::thread::sleep(SLICE);
    }
}

fn beside(holder: &Holder) -> Note {
    Note {
        severity: Severity::Warning,
        // Process, user and words of the other are for the screen: results name nobody.
        what: format!("when this run began, another one measured on CPU {}", holder.cpu),
        remedy: "measure again when nothing else is measured".to_owned(),
    }
}
