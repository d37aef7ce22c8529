//! [`listen`]: a workload of the packets of an interface.

use tlstax_measure::signal;

use super::captures;
use super::count::Counted;
use super::notice::Notice;
use super::settings::Settings;
use super::shared::Shared;
use crate::capture::{Capture, CaptureError};
use crate::tally::Tally;

/// Counts the packets of an interface, until `is_over` says so, which is asked ten times a second, or somebody interrupts it.
///
/// # Errors
/// There is no such interface, or this user may not look at it.
pub fn listen(
    interface: &str,
    settings: &Settings,
    mut is_over: impl FnMut() -> bool,
) -> Result<Counted, CaptureError> {
    let shared = Shared::default();
    let class = |server: &[u8]| settings.classes.of(server);
    let mut tally = Tally::new(settings.window);
    let mut capture = Capture::new(&class);
    let result = capture.listen(interface, || signal::interrupted() || is_over(), &mut tally);
    let facts = capture.end(&mut tally);
    match result {
        Err(error) if facts.times.is_none() => return Err(error),
        // What was seen until then is kept.
        Err(error) => shared.note(Notice::Capture(error.to_string())),
        Ok(()) => {}
    }
    captures::tell(&facts, &shared);
    Ok(Counted {
        workload: captures::workload(tally, settings),
        bad: Vec::new(),
        notices: shared.take_notices(),
        recognised: Vec::new(),
        was_interrupted: signal::interrupted(),
    })
}
