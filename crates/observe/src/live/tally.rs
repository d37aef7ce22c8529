//! [`Tally`]: samples on their way to the collector, and how many there were.

use linux_perf_event_reader::SampleRecord;

use super::watched::Watched;
use crate::collect::{Collector, Moment};
use crate::frame::FrameId;

/// What was counted, and memory that is used again.
#[derive(Debug, Default)]
pub struct Tally {
    pub samples: u64,
    pub lost: u64,
    pub is_throttled: bool,
    addresses: Vec<u64>,
    kernel: Vec<u64>,
    frames: Vec<FrameId>,
}

/// From here on numbers in a list of calls are no addresses, but say whose the next ones are: PERF_CONTEXT_MAX, -4095.
const MARKS: u64 = 4095_u64.wrapping_neg();

impl Tally {
    /// Takes a sample to the collector.
    pub fn take(
        &mut self,
        sample: &SampleRecord,
        at_ns: u64,
        watched: &mut Watched,
        collector: &mut Collector,
    ) {
        let process = sample.pid.map_or(0, i32::cast_unsigned);
        watched.meet(process);
        watched.tell_names(collector);
        self.frames.clear();
        self.kernel.clear();
        if let Some(calls) = &sample.callchain {
            let all = (0..calls.len()).filter_map(|at| calls.get(at));
            self.kernel.extend(all.filter(|address| *address < MARKS));
        }
        watched.resolver.kernel(&self.kernel, collector, &mut self.frames);
        if let Some(registers) = &sample.user_regs {
            self.addresses.clear();
            let copy = sample.user_stack.as_ref().map(|(copy, size)| (copy.as_slice(), *size));
            let stack = copy.as_ref().map_or(&[][..], |(copy, size)| {
                &copy[..copy.len().min(usize::try_from(*size).unwrap_or(usize::MAX))]
            });
            watched.resolver.unwind(process, |number| registers.get(number), stack, &mut self.addresses);
            watched.resolver.user(process, &self.addresses, collector, &mut self.frames);
        }
        let moment = Moment { at_ns: Some(at_ns), process, weight: sample.period.unwrap_or(1) };
        collector.sample(&moment, &self.frames);
        self.samples += 1;
    }
}
