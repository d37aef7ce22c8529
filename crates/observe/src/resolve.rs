//! From addresses to frames: mappings of processes, symbols and unwind tables of files.

use crate::collect::Collector;
use crate::frame::FrameId;

/// The instruction set that addresses are of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Architecture {
    X86_64,
    Aarch64,
}

/// A part of a file, mapped into a process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mapping {
    pub start: u64,
    pub end: u64,
    /// Where in the file it begins.
    pub offset: u64,
    /// As the process sees it.
    pub path: String,
    /// In lower-case hexadecimal, where the source says it.
    pub build_id: Option<String>,
}

/// The registers that unwinding begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Registers {
    pub ip: u64,
    pub sp: u64,
    /// `rbp`, or `x29`.
    pub fp: u64,
    /// `x30`; 0 on x86-64.
    pub lr: u64,
}

/// Knows what is mapped where, and makes frames of addresses.
#[derive(Debug)]
pub struct Resolver {
    #[expect(dead_code, reason = "the stub of an interface")]
    architecture: Architecture,
}

impl Resolver {
    pub fn new(architecture: Architecture) -> Self {
        Self { architecture }
    }

    /// A process has mapped a file.
    pub fn map(&mut self, _process: u32, _mapping: Mapping) {}

    /// A child begins with the mappings of its parent.
    pub fn fork(&mut self, _parent: u32, _child: u32) {}

    /// All mappings of a process are gone.
    pub fn exec(&mut self, _process: u32) {}

    /// Return addresses above these registers, the innermost first; the instruction itself is the first of them. `stack` is a
    /// copy of the memory from `registers.sp` on, and may be cut.
    pub fn unwind(&mut self, _process: u32, registers: &Registers, _stack: &[u8], addresses: &mut Vec<u64>) {
        addresses.push(registers.ip);
    }

    /// Frames of addresses of user space, the innermost first; all but the first are return addresses.
    pub fn user(
        &mut self,
        _process: u32,
        _addresses: &[u64],
        _into: &mut Collector,
        _frames: &mut Vec<FrameId>,
    ) {
    }

    /// The same of the kernel.
    pub fn kernel(&mut self, _addresses: &[u64], _into: &mut Collector, _frames: &mut Vec<FrameId>) {}

    /// What the reader has to know: files that were not there, or were others than those that were mapped.
    pub fn notes(&self) -> Vec<tlstax_doc::Note> {
        Vec::new()
    }
}
