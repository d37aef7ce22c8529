//! How the client waits for the server: awake.

use std::io;

use tlstax_measure::cgroup::cpu_quota;
use tlstax_measure::clock::{monotonic, thread_cpu};
use tlstax_spec::{Cpu, Nanos};
use tlstax_worker::poll::{EventFlags, Poll};

/// After so long without an event a client sleeps: to wake it then costs a server little beside what it did meanwhile. It is awake again
/// so long before something of its own is due.
const AWAKE: Nanos = Nanos::from_millis(1);

/// Breaths between two looks: a core that shares its units with the server's leaves them alone for some hundred nanoseconds.
const BREATHS: u32 = 16;

/// Set where the client's core is not its own, or shares its units with the server's: looking would take time from the server.
const SLEEPS: &str = "TLSTAX_SLEEPS";

/// Waits for events, and looks for them awake instead of sleeping. A server on the same machine pays for waking a process that sleeps,
/// some 2 us for each response; whether this client sleeps depends on which of the two happens to be faster, so that the same load would
/// cost one or the other. No client on another machine is woken by its server.
#[derive(Debug)]
pub(crate) struct Waiting {
    stays_awake: bool,
    /// CPU time spent looking in vain, since it was last taken.
    spent: Nanos,
}

impl Waiting {
    /// Awake, unless the CPU time of this process and its server is limited: the server would lack what is spent here.
    pub(crate) fn new() -> Self {
        let stays_awake = cpu_quota().is_none() && std::env::var_os(SLEEPS).is_none();
        Self { stays_awake, spent: Nanos(0) }
    }

    /// Appends what has happened; nothing if nothing has in time, or a millisecond before. Returns the CPU time that was spent looking in vain.
    ///
    /// # Errors
    /// The system's own.
    pub(crate) fn wait(
        &mut self,
        poll: &mut Poll,
        timeout: Nanos,
        happened: &mut Vec<(u64, EventFlags)>,
    ) -> io::Result<Nanos> {
        if !self.stays_awake {
            happened.extend(poll.wait(Some(timeout))?);
            return Ok(Nanos(0));
        }
        happened.extend(poll.wait(Some(Nanos(0)))?);
        if !happened.is_empty() {
            return Ok(Nanos(0));
        }
        let begun = thread_cpu();
        look(poll, timeout.min(AWAKE), happened)?;
        let vain = thread_cpu().since(begun);
        self.spent += vain;
        let asleep = timeout.since(AWAKE).since(AWAKE);
        if happened.is_empty() && asleep > Nanos(0) {
            happened.extend(poll.wait(Some(asleep))?);
        }
        Ok(vain)
    }

    /// The CPU time that was spent looking in vain since this was last asked.
    pub(crate) fn taken(&mut self) -> Nanos {
        std::mem::take(&mut self.spent)
    }
}

/// CPU time without what was spent looking in vain.
pub(crate) fn without(used: Cpu, spent: Nanos) -> Cpu {
    let total = used.total.since(spent);
    // The kernel splits by ticks: what is left has the proportion of the whole.
    let share = if used.total > Nanos(0) { total.0 as f64 / used.total.0 as f64 } else { 0.0 };
    let part = |time: Nanos| Nanos((time.0 as f64 * share) as u64);
    Cpu { total, user: used.user.map(part), system: used.system.map(part) }
}

/// Looks again and again, as long as this.
fn look(poll: &mut Poll, longest: Nanos, happened: &mut Vec<(u64, EventFlags)>) -> io::Result<()> {
    let begun = monotonic();
    while happened.is_empty() && monotonic().since(begun) < longest {
        (0..BREATHS).for_each(|_| std::hint::spin_loop());
        // Whoever else wants this core, the server where there is only one, has it first.
        std::thread::yield_now();
        happened.extend(poll.wait(Some(Nanos(0)))?);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::os::unix::net::UnixStream;

    use super::*;

    #[test]
    fn what_happens_is_seen_awake_and_asleep() {
        for (stays_awake, timeout) in
            [(true, Nanos(0)), (true, AWAKE), (true, Nanos(3 * AWAKE.0)), (false, AWAKE)]
        {
            let mut waiting = Waiting { stays_awake, ..Waiting::new() };
            let mut poll = Poll::new().unwrap();
            let (one, mut other) = UnixStream::pair().unwrap();
            poll.watch(&one, 7, EventFlags::IN).unwrap();
            let mut happened = Vec::new();
            let vain = waiting.wait(&mut poll, timeout, &mut happened).unwrap();
            assert!(happened.is_empty());
            assert!(stays_awake || vain == Nanos(0), "{timeout:?}");
            assert_eq!(vain, waiting.taken());
            other.write_all(b"x").unwrap();
            assert_eq!(waiting.wait(&mut poll, timeout, &mut happened).unwrap(), Nanos(0));
            assert_eq!(happened, [(7, EventFlags::IN)]);
        }
    }

    #[test]
    fn it_does_not_sleep_beyond_what_is_due() {
        let mut waiting = Waiting { stays_awake: true, spent: Nanos(0) };
        let mut poll = Poll::new().unwrap();
        let begun = monotonic();
        let due = Nanos(begun.0 + 5 * AWAKE.0);
        let mut waits = 0;
        // A machine that is busy may be late; it must not have been asked to sleep for longer.
        while monotonic() < due {
            let rest = due.since(monotonic());
            waiting.wait(&mut poll, rest, &mut Vec::new()).unwrap();
            waits += 1;
        }
        assert!(waits >= 2, "the last millisecond is waited for awake");
    }

    #[test]
    fn time_spent_in_vain_is_left_out_once() {
        let mut waiting = Waiting { stays_awake: true, spent: Nanos(60) };
        let used = Cpu { total: Nanos(100), user: Some(Nanos(50)), system: Some(Nanos(40)) };
        let left = Cpu { total: Nanos(40), user: Some(Nanos(20)), system: Some(Nanos(16)) };
        assert_eq!((without(used, waiting.taken()), without(used, waiting.taken())), (left, used));
        assert_eq!(without(Cpu::default(), Nanos(60)), Cpu::default());
    }
}
