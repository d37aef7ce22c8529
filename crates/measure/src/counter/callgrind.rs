//! Counting under callgrind, a tool of Valgrind: what this process asks of it by client requests (valgrind.h, callgrind.h), and
//! what it answers in a file.
//!
//! Callgrind hands its totals to nobody but a dump: each lap makes one, whose last line is `totals: N`. Nothing is collected
//! while a dump is made and read.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::error::CounterError;

/// The variable that tells a worker under callgrind where its dumps are written: what `--callgrind-out-file` was given.
pub const DUMPS_VARIABLE: &str = "TLSTAX_CALLGRIND_OUT";

/// RUNNING_ON_VALGRIND.
const RUNNING: usize = 0x1001;
/// The requests of callgrind begin here: its letters are C and T.
const TOOL: usize = (b'C' as usize) << 24 | (b'T' as usize) << 16;
const DUMP: usize = TOOL;
const ZERO: usize = TOOL + 1;
const TOGGLE_COLLECT: usize = TOOL + 2;
const START_INSTRUMENTATION: usize = TOOL + 4;
const STOP_INSTRUMENTATION: usize = TOOL + 5;

/// The end of a dump that is read: more than its last line.
const TAIL: i64 = 256;

/// Dumps that this process has made: callgrind numbers their files.
static MADE: AtomicU64 = AtomicU64::new(0);

/// Whether this process runs under Valgrind.
pub(super) fn is_here() -> bool {
    request(RUNNING) != 0
}

#[derive(Debug)]
pub(super) struct Callgrind {
    dumps: PathBuf,
}

impl Callgrind {
    pub(super) fn start() -> Result<Self, CounterError> {
        let dumps = std::env::var_os(DUMPS_VARIABLE).map(PathBuf::from).ok_or_else(|| {
            CounterError::Dump(format!("this process runs under Valgrind, and {DUMPS_VARIABLE} is not set"))
        })?;
        request(START_INSTRUMENTATION);
        request(ZERO);
        request(TOGGLE_COLLECT);
        Ok(Self { dumps })
    }

    pub(super) fn lap(&mut self) -> Result<u64, CounterError> {
        request(TOGGLE_COLLECT);
        request(DUMP);
        let path = numbered(&self.dumps, MADE.fetch_add(1, Ordering::Relaxed) + 1);
        let total = total(&path);
        // It is as large as the library has functions, and nobody needs it any more.
        let _ = fs::remove_file(&path);
        request(TOGGLE_COLLECT);
        total
    }
}

impl Drop for Callgrind {
    fn drop(&mut self) {
        request(TOGGLE_COLLECT);
        // Without it a process under callgrind is several times faster: it gets the next case ready.
        request(STOP_INSTRUMENTATION);
    }
}

fn numbered(dumps: &Path, number: u64) -> PathBuf {
    let mut name = dumps.as_os_str().to_owned();
    name.push(format!(".{number}"));
    name.into()
}

fn total(path: &Path) -> Result<u64, CounterError> {
    let unreadable = |error| CounterError::Dump(format!("{}: {error}", path.display()));
    let mut file = File::open(path).map_err(unreadable)?;
    let length = file.metadata().map_err(unreadable)?.len();
    let from = i64::try_from(length).unwrap_or(i64::MAX).min(TAIL);
    let mut tail = Vec::new();
    file.seek(SeekFrom::End(-from)).and_then(|_| file.read_to_end(&mut tail)).map_err(unreadable)?;
    parse(&String::from_utf8_lossy(&tail))
        .ok_or_else(|| CounterError::Dump(format!("{} ends without totals", path.display())))
}

fn parse(tail: &str) -> Option<u64> {
    tail.lines().rev().find_map(|line| line.strip_prefix("totals: "))?.trim().parse().ok()
}

/// Asks Valgrind for something; 0 where this process does not run under it.
///
/// A request is a sequence of instructions that do nothing, which Valgrind knows: four rotations by 128 bits in all, and an
/// exchange of a register with itself. A pointer to the request and its five arguments stands in one register, the answer of
/// a CPU without Valgrind in another.
#[cfg(target_arch = "x86_64")]
fn request(request: usize) -> usize {
    let arguments = [request, 0, 0, 0, 0, 0];
    let mut answer = 0_usize;
    // SAFETY: without Valgrind rdi is rotated to where it was and nothing else happens. With it, `arguments` is read, which lives
    // until the end of this function, and rdx is written. Memory may change behind our back, as without the option nomem.
    unsafe {
        std::arch::asm!(
            "rol rdi, 3",
            "rol rdi, 13",
            "rol rdi, 61",
            "rol rdi, 51",
            "xchg rbx, rbx",
            inout("rdx") answer,
            in("rax") arguments.as_ptr(),
            // Rotated, and back where it was.
            inout("rdi") 0_usize => _,
            options(nostack),
        );
    }
    answer
}

#[cfg(target_arch = "aarch64")]
fn request(request: usize) -> usize {
    let arguments = [request, 0, 0, 0, 0, 0];
    let mut answer = 0_usize;
    // SAFETY: as on x86-64; the registers are x12, x10, x4 and x3.
    unsafe {
        std::arch::asm!(
            "ror x12, x12, #3",
            "ror x12, x12, #13",
            "ror x12, x12, #51",
            "ror x12, x12, #61",
            "orr x10, x10, x10",
            inout("x3") answer,
            in("x4") arguments.as_ptr(),
            inout("x12") 0_usize => _,
            options(nostack),
        );
    }
    answer
}

/// On other processors the requests of Valgrind are not known to us: there is no callgrind.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn request(_request: usize) -> usize {
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_valgrind_a_request_does_nothing() {
        assert!(!is_here());
        assert_eq!(request(DUMP), 0);
    }

    #[test]
    fn the_total_is_the_last_line_of_a_dump() {
        assert_eq!(parse("fn=(12)\n+3 5\n\ntotals: 62429392\n"), Some(62_429_392));
        assert_eq!(parse("summary: 12\n"), None);
        assert_eq!(parse("totals: many\n"), None);
    }

    #[test]
    fn dumps_are_numbered() {
        assert_eq!(numbered(Path::new("/tmp/run/counts"), 3), Path::new("/tmp/run/counts.3"));
    }
}
