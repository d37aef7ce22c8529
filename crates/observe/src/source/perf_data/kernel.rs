//! Whether a recording was made with the kernel that runs here: only then its symbols are those of the recording.

use std::fs;

use super::build_ids::hexadecimal;
use super::features::Features;
use super::fields::{Fields, Order};

/// As perf names the kernel.
const KERNEL: &str = "[kernel.kallsyms]";

/// The note of ELF that holds the build id (`NT_GNU_BUILD_ID`).
const BUILD_ID_NOTE: u32 = 3;

/// What a recording says of its kernel.
#[derive(Debug, Default)]
pub struct Kernel {
    /// A symbol and where it was; another at each start of the machine.
    symbol: Option<(String, u64)>,
}

impl Kernel {
    /// Takes the mapping of the kernel or of a module: `[kernel.kallsyms]_text`.
    pub fn take(&mut self, name: &str, address: u64) {
        if let Some(symbol) = name.strip_prefix(KERNEL).filter(|symbol| !symbol.is_empty()) {
            self.symbol = Some((symbol.to_owned(), address));
        }
    }

    /// Its build id, if it is the one that runs here and has not been started anew since. In doubt it is not: where the
    /// recording has no build id of it, the release has to be the same, and in either case a symbol has to be in the same place.
    pub fn running_here(&self, features: &Features) -> Option<String> {
        let (symbol, address) = self.symbol.as_ref()?;
        let running = running_build_id()?;
        let is_same = match features.build_ids.get(KERNEL) {
            Some(id) => id == running,
            None => features.release.is_some() && features.release == running_release(),
        };
        (is_same && running_address(symbol) == Some(*address)).then_some(running)
    }
}

fn running_release() -> Option<String> {
    Some(fs::read_to_string("/proc/sys/kernel/osrelease").ok()?.trim().to_owned())
}

fn running_build_id() -> Option<String> {
    let notes = fs::read("/sys/kernel/notes").ok()?;
    let order = if cfg!(target_endian = "little") { Order::Little } else { Order::Big };
    let mut fields = Fields::of(&notes, order);
    while !fields.is_empty() {
        let (name, description, kind) = (fields.u32()?, fields.u32()?, fields.u32()?);
        let name = fields.items(u64::from(name).next_multiple_of(4), 1)?;
        let padded = fields.items(u64::from(description).next_multiple_of(4), 1)?;
        if kind == BUILD_ID_NOTE && name == b"GNU\0" {
            return Some(hexadecimal(padded.get(..description as usize)?));
        }
    }
    None
}

/// Zero where the kernel does not show addresses, which no recording has.
fn running_address(symbol: &str) -> Option<u64> {
    let symbols = fs::read_to_string("/proc/kallsyms").ok()?;
    symbols.lines().find_map(|line| {
        let mut words = line.split(' ');
        let (address, _kind, name) = (words.next()?, words.next()?, words.next()?);
        (name == symbol).then(|| u64::from_str_radix(address, 16).ok()).flatten()
    })
}
