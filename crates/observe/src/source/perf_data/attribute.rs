//! [`Attribute`]: what perf asked the kernel for, `struct perf_event_attr`.

use super::fields::{Fields, Order};
use crate::source::event::{self, Kind};

/// What samples have (`PERF_SAMPLE_*`).
pub mod has {
    pub const IP: u64 = 1;
    pub const TID: u64 = 1 << 1;
    pub const TIME: u64 = 1 << 2;
    pub const ADDR: u64 = 1 << 3;
    pub const READ: u64 = 1 << 4;
    pub const CALLCHAIN: u64 = 1 << 5;
    pub const ID: u64 = 1 << 6;
    pub const CPU: u64 = 1 << 7;
    pub const PERIOD: u64 = 1 << 8;
    pub const STREAM_ID: u64 = 1 << 9;
    pub const RAW: u64 = 1 << 10;
    pub const BRANCH_STACK: u64 = 1 << 11;
    pub const REGS_USER: u64 = 1 << 12;
    pub const STACK_USER: u64 = 1 << 13;
    pub const IDENTIFIER: u64 = 1 << 16;
}

/// The branches are the calls that have not yet returned (`PERF_SAMPLE_BRANCH_CALL_STACK`).
const BRANCH_CALL_STACK: u64 = 1 << 11;

/// What perf asked the kernel for, of one event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribute {
    kind: u32,
    config: u64,
    /// Events from one sample to the next, or samples in a second.
    rate: u64,
    pub is_frequency: bool,
    /// What samples have: bits of [`has`].
    pub sample: u64,
    pub read_format: u64,
    /// Whether other records have time and process behind them, too.
    pub is_all_timed: bool,
    pub branches: u64,
    /// Which registers of user space samples have, a bit each.
    pub registers: u64,
    /// What samples of it are known by.
    pub ids: Vec<u64>,
    /// As perf calls it, where the file says so.
    pub name: Option<String>,
}

impl Attribute {
    /// Older ones are shorter; what they do not have is 0.
    pub fn read(bytes: &[u8], order: Order) -> Option<Self> {
        let mut fields = Fields::of(bytes, order);
        let (kind, _size, config, rate) = (fields.u32()?, fields.u32()?, fields.u64()?, fields.u64()?);
        let (sample, read_format) = (fields.u64()?, fields.u64()?);
        let flags = flags(fields.take(8)?, order);
        // Wakeup, breakpoint and two words of configuration.
        let _ = fields.take(24);
        let (branches, registers) = (fields.u64().unwrap_or(0), fields.u64().unwrap_or(0));
        let is = |bit: u32| flags >> bit & 1 == 1;
        Some(Self {
            kind,
            config,
            rate,
            is_frequency: is(10),
            sample,
            read_format,
            is_all_timed: is(18),
            branches,
            registers,
            ids: Vec::new(),
            name: None,
        })
    }

    pub fn has(&self, what: u64) -> bool {
        self.sample & what == what
    }

    /// The event without modifiers.
    pub fn event(&self) -> String {
        match &self.name {
            Some(name) => event::plain(name).to_owned(),
            None => self.event_by_number(),
        }
    }

    /// `PERF_TYPE_*` and `PERF_COUNT_*`.
    fn event_by_number(&self) -> String {
        let name = match (self.kind, self.config & 0xff) {
            (0, 0) => "cycles",
            (0, 1) => "instructions",
            (0, 2) => "cache-references",
            (0, 3) => "cache-misses",
            (0, 4) => "branches",
            (0, 5) => "branch-misses",
            (1, 0) => "cpu-clock",
            (1, 1) => "task-clock",
            (1, 2) => "page-faults",
            (1, 3) => "context-switches",
            (1, 9) => "dummy",
            (kind, _) => return format!("event {kind}:{:#x}", self.config),
        };
        name.to_owned()
    }

    /// Samples in a second of CPU time, where that is known before there are any.
    pub fn hertz(&self) -> Option<f64> {
        #[expect(clippy::cast_precision_loss, reason = "a rate, for reading")]
        let rate = self.rate as f64;
        match event::kind(&self.event()) {
            _ if self.rate == 0 => None,
            _ if self.is_frequency => Some(rate),
            Kind::Clock => Some(1e9 / rate),
            _ => None,
        }
    }

    /// For how much a sample stands that does not say so itself.
    pub fn usual_period(&self) -> Option<u64> {
        match (self.is_frequency, event::kind(&self.event())) {
            (false, _) => Some(self.rate).filter(|period| *period > 0),
            (true, Kind::Clock) => 1_000_000_000_u64.checked_div(self.rate),
            (true, _) => None,
        }
    }

    pub fn is_call_stack(&self) -> bool {
        self.has(has::BRANCH_STACK) && self.branches & BRANCH_CALL_STACK != 0
    }

    /// How its stacks were found.
    pub fn stacks(&self) -> &'static str {
        if self.has(has::REGS_USER | has::STACK_USER) {
            "eh_frame"
        } else if self.is_call_stack() {
            "lbr"
        } else if self.has(has::CALLCHAIN) {
            "frame pointers"
        } else {
            "none"
        }
    }
}

/// The flags are a bit field, which compilers fill from the other end where the byte order is the other one.
fn flags(bytes: &[u8], order: Order) -> u64 {
    let bit = |(at, byte): (usize, &u8)| {
        let byte = if order == Order::Little { *byte } else { byte.reverse_bits() };
        u64::from(byte) << (8 * at)
    };
    bytes.iter().enumerate().map(bit).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_attribute_is_the_same_in_either_byte_order() {
        // cpu-clock, 997 times a second, with what belongs to each sample; flags: frequency, all timed.
        let words: [u64; 6] = [1 | 136 << 32, 0, 997, has::IP | has::TID | has::TIME, 4, 1 << 10 | 1 << 18];
        let little: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).chain([0; 40]).collect();
        let mut big: Vec<u8> = [&1_u32.to_be_bytes()[..], &136_u32.to_be_bytes()[..]].concat();
        big.extend(words[1..5].iter().flat_map(|word| word.to_be_bytes()));
        big.extend(words[5].to_le_bytes().map(u8::reverse_bits).iter().chain(&[0; 40]));
        let attribute = Attribute::read(&little, Order::Little).unwrap();
        assert_eq!(Attribute::read(&big, Order::Big).unwrap(), attribute);
        assert!(attribute.is_frequency && attribute.is_all_timed);
        assert_eq!((attribute.event(), attribute.hertz()), ("cpu-clock".to_owned(), Some(997.0)));
        assert_eq!(Attribute::read(&little[..40], Order::Little), None);
    }
}
