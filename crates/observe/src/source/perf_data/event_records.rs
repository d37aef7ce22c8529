//! Records of the kernel that are no samples: what is mapped, who is called what, what was lost.

use super::build_ids::hexadecimal;
use super::fields::{Fields, Order};
use crate::resolve::Mapping;

/// `PERF_RECORD_*`.
const MMAP: u32 = 1;
const LOST: u32 = 2;
const COMM: u32 = 3;
const THROTTLE: u32 = 5;
const FORK: u32 = 7;
const MMAP2: u32 = 10;
const LOST_SAMPLES: u32 = 13;

/// The mapping is of data (`PERF_RECORD_MISC_MMAP_DATA`), the name is of a new program (`PERF_RECORD_MISC_COMM_EXEC`).
const IS_DATA_OR_EXEC: u16 = 1 << 13;
/// The mapping has a build id (`PERF_RECORD_MISC_MMAP_BUILD_ID`).
const HAS_BUILD_ID: u16 = 1 << 14;
/// Where the CPU was (`PERF_RECORD_MISC_CPUMODE_MASK`).
pub const MODE: u16 = 7;
pub const MODE_KERNEL: u16 = 1;
pub const MODE_GUEST_KERNEL: u16 = 4;
pub const MODE_GUEST_USER: u16 = 5;

/// `PROT_EXEC`.
const EXECUTABLE: u32 = 4;

/// What a record says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A process has mapped code.
    Map {
        process: u32,
        mapping: Mapping,
    },
    /// The kernel, or a module of it: its name, and the address of the symbol that follows the name.
    KernelMap {
        name: String,
        symbol: u64,
    },
    /// A process is called otherwise; it may run another program.
    Name {
        process: u32,
        name: String,
        is_exec: bool,
    },
    Fork {
        parent: u32,
        child: u32,
    },
    Lost(u64),
    /// The kernel has taken fewer samples than it was asked for.
    Throttled,
}

impl Event {
    /// None of records that say nothing that is needed, or are broken.
    pub fn read(kind: u32, misc: u16, body: &[u8], order: Order) -> Option<Self> {
        let mut fields = Fields::of(body, order);
        match kind {
            MMAP if misc & IS_DATA_OR_EXEC == 0 => map(fields, misc, false),
            MMAP2 if misc & IS_DATA_OR_EXEC == 0 => map(fields, misc, true),
            COMM => {
                let (process, thread) = (fields.u32()?, fields.u32()?);
                let is_exec = misc & IS_DATA_OR_EXEC != 0;
                (process == thread).then(|| Self::Name { process, name: fields.text(), is_exec })
            }
            FORK => {
                let (child, parent) = (fields.u32()?, fields.u32()?);
                (child != parent).then_some(Self::Fork { parent, child })
            }
            LOST => fields.u64().and_then(|_id| fields.u64()).map(Self::Lost),
            LOST_SAMPLES => fields.u64().map(Self::Lost),
            THROTTLE => Some(Self::Throttled),
            _ => None,
        }
    }
}

fn map(mut fields: Fields<'_>, misc: u16, is_second: bool) -> Option<Event> {
    let (process, _thread) = (fields.u32()?, fields.u32()?);
    let (start, length, offset) = (fields.u64()?, fields.u64()?, fields.u64()?);
    let mut build_id = None;
    if is_second {
        let id = fields.take(24)?;
        if misc & HAS_BUILD_ID != 0 {
            let size = usize::from(id[0]).min(20);
            build_id = Some(hexadecimal(&id[4..4 + size])).filter(|id| !id.is_empty());
        }
        let (protection, _flags) = (fields.u32()?, fields.u32()?);
        if protection & EXECUTABLE == 0 {
            return None;
        }
    }
    let path = fields.text();
    if misc & MODE == MODE_KERNEL || process == u32::MAX {
        return Some(Event::KernelMap { name: path, symbol: offset });
    }
    let end = start.checked_add(length)?;
    Some(Event::Map { process, mapping: Mapping { start, end, offset, path, build_id } })
}
