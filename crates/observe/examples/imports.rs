//! How fast profiles are read, in CPU time of one core:
//!
//!     cargo run --release -p tlstax-observe --example imports -- [PERF_DATA [SAMPLES]]
//!
//! Folded stacks are made up. PERF_DATA is a recording of `perf record --call-graph dwarf`, uncompressed, whose records are given again
//! and again, each time later, until there are so many samples (1,000,000).
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::fmt::Write;
use std::io::{self, Cursor, Read};

use tlstax_measure::clock;
use tlstax_observe::{Classifier, Collector, Input, read};

fn main() {
    let mut arguments = std::env::args().skip(1);
    folded();
    if let Some(path) = arguments.next() {
        let samples = arguments.next().map_or(1_000_000, |samples| samples.parse().unwrap());
        recording(&std::fs::read(path).unwrap(), samples);
    }
}

/// Reads an input and prints what it took.
fn measure(what: &str, bytes: u64, input: Input<'_>) {
    let classifier = Classifier::built_in();
    let mut collector = Collector::new(&classifier);
    let before = clock::thread_cpu();
    let facts = read(input, &mut collector).unwrap();
    #[expect(clippy::cast_precision_loss, reason = "for reading")]
    let (seconds, megabytes) = ((clock::thread_cpu().0 - before.0) as f64 / 1e9, bytes as f64 / 1e6);
    println!(
        "{what}: {megabytes:.0} MB, {} samples in {seconds:.2} s of CPU: {:.0} MB/s; at most {} MiB in memory",
        collector.samples(),
        megabytes / seconds,
        peak_mib()
    );
    facts.notes.iter().for_each(|note| println!("  {}", note.what));
}

fn peak_mib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() / 1024
}

/// Stacks of 10 to 40 frames of 5,000 functions, no two alike, and the same ones four times.
fn folded() {
    let functions: Vec<String> =
        (0..5000).map(|number| format!("ngx_{number}_process_some_request")).collect();
    let (mut text, mut seed) = (String::new(), 1_u64);
    let mut random = |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    };
    while text.len() < 64 << 20 {
        text.push_str("nginx;main");
        for _ in 0..10 + random(30) {
            let function = &functions[usize::try_from(random(5000)).unwrap()];
            write!(text, ";{function}").unwrap();
        }
        writeln!(text, " {}", 1 + random(100)).unwrap();
    }
    let bytes = text.len() as u64;
    measure("folded, distinct", bytes, Input::file("folded", Cursor::new(&text)));
    let again = (1..4)
        .fold(Box::new(text.as_bytes()) as Box<dyn Read>, |all, _| Box::new(all.chain(text.as_bytes())));
    measure("folded, four times", 4 * bytes, Input::stream("folded", again));
}

/// A recording given again and again.
fn recording(file: &[u8], samples: usize) {
    let laps = Laps::of(file, samples);
    let bytes = laps.lap.len() as u64 * laps.left as u64;
    let mut header = file[..usize::try_from(laps.data).unwrap()].to_vec();
    // To the end of the input.
    header[48..56].fill(0);
    measure("perf.data", bytes, Input::stream("perf.data", Cursor::new(header).chain(laps)));
}

/// What a recording begins with, then its samples, each lap later than the one before, with the mark of a round behind it.
struct Laps {
    /// Where the data begin.
    data: u64,
    lap: Vec<u8>,
    /// Where in a lap the times are.
    times: Vec<usize>,
    /// From one lap to the next, nanoseconds.
    duration: u64,
    left: usize,
    at: usize,
    first: Cursor<Vec<u8>>,
}

impl Laps {
    fn of(file: &[u8], samples: usize) -> Self {
        let word = |at: usize| u64::from_le_bytes(file[at..at + 8].try_into().unwrap());
        let (data, size) = (word(40), word(48));
        let mut rest = &file[usize::try_from(data).unwrap()..][..usize::try_from(size).unwrap()];
        let (mut first, mut lap, mut times) = (Vec::new(), Vec::new(), Vec::new());
        while !rest.is_empty() {
            let length = usize::from(u16::from_le_bytes([rest[6], rest[7]]));
            let (record, others) = rest.split_at(length);
            match u32::from_le_bytes(record[..4].try_into().unwrap()) {
                // Of one event, without ids: header, place, process and thread, time.
                9 => {
                    times.push(lap.len() + 24);
                    lap.extend_from_slice(record);
                }
                68 => {}
                _ => first.extend_from_slice(record),
            }
            rest = others;
        }
        // The mark of a round: a record of perf without a body.
        lap.extend([68, 0, 0, 0, 0, 0, 8, 0]);
        let time = |at: usize| u64::from_le_bytes(lap[at..at + 8].try_into().unwrap());
        let duration = time(*times.last().unwrap()) - time(times[0]) + 1_000_000;
        let left = samples.div_ceil(times.len());
        Self { data, at: 0, first: Cursor::new(first), lap, times, duration, left }
    }
}

impl Read for Laps {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.first.read(into)?;
        if read > 0 || self.left == 0 {
            return Ok(read);
        }
        let part = into.len().min(self.lap.len() - self.at);
        into[..part].copy_from_slice(&self.lap[self.at..self.at + part]);
        self.at += part;
        if self.at == self.lap.len() {
            (self.at, self.left) = (0, self.left - 1);
            for at in &self.times {
                let time: &mut [u8; 8] = (&mut self.lap[*at..at + 8]).try_into().unwrap();
                *time = (u64::from_le_bytes(*time) + self.duration).to_le_bytes();
            }
        }
        Ok(part)
    }
}
