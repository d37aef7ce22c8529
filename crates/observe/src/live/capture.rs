//! [`Capture`]: samples of processes that run here, while it lasts.

use std::os::fd::AsFd;
use std::path::PathBuf;
use std::time::Duration;

use linux_perf_event_reader::EventRecord;
use tlstax_doc::{Note, Origin, OwnCost, Severity, Unit, rfc3339};
use tlstax_measure::perf_event::{Event, Refusal, may_observe_all, paranoid};
use tlstax_measure::{accounting, clock, limits, signal};
use tlstax_spec::Nanos;

use super::error::LiveError;
use super::rings::{Rings, Unattached};
use super::tally::Tally;
use super::target::Target;
use super::watched::Watched;
use super::{find, price, probe};
use crate::collect::Collector;
use crate::resolve::Architecture;
use crate::source::Facts;

/// How often processes are looked at: new ones of a name, those that have ended, their CPU time.
const LOOK: Nanos = Nanos::from_millis(500);

/// How samples are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// Samples in a second of CPU time.
    pub hertz: u32,
    /// How much of a stack is copied for each: a multiple of 8, below 64 KiB.
    pub stack_bytes: u32,
    /// Whether events may be of whole CPUs in place of the threads of the observed: an event of a thread costs at each switch to it and
    /// from it, one of a CPU samples everybody there.
    pub may_be_of_cpus: bool,
}

impl Default for Settings {
    /// 499 Hz: a prime number is not in step with anything that a server does. 16 KiB of stack: signing with RSA in OpenSSL alone
    /// keeps tables of several KiB there, and what calls it lies above them; with 8 KiB such stacks were cut.
    fn default() -> Self {
        Self { hertz: 499, stack_bytes: 16 * 1024, may_be_of_cpus: false }
    }
}

/// How a capture stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    Going,
    /// All processes that were to be observed have ended.
    Ended,
    /// SIGINT or SIGTERM has come, see [`signal::interrupted`].
    Interrupted,
}

/// What a capture says in the end.
#[derive(Debug, Clone, PartialEq)]
pub struct Finished {
    pub facts: Facts,
    pub own: OwnCost,
}

/// Samples of processes that run here, while it lasts.
#[derive(Debug)]
pub struct Capture {
    target: Target,
    rings: Rings,
    watched: Watched,
    /// The control group whose processes are observed one by one.
    members: Option<PathBuf>,
    prefers_cpus: bool,
    /// Whether events are of whole CPUs, and what they say of others than the watched is thrown away.
    is_of_cpus: bool,
    /// CPU time that a sample takes of the observed, nanoseconds.
    price: Option<f64>,
    started: String,
    begun: Nanos,
    own_before: Nanos,
    looked: Option<Nanos>,
    tally: Tally,
}

impl Capture {
    /// Begins to take samples.
    ///
    /// # Errors
    /// See [`LiveError`].
    pub fn begin(target: &Target, settings: &Settings) -> Result<Self, LiveError> {
        let architecture = Architecture::here().ok_or(LiveError::Architecture)?;
        let sampling = probe::probe(architecture, settings.hertz, settings.stack_bytes)?;
        limits::raise_open_files();
        let price = price::of_sample(&sampling);
        let open = |source| LiveError::Open { whom: target.to_string(), source };
        let mut capture = Self {
            target: target.clone(),
            rings: Rings::new(sampling).map_err(open)?,
            watched: Watched::new(architecture),
            members: None,
            prefers_cpus: settings.may_be_of_cpus,
            is_of_cpus: false,
            price,
            started: rfc3339(clock::wall()),
            begun: clock::monotonic(),
            own_before: clock::process_cpu(),
            looked: None,
            tally: Tally::default(),
        };
        capture.attach()?;
        // Attaching to many threads takes a while; what was sampled in it is kept out of the time, and of the samples.
        capture.begun = clock::monotonic();
        Ok(capture)
    }

    /// Observes these processes, too, from now on.
    ///
    /// # Errors
    /// See [`LiveError`]; one that has ended meanwhile is none.
    pub fn also(&mut self, pids: &[u32]) -> Result<(), LiveError> {
        if let Target::Processes(all) = &mut self.target {
            all.extend(pids);
        }
        self.processes(pids)
    }

    fn attach(&mut self) -> Result<(), LiveError> {
        match self.target.clone() {
            Target::Processes(pids) => {
                pids.iter().try_for_each(|pid| find::must_be_a_program(*pid))?;
                self.prefer_cpus();
                self.processes(&pids)?;
                if self.watched.is_anybody_left() { Ok(()) } else { Err(self.all_ended()) }
            }
            Target::Name(name) => {
                let pids = find::named(&name);
                if pids.is_empty() {
                    return Err(find::no_name(&name));
                }
                self.prefer_cpus();
                self.processes(&pids)
            }
            Target::Group(path) => {
                let (path, folder) = find::group(&path)?;
                self.everybody();
                // Where perf does not know of this hierarchy, or lets this user observe processes of his own only.
                if self.rings.group(folder.as_fd()).is_err() {
                    self.processes(&find::members(&path))?;
                    self.members = Some(path);
                }
                Ok(())
            }
            Target::System => {
                self.everybody();
                self.rings.all().map_err(|why| self.refused(why, None, "the whole machine"))
            }
        }
    }

    /// Where samples come by a timer, an event of a thread sets and unsets it whenever the thread is switched to and from. That took
    /// 6 µs a switch in a virtual machine, 0.05 µs with events of whole CPUs: of servers that wait for each request, several per
    /// cent. So whoever may observe everybody has events of CPUs, and throws away what is of others.
    fn prefer_cpus(&mut self) {
        let is_by_timer = self.rings.sampling().event == Event::CpuClock;
        self.is_of_cpus = self.prefers_cpus && is_by_timer && self.rings.all().is_ok();
    }

    fn all_ended(&self) -> LiveError {
        LiveError::AllEnded { target: self.target.to_string() }
    }

    /// Opens the accounts of all processes: any of them may turn out to be observed.
    fn everybody(&mut self) {
        for pid in accounting::all() {
            if let Some(name) = accounting::name(pid) {
                self.watched.accounts.open(pid, &name);
            }
        }
    }

    fn processes(&mut self, pids: &[u32]) -> Result<(), LiveError> {
        for pid in pids {
            let name = accounting::name(*pid).unwrap_or_default();
            if !self.watched.accounts.has(*pid) {
                self.watched.accounts.open(*pid, &name);
            }
            if !self.is_of_cpus {
                self.threads(*pid)?;
            }
            self.watched.meet(*pid);
        }
        Ok(())
    }

    /// Observes the threads of a process that are not yet.
    fn threads(&mut self, pid: u32) -> Result<(), LiveError> {
        for thread in self.watched.new_threads(pid) {
            match self.rings.thread(thread) {
                Ok(()) => self.watched.add_thread(thread),
                Err(Unattached::Gone) => {}
                Err(why) => return Err(self.refused(why, Some(pid), &format!("process {pid}"))),
            }
        }
        Ok(())
    }

    fn refused(&self, why: Unattached, pid: Option<u32>, whom: &str) -> LiveError {
        let source = match why {
            Unattached::Memory(source) => return LiveError::NoMemory { source },
            Unattached::Gone => return self.all_ended(),
            Unattached::Event(source) => source,
        };
        match (Refusal::of(&source), pid) {
            (Refusal::TooManyFiles, _) => {
                let threads = pid.map_or(1, |pid| find::threads(pid).len().max(1));
                LiveError::TooManyFiles { threads, cpus: self.rings.cpus(), limit: limits::open_files() }
            }
            (Refusal::Forbidden, Some(pid)) => find::forbidden(pid, source),
            (Refusal::Forbidden, None) => match paranoid() {
                Some(level @ 1..) if !may_observe_all() => {
                    LiveError::Forbidden { whom: "more than its own processes", level, wanted: 0 }
                }
                level => LiveError::Refused { level: level.unwrap_or(0), source },
            },
            _ => LiveError::Open { whom: whom.to_owned(), source },
        }
    }

    /// Goes on taking samples for some time, or until nobody is left to be observed or a signal has come.
    ///
    /// # Errors
    /// A new process cannot be observed. Everything up to then is in the collector, and the capture can be finished.
    pub fn poll(&mut self, collector: &mut Collector, patience: Duration) -> Result<Progress, LiveError> {
        let end = clock::monotonic().0.saturating_add(patience.as_nanos() as u64);
        loop {
            let now = clock::monotonic();
            std::thread::sleep(self.rings.interval().min(Duration::from_nanos(end.saturating_sub(now.0))));
            self.drain(collector);
            if signal::interrupted() {
                return Ok(Progress::Interrupted);
            }
            if self.looked.is_none_or(|looked| clock::monotonic().since(looked) >= LOOK) {
                self.looked = Some(clock::monotonic());
                if !self.look()? {
                    return Ok(Progress::Ended);
                }
            }
            if clock::monotonic().0 >= end {
                return Ok(Progress::Going);
            }
        }
    }

    /// Looks at the processes; whether anybody is left.
    fn look(&mut self) -> Result<bool, LiveError> {
        self.watched.accounts.read();
        match self.target.clone() {
            Target::Processes(pids) => {
                // Threads that were started while we attached ourselves to the others.
                if !self.is_of_cpus {
                    pids.iter().try_for_each(|pid| self.threads(*pid))?;
                }
                Ok(self.watched.is_anybody_left())
            }
            Target::Name(name) => self.look_for(&find::named(&name)),
            Target::Group(_) => match &self.members {
                Some(path) => self.look_for(&find::members(path)),
                None => self.look_for(&[]),
            },
            Target::System => self.look_for(&[]),
        }
    }

    /// Observes those that are not yet; more may come.
    fn look_for(&mut self, pids: &[u32]) -> Result<bool, LiveError> {
        self.watched.is_anybody_left();
        let new: Vec<u32> = pids.iter().copied().filter(|pid| !self.watched.knows(*pid)).collect();
        self.processes(&new).map(|()| true)
    }

    fn drain(&mut self, collector: &mut Collector) {
        let (watched, tally, begun) = (&mut self.watched, &mut self.tally, self.begun.0);
        let is_of_cpus = self.is_of_cpus;
        self.rings.drain(clock::monotonic().0, |record, at_ns| match record {
            _ if is_of_cpus && !process_of(&record).is_none_or(|pid| watched.has_met(pid)) => {}
            EventRecord::Sample(sample) => {
                if let Some(at_ns) = at_ns.checked_sub(begun) {
                    tally.take(&sample, at_ns, watched, collector);
                }
            }
            EventRecord::Mmap2(record) => watched.mmap(&record),
            EventRecord::Comm(record) => watched.comm(&record),
            EventRecord::Fork(record) => watched.fork(&record),
            EventRecord::Exit(record) => watched.exit(&record),
            EventRecord::Lost(record) => tally.lost += record.count,
            EventRecord::Throttle(_) => tally.is_throttled = true,
            _ => {}
        });
        self.watched.tell_names(collector);
    }

    /// Ends the capture with what was sampled last.
    pub fn finish(mut self, collector: &mut Collector) -> Finished {
        self.drain(collector);
        self.watched.accounts.read();
        for (name, cpu_ns) in self.watched.accounts.by_name() {
            collector.account(&name, cpu_ns);
        }
        let sampling = self.rings.sampling();
        let own = OwnCost {
            cpu_ns: clock::process_cpu().since(self.own_before).0,
            target_ns: self.price.map(|price| (price * self.tally.samples as f64) as u64),
        };
        let facts = Facts {
            origin: Origin {
                format: "live".to_owned(),
                event: Some(sampling.event.word().to_owned()),
                hertz: Some(sampling.hertz.into()),
                stacks: Some("eh_frame".to_owned()),
            },
            unit: match sampling.event {
                Event::Cycles => Unit::Cycles,
                Event::CpuClock => Unit::Nanoseconds,
            },
            target: self.target.to_string(),
            started: Some(self.started.clone()),
            duration_ns: Some(clock::monotonic().since(self.begun).0),
            cpus: u32::try_from(self.rings.cpus()).ok(),
            lost: self.tally.lost,
            notes: self.notes(),
        };
        Finished { facts, own }
    }

    fn notes(&self) -> Vec<Note> {
        let mut notes = self.watched.resolver.notes();
        if !self.rings.sampling().with_kernel {
            notes.push(Note {
                severity: Severity::Warning,
                what: "time in the kernel was not observed: the kernel does not let this user".to_owned(),
                remedy: "observe as root or with CAP_PERFMON, or set kernel.perf_event_paranoid=1".to_owned(),
            });
        }
        if self.tally.is_throttled {
            notes.push(Note {
                severity: Severity::Warning,
                what: "the kernel held samples back because they took too much of its time".to_owned(),
                remedy: "take fewer samples a second".to_owned(),
            });
        }
        notes
    }
}

/// Whose doing a record tells of: of a process that has been started, its parent's. None of what is nobody's.
fn process_of(record: &EventRecord<'_>) -> Option<u32> {
    let pid = match record {
        EventRecord::Sample(sample) => sample.pid.unwrap_or(0),
        EventRecord::Mmap2(record) => record.pid,
        EventRecord::Comm(record) => record.pid,
        EventRecord::Fork(record) => record.ppid,
        EventRecord::Exit(record) => record.pid,
        _ => return None,
    };
    Some(pid.cast_unsigned())
}
