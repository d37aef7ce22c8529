//! Samples of CPUs that do nothing. A clock ticks on them as well, and in a recording of the whole machine they look like work of the
//! kernel.

use crate::collect::Collector;
use crate::frame::FrameId;

/// What the kernel calls the task that each CPU has for when there is nothing to do.
pub const IDLE_TASK: &[u8] = b"swapper";

/// Parts of the names of functions that work for others in the time of the idle task: interrupts, which packets come in by.
const INTERRUPTS: [&str; 5] = ["softirq", "interrupt", "handle_irq", "net_rx_action", "asm_sysvec"];

/// Whether a sample of the idle task is of a CPU that does nothing: where no function of it says otherwise. The clock that took the
/// sample has interrupted it, too, but is not in the stack.
pub fn is_idle(stack: &[FrameId], into: &Collector<'_>) -> bool {
    let works = |id: &FrameId| {
        let function = into.function(*id);
        function.is_some_and(|function| INTERRUPTS.iter().any(|part| function.contains(part)))
    };
    !stack.iter().any(works)
}

/// What has to be told of them.
pub fn told(samples: u64) -> Option<String> {
    (samples > 0).then(|| format!("{samples} samples are of idle CPUs and were left out"))
}
