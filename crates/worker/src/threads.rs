//! Several threads that start their timed work at the same moment.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

use tlstax_measure::pin;
use tlstax_spec::Stage;

use crate::job::JobError;

/// Runs `ready` and then `timed` on so many threads; no thread begins `timed` before all are ready.
///
/// What `ready` returns stays in its thread, so connections need not be sendable. A single thread is the calling one.
/// Several are bound to one core each, as long as there are enough: a batch of milliseconds is over before the scheduler
/// has spread them, and they would be measured taking turns on the core that they were started on.
///
/// # Errors
/// The first error of any thread; a panic is an error too.
pub(crate) fn together<S, T: Send>(
    threads: u16,
    ready: impl Fn(usize) -> Result<S, JobError> + Sync,
    timed: impl Fn(S) -> Result<T, JobError> + Sync,
) -> Result<Vec<T>, JobError> {
    if threads == 1 {
        return Ok(vec![timed(ready(0)?)?]);
    }
    let gate = Gate { missing: AtomicUsize::new(threads.into()) };
    let cores = pin::available();
    let one = |index: usize| {
        // Where the system forbids it, the scheduler decides; a thread more than there are cores shares one.
        let _ = pin::pin_thread(cores[index % cores.len()]);
        // A panic must not keep the others waiting at the gate for ever.
        let state = catch_unwind(AssertUnwindSafe(|| ready(index)));
        gate.pass();
        match state {
            Ok(state) => timed(state?),
            Err(panic) => Err(panicked(&*panic)),
        }
    };
    let one = &one;
    std::thread::scope(|scope| {
        let handles: Vec<_> =
            (0..usize::from(threads)).map(|index| scope.spawn(move || one(index))).collect();
        // All are joined before the first error is returned.
        let results: Vec<_> = handles.into_iter().map(|handle| handle.join()).collect();
        results.into_iter().map(|result| result.unwrap_or_else(|panic| Err(panicked(&*panic)))).collect()
    })
}

/// Opens when all have come. It is waited at awake: to be woken takes longer than many a thing that is timed.
struct Gate {
    missing: AtomicUsize,
}

impl Gate {
    fn pass(&self) {
        self.missing.fetch_sub(1, Ordering::AcqRel);
        while self.missing.load(Ordering::Acquire) > 0 {
            // More threads than cores: the others must get their turn to come.
            std::thread::yield_now();
        }
    }
}

/// The error that a panic is reported as.
pub(crate) fn panicked(panic: &(dyn Any + Send)) -> JobError {
    JobError::failed(Stage::Run, format!("the worker panicked: {}", message(panic)))
}

/// What a panic said.
pub fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("without a message")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn nobody_starts_before_all_are_ready() {
        let ready = AtomicUsize::new(0);
        let seen =
            together(4, |_| Ok(ready.fetch_add(1, Ordering::SeqCst)), |_| Ok(ready.load(Ordering::SeqCst)));
        assert_eq!(seen.unwrap(), [4, 4, 4, 4]);
    }

    #[test]
    fn one_error_or_panic_ends_all() {
        let failing =
            |index: usize| if index == 1 { Err(JobError::failed(Stage::Run, "no")) } else { Ok(index) };
        assert_eq!(together(3, failing, Ok), Err(JobError::failed(Stage::Run, "no")));

        let panicking = |index: usize| if index == 1 { panic!("oh") } else { Ok(index) };
        let error = together(3, panicking, Ok).unwrap_err();
        assert_eq!(error, JobError::failed(Stage::Run, "the worker panicked: oh"));
        let error = together(2, Ok, |index| if index == 1 { panic!("oh") } else { Ok(index) }).unwrap_err();
        assert_eq!(error, JobError::failed(Stage::Run, "the worker panicked: oh"));
    }
}
