//! [`Jit`]: names of code that a process compiles as it runs, from the map that it writes for perf.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::PathBuf;
use std::sync::Arc;

use foldhash::fast::RandomState;

use super::demangle::demangle;
use crate::frame::FrameId;

/// How many addresses without a name go by before the file is looked at again.
const PATIENCE: u32 = 64;

/// The most that is read of one map.
const LARGEST: u64 = 1 << 30;

/// Names of code that a process compiles as it runs: its `/tmp/perf-PID.map`.
#[derive(Debug, Default)]
pub struct Jit {
    /// As seen by us, and the other place where it may be.
    paths: Vec<PathBuf>,
    /// How far it has been read: whole lines.
    read: u64,
    functions: BTreeMap<u64, Function>,
    frames: HashMap<u64, FrameId, RandomState>,
    /// Addresses without a name since the file was looked at.
    missed: u32,
}

#[derive(Debug)]
struct Function {
    end: u64,
    name: Arc<str>,
}

impl Jit {
    /// `is_here`: whether the process may be alive, and the file in its own file system.
    pub fn new(process: u32, is_here: bool) -> Self {
        let mut paths = Vec::new();
        if is_here {
            let inside = inner_id(process).unwrap_or(process);
            paths.push(format!("/proc/{process}/root/tmp/perf-{inside}.map").into());
        }
        paths.push(format!("/tmp/perf-{process}.map").into());
        Self { paths, missed: PATIENCE, ..Self::default() }
    }

    /// Whether there are any names.
    pub fn has_names(&self) -> bool {
        !self.functions.is_empty()
    }

    /// What a frame at this address has been.
    pub fn known(&self, address: u64) -> Option<FrameId> {
        self.frames.get(&address).copied()
    }

    pub fn keep(&mut self, address: u64, frame: FrameId) {
        self.frames.insert(address, frame);
    }

    /// The function around an address. The process adds some as it goes on: what is not known is looked for again.
    pub fn name(&mut self, address: u64) -> Option<Arc<str>> {
        if let Some(name) = self.find(address) {
            return Some(name);
        }
        self.missed += 1;
        if self.missed < PATIENCE {
            return None;
        }
        self.missed = 0;
        self.renew();
        self.find(address)
    }

    fn find(&self, address: u64) -> Option<Arc<str>> {
        let (_, function) = self.functions.range(..=address).next_back()?;
        (address < function.end).then(|| Arc::clone(&function.name))
    }

    /// Reads what has been added.
    fn renew(&mut self) {
        let Some(mut file) = self.paths.iter().find_map(|path| File::open(path).ok()) else { return };
        // A pipe of that name would hold us for ever.
        let Ok(about) = file.metadata() else { return };
        if !about.is_file() || about.len() == self.read {
            return;
        }
        if about.len() < self.read {
            // It was begun anew.
            *self = Self { paths: std::mem::take(&mut self.paths), ..Self::default() };
        }
        let mut bytes = Vec::new();
        let is_read = file.seek(SeekFrom::Start(self.read)).is_ok()
            && file.take(LARGEST).read_to_end(&mut bytes).is_ok();
        if is_read {
            self.add(&bytes);
        }
    }

    /// Whole lines `start size name`, in hexadecimal. A later function takes the place of an earlier one.
    fn add(&mut self, bytes: &[u8]) {
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
        self.read += whole as u64;
        self.frames.clear();
        for line in bytes[..whole].split(|byte| *byte == b'\n') {
            if let Some((start, end, name)) = parse(line) {
                self.insert(start, end, name);
            }
        }
    }

    fn insert(&mut self, start: u64, end: u64, name: Arc<str>) {
        let before = self.functions.range_mut(..start).next_back();
        if let Some((_, before)) = before.filter(|(_, before)| before.end > start) {
            before.end = start;
        }
        let covered: Vec<u64> = self.functions.range(start..end).map(|(start, _)| *start).collect();
        covered.iter().for_each(|start| drop(self.functions.remove(start)));
        self.functions.insert(start, Function { end, name });
    }
}

fn parse(line: &[u8]) -> Option<(u64, u64, Arc<str>)> {
    let mut fields = line.splitn(3, |byte| *byte == b' ');
    let mut number = || {
        let text = std::str::from_utf8(fields.next()?).ok()?;
        u64::from_str_radix(text.strip_prefix("0x").unwrap_or(text), 16).ok()
    };
    let (start, size) = (number()?, number()?);
    let end = start.checked_add(size).filter(|end| *end > start)?;
    let name = fields.next()?.trim_ascii();
    (!name.is_empty()).then(|| (start, end, demangle(name)))
}

/// The id of a process as it sees itself, the last of those that it has in nested namespaces.
fn inner_id(process: u32) -> Option<u32> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("NSpid:"))?;
    line.split_ascii_whitespace().last()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(jit: &Jit, address: u64) -> Option<String> {
        jit.find(address).map(|name| name.to_string())
    }

    #[test]
    fn later_code_takes_the_place_of_earlier() {
        let mut jit = Jit::default();
        jit.add(b"1000 100 Interpreter\n0x1080 40 java.lang.String::hashCode\n10a0 10 LazyCompile:~tls node:tls:1\n10");
        assert_eq!(name(&jit, 0x1010).as_deref(), Some("Interpreter"));
        assert_eq!(name(&jit, 0x1080).as_deref(), Some("java.lang.String::hashCode"));
        assert_eq!(name(&jit, 0x10a4).as_deref(), Some("LazyCompile:~tls node:tls:1"));
        assert_eq!((name(&jit, 0x10b4), name(&jit, 0xfff)), (None, None));
        // The rest of a line that was cut.
        jit.read = 0;
        jit.add(b"1000 100 again\n");
        assert_eq!((name(&jit, 0x10a4).as_deref(), jit.read), (Some("again"), 15));
    }

    #[test]
    fn rubbish_has_no_names() {
        let mut jit = Jit::default();
        jit.add(b"\n \nxyz 1 a\n1 0 empty\nffffffffffffffff 2 over\n1 2\n5 5 \n\xff\xff \xff \xff\n");
        assert!(!jit.has_names());
    }

    #[test]
    fn we_are_who_we_think_in_the_innermost_namespace() {
        assert_eq!(inner_id(std::process::id()), Some(std::process::id()));
        assert_eq!(inner_id(u32::MAX), None);
    }
}
