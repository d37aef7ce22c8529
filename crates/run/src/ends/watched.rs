//! Ends of a load that are read from outside while a window runs.

use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use tlstax_measure::accounting::scheduled;
use tlstax_measure::loopback::Loopback;
use tlstax_measure::pin;
use tlstax_spec::Nanos;

use super::shares::Point;

/// How often an end is read. A reading keeps it from its core for some 20 us, of which this makes half a hundredth.
const STEP: Duration = Duration::from_millis(4);

#[derive(Debug, Default)]
pub struct Watched {
    pub client: Option<Outside>,
    pub server: Option<Outside>,
}

/// An end that is read from outside.
#[derive(Debug)]
pub struct Outside {
    /// Its core. It has to be read from there: of a process that runs on another core the kernel knows no more than it did at the
    /// last tick of the clock, 4 ms ago, but of one that has just made room, all.
    core: usize,
    /// Its processes, once there are any.
    pids: OnceLock<Vec<u32>>,
}

impl Watched {
    /// Reads the client and the server again and again while `act` runs, each from its own core.
    pub fn during<T>(&self, act: impl FnOnce() -> T) -> (T, [Vec<Point>; 2]) {
        std::thread::scope(|scope| {
            let readers = [&self.client, &self.server].map(|outside| {
                let (end, ended) = channel();
                let (begin, begun) = channel();
                let reader =
                    outside.as_ref().map(|outside| scope.spawn(move || outside.read_until(begin, &ended)));
                (reader, begun, end)
            });
            // All that passes has to be seen.
            for (_, begun, _) in &readers {
                // It sends nothing: that it has begun is told by the end of its channel.
                let _ = begun.recv();
            }
            let done = act();
            let read = readers.map(|(reader, _, end)| {
                drop(end);
                // A reader that panicked has read nothing.
                reader.and_then(|reader| reader.join().ok()).unwrap_or_default()
            });
            (done, read)
        })
    }
}

impl Outside {
    /// An end whose processes are these, or, where there are none, one that is still to be started.
    pub fn new(core: usize, pids: Vec<u32>) -> Self {
        let known = OnceLock::new();
        if !pids.is_empty() {
            known.get_or_init(|| pids);
        }
        Self { core, pids: known }
    }

    /// It has been started, and this is its process.
    pub fn is(&self, pid: u32) {
        self.pids.get_or_init(|| vec![pid]);
    }

    /// Drops the one when it has begun, and goes on until the other end of the other is dropped.
    fn read_until(&self, begin: Sender<()>, ended: &Receiver<()>) -> Vec<Point> {
        // Where the system forbids it, what is read is coarse.
        let _ = pin::pin_thread(self.core);
        let Ok(loopback) = Loopback::open() else { return Vec::new() };
        let mut points = Vec::new();
        self.read(&loopback, &mut points);
        drop(begin);
        while ended.recv_timeout(STEP) == Err(RecvTimeoutError::Timeout) {
            self.read(&loopback, &mut points);
        }
        self.read(&loopback, &mut points);
        // Of processes that nobody has named nothing was read.
        if self.pids.get().is_some() { points } else { Vec::new() }
    }

    fn read(&self, loopback: &Loopback, points: &mut Vec<Point>) {
        let Ok(carried) = loopback.carried() else { return };
        let pids = self.pids.get().map(Vec::as_slice).unwrap_or_default();
        let used: Option<Nanos> = pids.iter().map(|pid| scheduled(*pid).ok()).sum();
        // A program that has just ended has used no more than before, as far as can be seen.
        let used = used.or_else(|| points.last().map(|last| last.used)).unwrap_or_default();
        points.push(Point { carried: carried.0, used });
    }
}

#[cfg(test)]
mod tests {
    use std::net::UdpSocket;

    use super::*;

    /// Works and sends until so many readings could be made.
    fn send() -> u64 {
        let (from, to) = (UdpSocket::bind("127.0.0.1:0").unwrap(), UdpSocket::bind("127.0.0.1:0").unwrap());
        let address = to.local_addr().unwrap();
        (0..20).map(|_| from.send_to(&[0; 1000], address).unwrap() as u64 + slept()).sum()
    }

    fn slept() -> u64 {
        std::thread::sleep(STEP);
        0
    }

    #[test]
    fn an_end_is_read_from_before_its_window_to_after_it() {
        let core = pin::cores().unwrap().measure;
        let ourselves = || Some(Outside::new(core, vec![std::process::id()]));
        let later = Outside::new(core, Vec::new());
        let watched = Watched { client: Some(later), server: ourselves() };
        let (sent, [client, server]) = watched.during(|| {
            watched.client.as_ref().unwrap().is(std::process::id());
            send()
        });
        for points in [&client, &server] {
            assert!(points.len() > 2, "{points:?}");
            assert!(
                points.is_sorted_by_key(|point| point.carried) && points.is_sorted_by_key(|point| point.used)
            );
            assert!(points[points.len() - 1].carried - points[0].carried >= sent, "{points:?}");
        }
        assert_eq!(client[0].used, Nanos(0), "it had not been started");
        assert!(server[0].used > Nanos(0));
    }

    #[test]
    fn an_end_whose_processes_nobody_names_is_not_read() {
        let watched = Watched { client: None, server: Some(Outside::new(0, Vec::new())) };
        assert_eq!(watched.during(|| 7), (7, [Vec::new(), Vec::new()]));
    }
}
