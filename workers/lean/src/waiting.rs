//! How the client waits for the server: awake.

use std::io;

use tlstax_measure::cgroup::cpu_quota;
use tlstax_measure::clock::{monotonic, thread_cpu};
use tlstax_spec::{Cpu, Nanos};
use tlstax_worker::poll::{EventFlags, Poll};

/// After so long without an event a client sleeps: to wake it then costs a server little beside what it did meanwhile.
const AWAKE: Nanos = Nanos::from_millis(1);

/// Breaths between two looks: a core that shares its units with the server's leaves them alone for some hundred nanoseconds.
const BREATHS: u32 = 16;

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
        Self { stays_awake: cpu_quota().is_none(), spent: Nanos(0) }
    }

    /// Appends what has happened; nothing if nothing has in time. Returns the CPU time that was spent looking in vain.
    ///
    /// # Errors
    /// The system's own.
    pub(crate) fn wait(
        &mut self,
        poll: &mut Poll,
        timeout: Nanos,
        happened: &mut Vec<(u64, EventFlags)>,
    ) -> io::Result<Nanos> {
        let mut vain = Nanos(0);
        if self.stays_awake {
            happened.extend(poll.wait(Some(Nanos(0)))?);
            if happened.is_empty() {
                let begun = thread_cpu();
                look(poll, timeout.min(AWAKE), happened)?;
                vain = thread_cpu().since(begun);
                self.spent += vain;
            }
        }
        if happened.is_empty() && (!self.stays_awake || timeout > AWAKE) {
            happened.extend(poll.wait(Some(timeout))?);
        }
        Ok(vain)
    }

    /// The CPU time without what was spent looking in vain, which is nobody's from now on.
    pub(crate) fn leave_out(&mut self, used: Cpu) -> Cpu {
        let spent = std::mem::take(&mut self.spent);
        let total = used.total.since(spent);
        // The kernel splits by ticks: what is left has the proportion of the whole.
        let share = if used.total > Nanos(0) { total.0 as f64 / used.total.0 as f64 } else { 0.0 };
        let part = |time: Nanos| Nanos((time.0 as f64 * share) as u64);
        Cpu { total, user: used.user.map(part), system: used.system.map(part) }
    }
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
            assert_eq!(vain > Nanos(0), stays_awake, "{stays_awake} {timeout:?}");
            other.write_all(b"x").unwrap();
            assert_eq!(waiting.wait(&mut poll, timeout, &mut happened).unwrap(), Nanos(0));
            assert_eq!(happened, [(7, EventFlags::IN)]);
        }
    }

    #[test]
    fn time_spent_in_vain_is_left_out_once() {
        let mut waiting = Waiting { stays_awake: true, spent: Nanos(60) };
        let used = Cpu { total: Nanos(100), user: Some(Nanos(50)), system: Some(Nanos(40)) };
        let left = Cpu { total: Nanos(40), user: Some(Nanos(20)), system: Some(Nanos(16)) };
        assert_eq!((waiting.leave_out(used), waiting.leave_out(used)), (left, used));
    }
}
