//! How long unwinding, naming and adding up a million samples takes: takes some of a program that works, and goes through them
//! again and again: `resolve_speed PID`.
#![allow(clippy::print_stdout, reason = "a program for trying things")]

use std::time::Duration;

use byteorder::NativeEndian;
use linux_perf_event_reader::{
    Endianness, EventRecord, PerfEventAttr, RawData, RawEventRecord, RecordParseInfo, RecordType,
};
use tlstax_measure::clock;
use tlstax_measure::perf_event::{Event, Ring, Sampling, Scope};
use tlstax_observe::{Architecture, Classifier, Collector, Mapping, Moment, Resolver};

struct Kept {
    registers: Vec<Option<u64>>,
    stack: Vec<u8>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let pid: u32 = std::env::args().nth(1).ok_or("resolve_speed PID")?.parse()?;
    let architecture = Architecture::here().ok_or("another processor")?;
    let mut resolver = Resolver::here(architecture);
    mappings(pid)?.into_iter().for_each(|mapping| resolver.map(pid, mapping));
    let samples = samples(pid, architecture)?;
    let classifier = Classifier::built_in();
    let mut collector = Collector::new(&classifier);
    let (mut addresses, mut frames, mut depth) = (Vec::new(), Vec::new(), 0);
    let begun = clock::thread_cpu();
    for number in 0..1_000_000_u64 {
        let sample = &samples[number as usize % samples.len()];
        addresses.clear();
        frames.clear();
        let register = |number: u64| sample.registers.get(number as usize).copied().flatten();
        resolver.unwind(pid, register, &sample.stack, &mut addresses);
        resolver.user(pid, &addresses, &mut collector, &mut frames);
        let moment = Moment { at_ns: Some(number * 2_000_000), process: pid, weight: 1 };
        collector.sample(&moment, &frames);
        depth += frames.len();
    }
    let took = Duration::from_nanos(clock::thread_cpu().since(begun).0);
    println!(
        "{} samples again and again: 1,000,000 of {} frames in {took:?}",
        samples.len(),
        depth / 1_000_000
    );
    Ok(())
}

fn samples(pid: u32, architecture: Architecture) -> Result<Vec<Kept>, Box<dyn std::error::Error>> {
    let sampling = Sampling {
        event: Event::CpuClock,
        hertz: 997,
        user_registers: architecture.perf_mask(),
        stack_bytes: 16 * 1024,
        with_kernel: false,
        with_build_ids: false,
        with_descendants: false,
    };
    let (attributes, _) = PerfEventAttr::parse::<_, NativeEndian>(sampling.bytes().as_slice())?;
    let parse = RecordParseInfo::new(&attributes, Endianness::LittleEndian);
    let event = sampling.open(Scope::Thread(pid), None)?;
    let mut ring = Ring::map(&event, 16 << 20)?;
    std::thread::sleep(Duration::from_secs(2));
    ring.look();
    let mut kept = Vec::new();
    while let Some(record) = ring.peek() {
        let body = RawData::Split(record.body.0, record.body.1);
        let record = RawEventRecord::new(RecordType(record.kind), record.misc, body, parse);
        if let EventRecord::Sample(sample) = record.parse()?
            && let (Some(registers), Some((stack, size))) = (sample.user_regs, sample.user_stack)
        {
            let registers = (0..64).map(|number| registers.get(number)).collect();
            let stack = stack.as_slice()[..size as usize].to_vec();
            kept.push(Kept { registers, stack });
        }
        ring.advance();
    }
    if kept.is_empty() { Err("no samples: does it work?".into()) } else { Ok(kept) }
}

fn mappings(pid: u32) -> Result<Vec<Mapping>, Box<dyn std::error::Error>> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/maps"))?;
    let mapping = |line: &str| {
        let fields: Vec<&str> = line.split_ascii_whitespace().collect();
        let (start, end) = fields.first()?.split_once('-')?;
        let number = |text: &str| u64::from_str_radix(text, 16).ok();
        let path = fields.get(5).copied().unwrap_or_default().to_owned();
        let (start, end, offset) = (number(start)?, number(end)?, number(fields.get(2)?)?);
        fields.get(1)?.contains('x').then_some(Mapping { start, end, offset, path, build_id: None })
    };
    Ok(text.lines().filter_map(mapping).collect())
}
