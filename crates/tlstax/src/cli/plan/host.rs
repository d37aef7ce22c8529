//! Where costs were measured, and where they are to hold.

use tlstax_doc::model::Model;
use tlstax_doc::{Note, Results, Severity, Summaries};
use tlstax_spec::Host;

/// That a model was measured on another machine or kernel than this one.
pub fn other_than_here(model: &Model) -> Option<Note> {
    other(model, &tlstax_measure::host::read(), "this machine's")
}

/// That a model was measured on another machine or kernel than those of a host.
pub fn other(model: &Model, host: &Host, whose: &str) -> Option<Note> {
    let facts = [("CPU", &model.host.cpu.name, &host.cpu.name), ("kernel", &model.host.kernel, &host.kernel)];
    let other = facts.into_iter().find_map(|(what, there, here)| match (there, here) {
        (Some(there), Some(here)) if there != here => Some((what, there, here)),
        _ => None,
    });
    other.map(|(what, there, here)| Note {
        severity: Severity::Warning,
        what: format!(
            "the model of {} was measured with another {what} ({there}) than {whose} ({here}): its costs are of that one",
            model.server
        ),
        remedy: "to have those of this one, calibrate on it".to_owned(),
    })
}

/// That the cores of server and client were not as far apart as when the costs of a model were measured.
pub fn moved(model: &Model, results: &Results) -> Option<Note> {
    let (then, now) = (model.core_round_trip_ns?, Summaries::of(results).apart()?);
    let what = format!(
        "the cores of server and client were {:.0} ns apart (a cache line's way there and back), and {then:.0} ns when the model was \
         measured: on this virtual machine each request costs more where it is further",
        now.usual
    );
    let remedy = "measure again, or calibrate again, until both are of the same way".to_owned();
    (!now.is_same(then)).then_some(Note { severity: Severity::Warning, what, remedy })
}
