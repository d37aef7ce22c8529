//! [`Watched`]: the processes of a capture: what is mapped into them, what they are called, whether they are still there.

use std::collections::HashSet;

use linux_perf_event_reader::{CommOrExecRecord, ForkOrExitRecord, Mmap2FileId, Mmap2Record};
use tlstax_measure::accounting;

use super::accounts::Accounts;
use super::{find, maps};
use crate::collect::Collector;
use crate::resolve::{Architecture, Mapping, Resolver};

/// The processes of a capture.
#[derive(Debug)]
pub struct Watched {
    pub resolver: Resolver,
    pub accounts: Accounts,
    /// Processes whose mappings are known.
    met: HashSet<u32>,
    /// Those of them that may still run.
    alive: HashSet<u32>,
    /// Those that were found to have ended: what was sampled of them last may still come.
    ended: Vec<u32>,
    /// Threads that are observed by themselves or because their parent was.
    threads: HashSet<u32>,
    /// Names that the collector has not been told.
    names: Vec<(u32, String)>,
}

impl Watched {
    pub fn new(architecture: Architecture) -> Self {
        Self {
            resolver: Resolver::here(architecture),
            accounts: Accounts::default(),
            met: HashSet::new(),
            alive: HashSet::new(),
            ended: Vec::new(),
            threads: HashSet::new(),
            names: Vec::new(),
        }
    }

    /// Learns what is mapped into a process, unless it is known, and what it is called.
    pub fn meet(&mut self, pid: u32) {
        if !self.met.insert(pid) {
            return;
        }
        self.alive.insert(pid);
        for mapping in maps::of(pid) {
            self.resolver.map(pid, mapping);
        }
        // The idle task has no entry in /proc; interrupts come while it runs.
        let name = if pid == 0 { Some("swapper".to_owned()) } else { accounting::name(pid) };
        if let Some(name) = name {
            self.accounts.rename(pid, &name);
            self.names.push((pid, name));
        }
    }

    /// The threads of a process that nobody observes yet.
    pub fn new_threads(&self, pid: u32) -> Vec<u32> {
        find::threads(pid).into_iter().filter(|thread| !self.threads.contains(thread)).collect()
    }

    pub fn add_thread(&mut self, thread: u32) {
        self.threads.insert(thread);
    }

    /// Tells the collector what processes are called.
    pub fn tell_names(&mut self, collector: &mut Collector) {
        for (pid, name) in self.names.drain(..) {
            collector.name_process(pid, &name);
        }
    }

    pub fn fork(&mut self, record: &ForkOrExitRecord) {
        let (pid, parent) = (record.pid.cast_unsigned(), record.ppid.cast_unsigned());
        self.threads.insert(record.tid.cast_unsigned());
        if pid == parent {
            return;
        }
        self.meet(parent);
        self.resolver.fork(parent, pid);
        self.met.insert(pid);
        self.alive.insert(pid);
        let name = accounting::name(pid).or_else(|| accounting::name(parent));
        let name = name.unwrap_or_else(|| "?".to_owned());
        self.accounts.open_new(pid, &name);
        self.names.push((pid, name));
    }

    pub fn exit(&mut self, record: &ForkOrExitRecord) {
        self.threads.remove(&record.tid.cast_unsigned());
    }

    pub fn comm(&mut self, record: &CommOrExecRecord) {
        let pid = record.pid.cast_unsigned();
        if record.is_execve {
            self.resolver.exec(pid);
            self.met.insert(pid);
        }
        // The name of a process is that of its first thread.
        if record.pid == record.tid {
            let name = String::from_utf8_lossy(&record.name.as_slice()).into_owned();
            self.accounts.rename(pid, &name);
            self.names.push((pid, name));
        }
    }

    pub fn mmap(&mut self, record: &Mmap2Record) {
        let build_id = match &record.file_id {
            Mmap2FileId::BuildId(bytes) => Some(bytes.iter().map(|byte| format!("{byte:02x}")).collect()),
            Mmap2FileId::InodeAndVersion(_) => None,
        };
        let mapping = Mapping {
            start: record.address,
            end: record.address.saturating_add(record.length),
            offset: record.page_offset,
            path: String::from_utf8_lossy(&record.path.as_slice()).into_owned(),
            build_id,
        };
        self.resolver.map(record.pid.cast_unsigned(), mapping);
    }

    /// Whether any of the processes still runs. Those that had ended when this was last asked are forgotten: a server may start
    /// thousands.
    pub fn is_anybody_left(&mut self) -> bool {
        for pid in self.ended.drain(..) {
            // Its number may be another process's by now.
            if !self.alive.contains(&pid) {
                self.resolver.exec(pid);
                self.met.remove(&pid);
                self.accounts.close(pid);
            }
        }
        let ended = &mut self.ended;
        self.alive.retain(|pid| {
            let is_alive = accounting::is_alive(*pid);
            ended.extend((!is_alive).then_some(*pid));
            is_alive
        });
        !self.alive.is_empty()
    }

    /// Whether it is known what is mapped into a process: it was named, or started by one that was.
    pub fn has_met(&self, pid: u32) -> bool {
        self.met.contains(&pid)
    }

    /// Whether a process is observed already.
    pub fn knows(&self, pid: u32) -> bool {
        self.alive.contains(&pid)
    }
}
