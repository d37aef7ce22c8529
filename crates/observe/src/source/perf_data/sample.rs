//! [`Sample`]: `PERF_RECORD_SAMPLE`, up to the stack of user space.

use super::attribute::{Attribute, has};
use super::fields::{Fields, Order};

/// Values of counters in a sample (`PERF_FORMAT_*`).
const FORMAT_ENABLED: u64 = 1;
const FORMAT_RUNNING: u64 = 1 << 1;
const FORMAT_ID: u64 = 1 << 2;
const FORMAT_GROUP: u64 = 1 << 3;
const FORMAT_LOST: u64 = 1 << 4;

/// The place of the last branch stands before the branches (`PERF_SAMPLE_BRANCH_HW_INDEX`).
const BRANCH_INDEX: u64 = 1 << 17;

/// Each branch has counts, behind all branches (`PERF_SAMPLE_BRANCH_COUNTERS`).
const BRANCH_COUNTERS: u64 = 1 << 19;

/// From, to, flags.
pub const BRANCH_SIZE: usize = 24;

/// What a sample says. Lists are left as they are in the record.
#[derive(Debug, Default, Clone, Copy)]
pub struct Sample<'b> {
    pub ip: u64,
    pub process: u32,
    pub thread: u32,
    pub time: Option<u64>,
    pub period: Option<u64>,
    /// Addresses, the innermost first, with marks between kernel and user space.
    pub chain: &'b [u8],
    /// Branches, the last one taken first.
    pub branches: &'b [u8],
    /// The registers of user space that were asked for, in the order of their numbers; none of a kernel thread.
    pub registers: Option<&'b [u8]>,
    /// Whether user space runs with 64 bits (`PERF_SAMPLE_REGS_ABI_64`).
    pub is_64: bool,
    /// A copy of the stack from the stack pointer on.
    pub stack: &'b [u8],
}

impl<'b> Sample<'b> {
    pub fn read(body: &'b [u8], attribute: &Attribute, order: Order) -> Option<Self> {
        let mut fields = Fields::of(body, order);
        let mut sample = Self::default();
        sample.read_who(&mut fields, attribute)?;
        sample.read_chain(&mut fields, attribute)?;
        sample.read_user(&mut fields, attribute)?;
        Some(sample)
    }

    fn read_who(&mut self, fields: &mut Fields<'b>, attribute: &Attribute) -> Option<()> {
        let mut word = |bit: u64| if attribute.has(bit) { fields.u64().map(Some) } else { Some(None) };
        let _id = word(has::IDENTIFIER)?;
        self.ip = word(has::IP)?.unwrap_or(0);
        if attribute.has(has::TID) {
            (self.process, self.thread) = (fields.u32()?, fields.u32()?);
        }
        let mut word = |bit: u64| if attribute.has(bit) { fields.u64().map(Some) } else { Some(None) };
        self.time = word(has::TIME)?;
        for ignored in [has::ADDR, has::ID, has::STREAM_ID, has::CPU] {
            word(ignored)?;
        }
        self.period = word(has::PERIOD)?;
        Some(())
    }

    fn read_chain(&mut self, fields: &mut Fields<'b>, attribute: &Attribute) -> Option<()> {
        if attribute.has(has::READ) {
            skip_counters(fields, attribute.read_format)?;
        }
        if attribute.has(has::CALLCHAIN) {
            let length = fields.u64()?;
            self.chain = fields.items(length, 8)?;
        }
        if attribute.has(has::RAW) {
            let size = fields.u32()?;
            fields.items(size.into(), 1)?;
        }
        if attribute.has(has::BRANCH_STACK) {
            let count = fields.u64()?;
            if attribute.branches & BRANCH_INDEX != 0 {
                fields.u64()?;
            }
            self.branches = fields.items(count, BRANCH_SIZE)?;
            if attribute.branches & BRANCH_COUNTERS != 0 {
                fields.items(count, 8)?;
            }
        }
        Some(())
    }

    fn read_user(&mut self, fields: &mut Fields<'b>, attribute: &Attribute) -> Option<()> {
        if attribute.has(has::REGS_USER) {
            let abi = fields.u64()?;
            self.is_64 = abi == 2;
            if abi != 0 {
                self.registers = Some(fields.items(attribute.registers.count_ones().into(), 8)?);
            }
        }
        if attribute.has(has::STACK_USER) {
            let size = fields.u64()?;
            let stack = fields.items(size, 1)?;
            let used = if size > 0 { fields.u64()? } else { 0 };
            self.stack = &stack[..usize::try_from(used).map_or(stack.len(), |used| used.min(stack.len()))];
        }
        Some(())
    }
}

fn skip_counters(fields: &mut Fields<'_>, format: u64) -> Option<()> {
    let is = |bit: u64| usize::from(format & bit != 0);
    let times = is(FORMAT_ENABLED) + is(FORMAT_RUNNING);
    let value = 1 + is(FORMAT_ID) + is(FORMAT_LOST);
    if format & FORMAT_GROUP != 0 {
        let count = fields.u64()?;
        fields.take(8 * times)?;
        fields.items(count, 8 * value)?;
    } else {
        fields.take(8 * (value + times))?;
    }
    Some(())
}
