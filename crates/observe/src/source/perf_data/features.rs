//! What the file says of the machine and the recording: features, of which each has a section, or a record in a pipe.

use super::build_ids::BuildIds;
use super::fields::{Fields, Order};

/// Numbers of features (`HEADER_*` in tools/perf/util/header.h).
const BUILD_ID: u32 = 2;
const RELEASE: u32 = 4;
const CPUS: u32 = 7;
const EVENTS: u32 = 12;
const CLOCK: u32 = 29;

/// What is told of the machine and the recording. What names the machine (`HOSTNAME`) or may name people and their files
/// (`CMDLINE`) is not read.
#[derive(Debug, Default)]
pub struct Features {
    /// The kernel, as `uname -r` has it.
    pub release: Option<String>,
    /// As `uname -m` has it.
    pub architecture: Option<String>,
    pub cpus: Option<u32>,
    pub build_ids: BuildIds,
    /// The names of events, by an id of each.
    pub events: Vec<(u64, String)>,
    /// Wall clock less the clock of records, nanoseconds.
    clock_offset: Option<u64>,
}

impl Features {
    pub const ARCH: u32 = 6;

    /// Whether a feature is read at all.
    pub fn is_of_use(feature: u32) -> bool {
        [BUILD_ID, RELEASE, Self::ARCH, CPUS, EVENTS, CLOCK].contains(&feature)
    }

    /// Takes what one feature says; one that is broken says nothing.
    pub fn take(&mut self, feature: u32, bytes: &[u8], order: Order) {
        let mut fields = Fields::of(bytes, order);
        match feature {
            BUILD_ID => self.build_ids.take_all(bytes, order),
            RELEASE => self.release = fields.counted_text(),
            Self::ARCH => self.architecture = fields.counted_text(),
            CPUS => self.cpus = fields.u32().and_then(|_available| fields.u32()).filter(|online| *online > 0),
            EVENTS => self.events = events(fields),
            CLOCK => self.clock_offset = clock_offset(fields),
            _ => {}
        }
    }

    /// Seconds since 1970 of a time of a record, where the recording has said what its clock is.
    pub fn wall_seconds(&self, time: u64) -> Option<u64> {
        Some(self.clock_offset?.checked_add(time)? / 1_000_000_000)
    }
}

fn clock_offset(mut fields: Fields<'_>) -> Option<u64> {
    let (version, _clock) = (fields.u32()?, fields.u32()?);
    let (wall, clock) = (fields.u64()?, fields.u64()?);
    (version == 1).then(|| wall.checked_sub(clock)).flatten()
}

/// The names of events. Those before a break in the list are kept.
fn events(mut fields: Fields<'_>) -> Vec<(u64, String)> {
    let mut all = Vec::new();
    let mut read = || {
        let (count, size) = (fields.u32()?, fields.u32()?);
        for _ in 0..count {
            fields.items(size.into(), 1)?;
            let ids = fields.u32()?;
            let name = fields.counted_text()?;
            // An event has an id for each CPU; the first is enough to know its attribute by.
            let first = if ids > 0 { Some(fields.u64()?) } else { None };
            fields.items(u64::from(ids).saturating_sub(1), 8)?;
            all.extend(first.map(|id| (id, name)));
        }
        Some(())
    };
    read();
    all
}
