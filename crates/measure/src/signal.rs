//! SIGINT and SIGTERM become one flag; a second one ends the process as if nothing had been installed.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

static INTERRUPTED: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// Installs the handlers. To be called once, before threads are started; further calls do nothing.
///
/// # Errors
/// What the system says when it refuses a handler.
pub fn install() -> io::Result<()> {
    let interrupted = Arc::new(AtomicBool::new(false));
    if INTERRUPTED.set(Arc::clone(&interrupted)).is_err() {
        return Ok(());
    }
    for signal in [SIGINT, SIGTERM] {
        // Handlers run in the order of their registration: this one acts only if an earlier signal has set the flag.
        flag::register_conditional_default(signal, Arc::clone(&interrupted))?;
        flag::register(signal, Arc::clone(&interrupted))?;
    }
    Ok(())
}

/// Whether a signal has asked for the end. Always false without [`install`].
pub fn interrupted() -> bool {
    INTERRUPTED.get().is_some_and(|flag| flag.load(Ordering::Relaxed))
}
