//! The times that a client and a server take which work in turns in one thread.

use tlstax_measure::clock::{monotonic, thread_cpu};
use tlstax_measure::counter::Counter;
use tlstax_spec::{Cpu, Instructions, Nanos, Parts, Sample, Side};

use crate::carrying::Carried;
use crate::counting::{check_countable, finish, start_if};
use crate::cpu::sum;
use crate::job::{Batch, JobError};

/// Time told apart by contiguous readings of one clock: what passes between two readings belongs to one side, or to
/// the harness, which pauses to read proofs.
#[derive(Debug)]
pub(crate) struct Laps {
    clock: fn() -> Nanos,
    started: Nanos,
    last: Nanos,
    client: Nanos,
    server: Nanos,
    paused: Nanos,
    pauses: u64,
    /// Of the pauses, what the wire took.
    carried: Carried,
    shortest_pause: Option<Nanos>,
    /// How many iterations make a part; none where parts are not wanted.
    part: u64,
    /// Iterations of the part in hand.
    done: u64,
    /// What the sides had taken when the part in hand began.
    told: (Nanos, Nanos),
    parts: Parts,
    /// None where instructions are not to be counted.
    counter: Option<Counter>,
    /// Those of the client and of the server.
    counted: (u64, u64),
}

impl Laps {
    /// Begins to tell the sides apart, in one of so many threads that do.
    ///
    /// Alone, elapsed time is CPU time until the thread is preempted, and its clock is read without a system call.
    /// Several threads wait for each other's locks and perhaps for a core: then only the CPU clock tells what a side
    /// took, at some 300 ns for each reading.
    pub(crate) fn start(threads: u16) -> Self {
        let clock = if threads == 1 { monotonic } else { thread_cpu };
        let zero = Nanos(0);
        Self {
            clock,
            started: monotonic(),
            last: clock(),
            client: zero,
            server: zero,
            paused: zero,
            pauses: 0,
            carried: Carried::default(),
            shortest_pause: None,
            part: 0,
            done: 0,
            told: (zero, zero),
            parts: Parts::default(),
            counter: None,
            counted: (0, 0),
        }
    }

    /// Tells the parts of a batch of its own thread too. Those of several threads would overlap.
    fn in_parts(self, batch: Batch, threads: u16) -> Self {
        if threads > 1 || batch.part == 0 {
            return self;
        }
        let room = (batch.iterations / batch.part) as usize;
        let parts =
            Parts { client: Vec::with_capacity(room), server: Vec::with_capacity(room), ..Parts::default() };
        Self { part: batch.part, parts, ..self }
    }

    /// An iteration has ended.
    pub(crate) fn iterated(&mut self) {
        self.done += 1;
        if self.done == self.part {
            self.parts.client.push(self.client.since(self.told.0));
            self.parts.server.push(self.server.since(self.told.1));
            self.told = (self.client, self.server);
            self.done = 0;
        }
    }

    /// What passed since the last reading was this side's.
    pub(crate) fn of(&mut self, side: Side) {
        self.count(Some(side));
        let lap = self.lap();
        match side {
            Side::Client => self.client += lap,
            Side::Server => self.server += lap,
        }
    }

    /// What passed since the last reading was the harness's.
    pub(crate) fn pause(&mut self) {
        self.count(None);
        let lap = self.lap();
        self.paused += lap;
        self.pauses += 1;
        self.shortest_pause = Some(self.shortest_pause.map_or(lap, |shortest| shortest.min(lap)));
    }

    /// Of what passed since the last reading, so much was the wire's: it is nobody's.
    pub(crate) fn carried(&mut self, took: Carried) {
        self.last += took.elapsed;
        self.paused += took.elapsed;
        self.carried.elapsed += took.elapsed;
        self.carried.cpu += took.cpu;
    }

    /// What was executed since the last reading was this side's, or the harness's.
    fn count(&mut self, side: Option<Side>) {
        let Some(counter) = &mut self.counter else { return };
        let lap = counter.lap();
        match side {
            Some(Side::Client) => self.counted.0 += lap,
            Some(Side::Server) => self.counted.1 += lap,
            None => {}
        }
    }

    fn lap(&mut self) -> Nanos {
        let now = (self.clock)();
        let lap = now.since(self.last);
        self.last = now;
        lap
    }

    fn sides(&self) -> (Cpu, Cpu) {
        let side = |total| Cpu { total, ..Cpu::default() };
        (side(self.client), side(self.server))
    }

    /// A reading of the thread's CPU clock over the same time, without the pauses.
    ///
    /// Each pause counts as much as the shortest one of the job: it is the same few instructions each time, and a longer
    /// one was interrupted, which costs elapsed time and not CPU time.
    fn cpu(&self, thread: Nanos, shortest_pause: Nanos) -> Cpu {
        let pauses = Nanos(shortest_pause.0.saturating_mul(self.pauses));
        Cpu { total: self.without_wire(thread.since(pauses)), ..Cpu::default() }
    }

    /// The sides' part of CPU time that they share with the wire in the proportion of their elapsed times: whatever else
    /// happened to the thread happened to both.
    fn without_wire(&self, thread: Nanos) -> Nanos {
        if self.carried == Carried::default() {
            return thread;
        }
        let own = self.last.since(self.started).since(self.carried.elapsed);
        let both = u128::from((own + self.carried.cpu).0).max(1);
        let part = u64::try_from(u128::from(thread.0) * u128::from(own.0) / both).unwrap_or(u64::MAX);
        // To interrupt the wire costs CPU time too, which is not the sides'.
        Nanos(part).min(own)
    }

    /// Elapsed time since the start, without the pauses.
    fn elapsed(&self) -> Elapsed {
        Elapsed { start: self.started, end: monotonic().since(self.paused) }
    }
}

/// When a thread did its part of a batch.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Elapsed {
    pub(crate) start: Nanos,
    pub(crate) end: Nanos,
}

impl Elapsed {
    /// From the release of the first thread to the end of the last.
    pub(crate) fn of_all(parts: impl Iterator<Item = Self> + Clone) -> Nanos {
        let start = parts.clone().map(|part| part.start).min().unwrap_or_default();
        parts.map(|part| part.end).max().unwrap_or_default().since(start)
    }
}

/// What one thread took for its part of a batch.
pub(crate) struct Times {
    laps: Laps,
    elapsed: Elapsed,
    thread: Nanos,
    /// Whether its instructions were counted.
    is_counted: bool,
}

impl Times {
    /// Takes the times of a batch that is done in one of so many threads.
    pub(crate) fn of<T>(
        threads: u16,
        batch: Batch,
        act: impl FnOnce(&mut Laps) -> Result<T, JobError>,
    ) -> Result<(Self, T), JobError> {
        check_countable(batch, threads.into())?;
        let counter = start_if(batch)?;
        let before = thread_cpu();
        let mut laps = Laps { counter, ..Laps::start(threads).in_parts(batch, threads) };
        let done = act(&mut laps)?;
        let thread = thread_cpu().since(before);
        finish(laps.counter.take())?;
        let is_counted = batch.count.is_some();
        Ok((Self { elapsed: laps.elapsed(), laps, thread, is_counted }, done))
    }

    /// The shortest pause of any thread, or this one if none was shorter.
    pub(crate) fn shortest_pause(all: &[Self], so_far: Nanos) -> Nanos {
        all.iter().filter_map(|times| times.laps.shortest_pause).fold(so_far, Nanos::min)
    }

    fn instructions(&self) -> Option<Box<Instructions>> {
        let (client, server) = self.laps.counted;
        let sides = Instructions { whole: client + server, client: Some(client), server: Some(server) };
        self.is_counted.then(|| Box::new(sides))
    }

    /// The sample of a batch with so many iterations on each thread.
    pub(crate) fn sample(all: &[Self], iterations: u64, shortest_pause: Nanos) -> Sample {
        let (parts, instructions) = match all {
            [alone] => (alone.laps.parts.clone(), alone.instructions()),
            _ => Default::default(),
        };
        Sample {
            iterations: iterations * all.len() as u64,
            wall: Elapsed::of_all(all.iter().map(|times| times.elapsed)),
            cpu: sum(all.iter().map(|times| times.laps.cpu(times.thread, shortest_pause))),
            client: Some(sum(all.iter().map(|times| times.laps.sides().0))),
            server: Some(sum(all.iter().map(|times| times.laps.sides().1))),
            parts,
            instructions,
            ..Sample::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_moment_belongs_to_one_side_or_to_a_pause() {
        for threads in [1, 2] {
            let mut laps = Laps::start(threads);
            let begin = laps.last;
            for _ in 0..100 {
                laps.of(Side::Client);
                laps.pause();
                laps.of(Side::Server);
            }
            let (client, server) = laps.sides();
            assert_eq!(client.total + server.total + laps.paused, laps.last.since(begin));
            assert!(laps.shortest_pause.is_some_and(|shortest| shortest.0 * 100 <= laps.paused.0));
        }
    }

    #[test]
    fn what_the_wire_took_is_nobodys() {
        let mut laps = Laps::start(1);
        let begin = laps.last;
        std::thread::sleep(std::time::Duration::from_millis(2));
        laps.carried(Carried { elapsed: Nanos(1_000_000), cpu: Nanos(1000) });
        laps.of(Side::Client);
        assert_eq!(laps.client + Nanos(1_000_000), laps.last.since(begin));
        assert_eq!(laps.paused, Nanos(1_000_000));
        let own = laps.client.0;
        // Not interrupted, and kept from the core for half of the time.
        assert!(laps.cpu(Nanos(own + 1000), Nanos(10)).total.0.abs_diff(own) < 1000);
        assert!(laps.cpu(Nanos((own + 1000) / 2), Nanos(10)).total.0.abs_diff(own / 2) < 1000);
    }

    #[test]
    fn pauses_are_taken_at_their_shortest() {
        let mut laps = Laps::start(1);
        laps.pauses = 3;
        assert_eq!(laps.cpu(Nanos(1000), Nanos(10)).total, Nanos(970));
        assert_eq!(laps.cpu(Nanos(20), Nanos(10)).total, Nanos(0));
    }

    #[test]
    fn the_wall_is_from_the_first_start_to_the_last_end() {
        let part = |start, end| Elapsed { start: Nanos(start), end: Nanos(end) };
        assert_eq!(Elapsed::of_all([part(5, 9), part(3, 7)].into_iter()), Nanos(6));
        assert_eq!(Elapsed::of_all([].into_iter()), Nanos(0));
    }
}
