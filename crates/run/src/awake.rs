//! Idle CPUs while loads run.

use tlstax_doc::{Measurement, Note, Results, Severity};
use tlstax_measure::idle::Awake;
use tlstax_spec::Workload;

use crate::reference::Source;

/// Keeps idle CPUs awake while there are loads, and says so; where that cannot be, why.
pub fn awake(results: &Results, source: &Source) -> (Option<Awake>, Option<Note>) {
    let is_load = |measurement: &Measurement| matches!(measurement.case.workload, Workload::Load(_));
    if *source != Source::Kernels || !results.measurements.iter().any(is_load) {
        return (None, None);
    }
    let note =
        |what: String, remedy: &str| Some(Note { severity: Severity::Info, what, remedy: remedy.to_owned() });
    match Awake::keep() {
        Ok(awake) => {
            let what = "idle CPUs were kept awake while loads ran, so that it costs a server little to wake a client that sleeps";
            (Some(awake), note(what.to_owned(), ""))
        }
        Err(error) => {
            let what = format!(
                "idle CPUs could not be kept awake while loads ran ({error}): a server also pays for waking its client, and more where \
                 that has time to sleep"
            );
            (None, note(what, "run as root, or let this user write to /dev/cpu_dma_latency"))
        }
    }
}
