//! [`Awake`]: CPUs that stay awake while they have nothing to do.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};

/// Where the kernel takes how long a CPU may need to wake up (`Documentation/power/pm_qos_interface.rst`).
const LATENCY: &str = "/dev/cpu_dma_latency";

/// As long as it is kept, idle CPUs poll in place of halting; the kernel forgets it when the process ends, in whatever way.
///
/// Who sends something to a process that sleeps on another CPU pays for waking that: on a virtual machine, where it takes an exit to
/// the hypervisor, some microseconds. A server would pay so for a client that has time to sleep, which real clients, on other
/// machines, never ask of it.
#[derive(Debug)]
pub struct Awake {
    /// The wish holds while the file is open.
    _file: File,
}

impl Awake {
    /// Asks the kernel for it.
    ///
    /// # Errors
    /// This process may not (only root may), or the kernel has no such file.
    pub fn keep() -> io::Result<Self> {
        #[expect(clippy::disallowed_methods, reason = "a wish to the kernel, and no file that stays")]
        let mut file = OpenOptions::new().write(true).open(LATENCY)?;
        // Microseconds, as a number of 32 bits in the order of this machine.
        file.write_all(&0i32.to_ne_bytes())?;
        Ok(Self { _file: file })
    }
}
