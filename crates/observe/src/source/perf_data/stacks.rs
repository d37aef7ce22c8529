//! [`Stacks`]: from a sample to its frames.

use super::attribute::{Attribute, has};
use super::event_records::{MODE_GUEST_KERNEL, MODE_GUEST_USER, MODE_KERNEL};
use super::fields::{Fields, Order};
use super::sample::{BRANCH_SIZE, Sample};
use crate::collect::Collector;
use crate::frame::{Frame, FrameId};
use crate::resolve::{Architecture, Mapping, Resolver};
use crate::source::module::{KERNEL, module};
use crate::source::stack::DEEPEST;

/// Marks in a chain: what follows is of the kernel, of user space, of a guest (`PERF_CONTEXT_*`). All are above the last.
const OF_KERNEL: u64 = (-128_i64).cast_unsigned();
const OF_USER: u64 = (-512_i64).cast_unsigned();
const FIRST_MARK: u64 = (-4095_i64).cast_unsigned();

/// Makes frames of samples.
pub struct Stacks {
    pub resolver: Resolver,
    /// None where addresses can be looked up and stacks not be unwound.
    pub architecture: Option<Architecture>,
    /// Whether the symbols of the kernel that runs here are those of the recording.
    is_kernel_here: Option<bool>,
    in_kernel: Vec<u64>,
    in_user: Vec<u64>,
    pub of_guests: u64,
    /// Samples with a copy of the stack that nothing here can unwind.
    pub not_unwound: u64,
}

/// Whether a sample has places in the kernel.
pub fn places_in_kernel(mode: u16, sample: &Sample<'_>) -> bool {
    mode == MODE_KERNEL || !sample.chain.is_empty()
}

impl Stacks {
    /// Of another architecture than those that can be unwound, files have symbols all the same.
    pub fn of(architecture: Option<Architecture>) -> Self {
        Self {
            resolver: Resolver::new(architecture.unwrap_or(Architecture::X86_64)),
            architecture,
            is_kernel_here: None,
            in_kernel: Vec::new(),
            in_user: Vec::new(),
            of_guests: 0,
            not_unwound: 0,
        }
    }

    pub fn knows_kernel(&self) -> bool {
        self.is_kernel_here.is_some()
    }

    /// Says whether the kernel of the recording, by its build id, runs here.
    pub fn set_kernel(&mut self, build_id: Option<String>) {
        self.is_kernel_here = Some(build_id.is_some());
        if build_id.is_some() {
            let path = KERNEL.to_owned();
            self.resolver.map(u32::MAX, Mapping { start: 0, end: 0, offset: 0, path, build_id });
        }
    }

    pub fn is_of_other_kernel(&self) -> bool {
        self.is_kernel_here == Some(false)
    }

    /// Appends the frames of a sample, the innermost first.
    pub fn frames(
        &mut self,
        mode: u16,
        sample: &Sample<'_>,
        attribute: &Attribute,
        order: Order,
        into: &mut Collector<'_>,
        frames: &mut Vec<FrameId>,
    ) {
        if mode == MODE_GUEST_KERNEL || mode == MODE_GUEST_USER {
            self.of_guests += 1;
            let name = if mode == MODE_GUEST_KERNEL { "[guest kernel]" } else { "[guest]" };
            let of = Some(name.into());
            let frame = Frame { module: of, is_kernel: mode == MODE_GUEST_KERNEL, ..Frame::default() };
            return frames.push(into.frame(frame));
        }
        self.split_chain(mode, sample, order);
        if attribute.has(has::REGS_USER | has::STACK_USER) {
            self.unwind(sample, attribute, order);
        } else if attribute.is_call_stack() && !sample.branches.is_empty() {
            self.follow_branches(sample, order);
        }
        if !self.in_kernel.is_empty() {
            self.kernel_frames(into, frames);
        }
        if !self.in_user.is_empty() {
            self.resolver.user(sample.process, &self.in_user, into, frames);
        }
    }

    /// The chain by its marks; the place itself where there is none.
    fn split_chain(&mut self, mode: u16, sample: &Sample<'_>, order: Order) {
        self.in_kernel.clear();
        self.in_user.clear();
        let mut is_of_kernel = Some(mode == MODE_KERNEL);
        let mut chain = Fields::of(sample.chain, order);
        while let Some(address) = chain.u64().filter(|_| self.in_kernel.len() + self.in_user.len() <= DEEPEST)
        {
            match address {
                OF_KERNEL => is_of_kernel = Some(true),
                OF_USER => is_of_kernel = Some(false),
                FIRST_MARK.. => is_of_kernel = None,
                _ => match is_of_kernel {
                    Some(true) => self.in_kernel.push(address),
                    Some(false) => self.in_user.push(address),
                    None => {}
                },
            }
        }
        if self.in_kernel.is_empty() && self.in_user.is_empty() && sample.ip != 0 {
            let side = if mode == MODE_KERNEL { &mut self.in_kernel } else { &mut self.in_user };
            side.push(sample.ip);
        }
    }

    /// From registers and a copy of the stack, in place of a chain of user space.
    fn unwind(&mut self, sample: &Sample<'_>, attribute: &Attribute, order: Order) {
        let Some(values) = sample.registers else {
            return;
        };
        let mask = attribute.registers;
        let register = |number| register(number, mask, values, order);
        self.in_user.clear();
        if self.architecture.is_some() && sample.is_64 {
            self.resolver.unwind(sample.process, register, sample.stack, &mut self.in_user);
        }
        if self.in_user.is_empty() {
            self.not_unwound += 1;
            self.in_user.extend(Some(sample.ip).filter(|ip| *ip != 0 && self.in_kernel.is_empty()));
        }
    }

    /// From calls that have not yet returned, the last one first: the place itself, then where each was called from. A return address
    /// is behind its call.
    fn follow_branches(&mut self, sample: &Sample<'_>, order: Order) {
        self.in_user.truncate(1);
        for branch in sample.branches.chunks_exact(BRANCH_SIZE).take(DEEPEST) {
            let from = Fields::of(branch, order).u64().unwrap_or(0);
            // The branches of a call stack are of user space; a kernel that has recorded others has marked them.
            if from != 0 && from < FIRST_MARK && from >> 63 == 0 {
                self.in_user.push(from.saturating_add(1));
            }
        }
    }

    /// One frame for all of the kernel where its symbols are not known.
    fn kernel_frames(&mut self, into: &mut Collector<'_>, frames: &mut Vec<FrameId>) {
        if self.is_kernel_here == Some(true) {
            self.resolver.kernel(&self.in_kernel, into, frames);
        } else {
            let of = module(KERNEL).map(|of| of.name);
            frames.push(into.frame(Frame { module: of, is_kernel: true, ..Frame::default() }));
        }
    }
}

/// A register by its number in asm/perf_regs.h; none if it was not recorded.
fn register(number: u64, mask: u64, values: &[u8], order: Order) -> Option<u64> {
    let bit = 1_u64.checked_shl(u32::try_from(number).ok()?)?;
    let index = (mask & bit != 0).then(|| (mask & (bit - 1)).count_ones() as usize)?;
    Fields::of(values.get(8 * index..)?, order).u64()
}
