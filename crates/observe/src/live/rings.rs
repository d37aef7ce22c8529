//! [`Rings`]: the events of a capture and the records that they write, one ring for each CPU.

use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::time::Duration;

use byteorder::NativeEndian;
use linux_perf_event_reader::{
    Endianness, EventRecord, PerfEventAttr, RawData, RawEventRecord, RecordParseInfo, RecordType,
};
use tlstax_measure::host;
use tlstax_measure::perf_event::{Record, Refusal, Ring, Sampling, Scope};

/// Sizes of a ring that are tried, the best first. Users without privileges get 512 KiB for each CPU, by
/// kernel.perf_event_mlock_kb, and what their limit of locked memory adds.
const SIZES: [usize; 4] = [4 << 20, 2 << 20, 1 << 20, 512 << 10];

/// Rings are read so often: whoever reads more often disturbs, and whoever reads more seldom needs more memory.
const INTERVAL: Duration = Duration::from_millis(200);

/// What a sample has beside the copy of the stack: registers, and calls of the kernel.
const BESIDE: u32 = 1024;

/// The events of a capture and the records that they write, one ring for each CPU.
#[derive(Debug)]
pub struct Rings {
    sampling: Sampling,
    parse: RecordParseInfo,
    cpus: Vec<Cpu>,
    /// Events that write into the rings of others.
    others: Vec<OwnedFd>,
}

#[derive(Debug)]
struct Cpu {
    number: u32,
    /// The event that has the ring.
    first: Option<(OwnedFd, Ring)>,
}

/// Why something is not observed.
#[derive(Debug)]
pub enum Unattached {
    /// The thread has ended in between.
    Gone,
    Event(io::Error),
    /// There is no memory for the ring.
    Memory(io::Error),
}

impl Rings {
    /// # Errors
    /// The attributes cannot be read: those of [`Sampling`] can.
    pub fn new(sampling: Sampling) -> io::Result<Self> {
        let (attributes, _) = PerfEventAttr::parse::<_, NativeEndian>(sampling.bytes().as_slice())?;
        let endian =
            if cfg!(target_endian = "big") { Endianness::BigEndian } else { Endianness::LittleEndian };
        let numbers = host::online().into_iter().filter_map(|cpu| u32::try_from(cpu).ok());
        let mut cpus: Vec<Cpu> = numbers.map(|number| Cpu { number, first: None }).collect();
        if cpus.is_empty() {
            cpus.push(Cpu { number: 0, first: None });
        }
        Ok(Self { sampling, parse: RecordParseInfo::new(&attributes, endian), cpus, others: Vec::new() })
    }

    pub fn sampling(&self) -> &Sampling {
        &self.sampling
    }

    pub fn cpus(&self) -> usize {
        self.cpus.len()
    }

    /// How long to wait between two readings: at most until a ring is half full.
    pub fn interval(&self) -> Duration {
        let rings = self.cpus.iter().filter_map(|cpu| Some(&cpu.first.as_ref()?.1));
        let Some(capacity) = rings.map(Ring::capacity).min() else { return INTERVAL };
        let each = u64::from(self.sampling.stack_bytes + BESIDE) * u64::from(self.sampling.hertz.max(1));
        Duration::from_micros(capacity as u64 / 2 * 1_000_000 / each).min(INTERVAL)
    }

    /// Observes a thread, and whatever it starts, on every CPU.
    ///
    /// # Errors
    /// See [`Unattached`].
    pub fn thread(&mut self, thread: u32) -> Result<(), Unattached> {
        self.attach(&self.sampling.clone(), Scope::Thread(thread))
    }

    /// Observes a control group, by its folder.
    ///
    /// # Errors
    /// See [`Unattached`].
    pub fn group(&mut self, folder: BorrowedFd<'_>) -> Result<(), Unattached> {
        self.attach(&Sampling { with_descendants: false, ..self.sampling }, Scope::Group(folder))
    }

    /// Observes everybody.
    ///
    /// # Errors
    /// See [`Unattached`].
    pub fn all(&mut self) -> Result<(), Unattached> {
        self.attach(&Sampling { with_descendants: false, ..self.sampling }, Scope::All)
    }

    fn attach(&mut self, sampling: &Sampling, scope: Scope<'_>) -> Result<(), Unattached> {
        for cpu in &mut self.cpus {
            let event = match sampling.open(scope, Some(cpu.number)) {
                Ok(event) => event,
                Err(error) if Refusal::of(&error) == Refusal::Gone => return Err(Unattached::Gone),
                Err(error) => return Err(Unattached::Event(error)),
            };
            match &cpu.first {
                Some((first, _)) => {
                    Sampling::redirect(&event, first).map_err(Unattached::Event)?;
                    self.others.push(event);
                }
                None => {
                    let ring = map(&event).map_err(Unattached::Memory)?;
                    cpu.first = Some((event, ring));
                }
            }
        }
        Ok(())
    }

    /// Hands on what was recorded up to a point in time (`CLOCK_MONOTONIC`, nanoseconds), in the order of time across CPUs: what
    /// is mapped on one CPU is executed on another.
    pub fn drain(&mut self, until: u64, mut take: impl FnMut(EventRecord<'_>, u64)) {
        let parse = &self.parse;
        let mut rings: Vec<&mut Ring> =
            self.cpus.iter_mut().filter_map(|cpu| Some(&mut cpu.first.as_mut()?.1)).collect();
        rings.iter_mut().for_each(|ring| ring.look());
        let time = |ring: &Ring| ring.peek().map(|record| raw(&record, parse).timestamp().unwrap_or(0));
        let mut times: Vec<Option<u64>> = rings.iter().map(|ring| time(ring)).collect();
        loop {
            let next = times.iter().enumerate().filter_map(|(at, time)| Some(((*time)?, at))).min();
            let Some((at_ns, at)) = next.filter(|(time, _)| *time <= until) else { break };
            if let Some(record) = rings[at].peek()
                && let Ok(record) = raw(&record, parse).parse()
            {
                take(record, at_ns);
            }
            rings[at].advance();
            rings[at].release();
            times[at] = time(rings[at]);
        }
    }
}

fn raw<'r>(record: &Record<'r>, parse: &RecordParseInfo) -> RawEventRecord<'r> {
    let body = match record.body {
        (body, []) => RawData::Single(body),
        (first, second) => RawData::Split(first, second),
    };
    RawEventRecord::new(RecordType(record.kind), record.misc, body, *parse)
}

/// The largest ring that this user gets.
fn map(event: &OwnedFd) -> io::Result<Ring> {
    let mut refused = io::ErrorKind::OutOfMemory.into();
    for size in SIZES {
        match Ring::map(event, size) {
            Ok(ring) => return Ok(ring),
            Err(error) => refused = error,
        }
    }
    Err(refused)
}
