//! [`Accounts`]: the kernel's own account of the CPU time of observed processes, beside the samples.

use std::collections::{BTreeMap, HashMap};

use tlstax_measure::{accounting, clock};
use tlstax_spec::Nanos;

/// An account of which more than this share may be missing is none.
const MISSING: f64 = 0.05;

/// CPU time of processes, by the scheduler's account.
#[derive(Debug, Default)]
pub struct Accounts {
    processes: HashMap<u32, Account>,
    /// What those had that have ended.
    closed: BTreeMap<String, Closed>,
    /// When they were read last.
    read: Nanos,
}

/// Processes of one name that have ended.
#[derive(Debug, Default, Clone, Copy)]
struct Closed {
    used: u64,
    /// What they may have used after the last reading at the most, nanoseconds.
    unread: u64,
}

#[derive(Debug)]
struct Account {
    name: String,
    /// Nanoseconds when the capture began, or 0.
    first: u64,
    last: u64,
}

impl Accounts {
    /// Opens the account of a process that was there when the capture began.
    pub fn open(&mut self, pid: u32, name: &str) {
        if self.processes.is_empty() {
            self.read = clock::monotonic();
        }
        if let Ok(now) = accounting::scheduled(pid) {
            self.insert(pid, name, now.0);
        }
    }

    /// The same of one that has just been started.
    pub fn open_new(&mut self, pid: u32, name: &str) {
        self.insert(pid, name, 0);
    }

    fn insert(&mut self, pid: u32, name: &str, first: u64) {
        self.close(pid);
        self.processes.insert(pid, Account { name: name.to_owned(), first, last: first });
    }

    /// A process has ended.
    pub fn close(&mut self, pid: u32) {
        if let Some(account) = self.processes.remove(&pid) {
            let closed = self.closed.entry(account.name).or_default();
            closed.used += account.last - account.first;
            closed.unread += clock::monotonic().since(self.read).0;
        }
    }

    /// A process has another name now: all its time goes by that.
    pub fn rename(&mut self, pid: u32, name: &str) {
        if let Some(account) = self.processes.get_mut(&pid) {
            name.clone_into(&mut account.name);
        }
    }

    pub fn has(&self, pid: u32) -> bool {
        self.processes.contains_key(&pid)
    }

    /// Reads them all; one of a process that has ended stays as it was last.
    pub fn read(&mut self) {
        self.read = clock::monotonic();
        for (pid, account) in &mut self.processes {
            if let Ok(now) = accounting::scheduled(*pid) {
                account.last = account.last.max(now.0);
            }
        }
    }

    /// Nanoseconds by name. Names of which processes ended between readings have none, if that could matter.
    pub fn by_name(&self) -> BTreeMap<String, u64> {
        let mut sums = self.closed.clone();
        for account in self.processes.values() {
            sums.entry(account.name.clone()).or_default().used += account.last - account.first;
        }
        let is_whole = |closed: &Closed| closed.unread as f64 <= MISSING * closed.used as f64;
        sums.into_iter()
            .filter(|(_, closed)| is_whole(closed))
            .map(|(name, closed)| (name, closed.used))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_is_of_the_time_since_it_was_opened() {
        let me = std::process::id();
        let mut accounts = Accounts::default();
        accounts.open(me, "first");
        accounts.rename(me, "me");
        let start = accounting::scheduled(me).unwrap();
        while accounting::scheduled(me).unwrap().since(start).0 < 2_000_000 {}
        accounts.read();
        assert!(accounts.has(me) && accounts.by_name()["me"] >= 2_000_000);
        accounts.open_new(me, "again");
        accounts.read();
        // What the first had is known to the last reading only, which was long ago beside what it used, or not.
        assert!(accounts.by_name().contains_key("again"));
        accounts.open(u32::MAX, "nobody");
        assert!(!accounts.has(u32::MAX));
    }
}
