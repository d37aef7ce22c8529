//! CPU quotas at work: for how long the kernel has kept the threads of a control group from running.

use std::path::PathBuf;

use tlstax_spec::Nanos;

use crate::cgroup::{Place, Version, limited_places};
use crate::kernel_text::{number_after, text};

/// The accounts of the control groups whose quota this process and all that it starts are under.
#[derive(Debug, Default)]
pub struct Throttle {
    accounts: Vec<Account>,
    before: Nanos,
}

#[derive(Debug)]
struct Account {
    version: Version,
    file: PathBuf,
}

impl Throttle {
    /// The groups that have a quota now, as far as they are visible; without one, nothing is ever read.
    pub fn find() -> Self {
        Self::of(limited_places())
    }

    fn of(places: Vec<Place>) -> Self {
        let account = |Place { version, path }| Account { version, file: path.join("cpu.stat") };
        let mut found = Self { accounts: places.into_iter().map(account).collect(), before: Nanos(0) };
        found.since_last();
        found
    }

    /// For how long threads that had work were kept from it since the last call: summed over CPUs and groups, as the kernel
    /// counts, so that it may be longer than the time between.
    pub fn since_last(&mut self) -> Nanos {
        let now = self.accounts.iter().filter_map(Account::read).sum::<Nanos>();
        now.since(std::mem::replace(&mut self.before, now))
    }
}

impl Account {
    fn read(&self) -> Option<Nanos> {
        let stat = text(&self.file)?;
        Some(match self.version {
            Version::V1 => Nanos(number_after(&stat, "throttled_time ")?),
            Version::V2 => Nanos(number_after(&stat, "throttled_usec ")?.saturating_mul(1000)),
        })
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the test stands where the kernel would")]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::fs;

    use super::*;

    #[test]
    fn both_generations_tell_what_was_throttled_since_the_last_reading() {
        let folder = std::env::temp_dir().join(format!("tlstax-throttle-{}", std::process::id()));
        let place = |version, name: &str| Place { version, path: folder.join(name) };
        let places = vec![place(Version::V1, "one"), place(Version::V2, "two"), place(Version::V2, "none")];
        let write = |nanos: u64, micros: u64| {
            let one = format!("nr_periods 9\nnr_throttled 3\nthrottled_time {nanos}\nnr_bursts 0\n");
            let two = format!("usage_usec 9\nnr_throttled 3\nthrottled_usec {micros}\n");
            for (name, stat) in [("one", one), ("two", two)] {
                fs::create_dir_all(folder.join(name)).unwrap();
                fs::write(folder.join(name).join("cpu.stat"), stat).unwrap();
            }
        };
        write(5_000, 7);
        let mut throttle = Throttle::of(places);
        assert_eq!(throttle.since_last(), Nanos(0), "what was before is not counted");
        write(5_600, 9);
        assert_eq!(throttle.since_last(), Nanos(2_600));
        assert_eq!(throttle.since_last(), Nanos(0));
        // A group that is gone takes its account with it, and no time runs backwards.
        fs::remove_dir_all(folder.join("two")).unwrap();
        assert_eq!(throttle.since_last(), Nanos(0));
        assert_eq!(Throttle::default().since_last(), Nanos(0));
        fs::remove_dir_all(folder).unwrap();
    }
}
