//! [`Accounts`]: the kernel's own account of the CPU time of observed processes, beside the samples.

use std::collections::{BTreeMap, HashMap};

use tlstax_measure::accounting;

/// CPU time of processes, by the scheduler's account.
#[derive(Debug, Default)]
pub struct Accounts {
    processes: HashMap<u32, Account>,
    /// What processes had whose ids others have got since.
    closed: BTreeMap<String, u64>,
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
        if let Ok(now) = accounting::scheduled(pid) {
            self.insert(pid, name, now.0);
        }
    }

    /// The same of one that has just been started.
    pub fn open_new(&mut self, pid: u32, name: &str) {
        self.insert(pid, name, 0);
    }

    fn insert(&mut self, pid: u32, name: &str, first: u64) {
        let account = Account { name: name.to_owned(), first, last: first };
        if let Some(former) = self.processes.insert(pid, account) {
            *self.closed.entry(former.name).or_default() += former.last - former.first;
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
        for (pid, account) in &mut self.processes {
            if let Ok(now) = accounting::scheduled(*pid) {
                account.last = account.last.max(now.0);
            }
        }
    }

    /// Nanoseconds by name.
    pub fn by_name(&self) -> BTreeMap<String, u64> {
        let mut sums = self.closed.clone();
        for account in self.processes.values() {
            *sums.entry(account.name.clone()).or_default() += account.last - account.first;
        }
        sums
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
        assert_eq!(accounts.by_name().len(), 2);
        accounts.open(u32::MAX, "nobody");
        assert!(!accounts.has(u32::MAX));
    }
}
