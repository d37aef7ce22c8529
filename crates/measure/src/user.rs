//! Users without a name, for servers: nobody else of the machine is one of them.

use std::fs;
use std::io;
use std::ops::RangeInclusive;

use rustix::rand::{GetRandomFlags, getrandom};

/// The numbers that systemd sets aside for users who live as long as a service, so that no package has one of them.
const SET_ASIDE: RangeInclusive<u32> = 61184..=65519;

const ATTEMPTS: u32 = 64;

/// A user with a group of the same number. `nobody` would share its rights with every other program that was put there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct User(u32);

impl User {
    /// A user that has no process; none where we cannot become one, because we are not root, or root of a user namespace that
    /// has few users.
    ///
    /// # Errors
    /// The processes cannot be read, or every number that was tried is in use.
    pub fn unused() -> io::Result<Option<Self>> {
        if !rustix::process::geteuid().is_root() || !has_users() {
            return Ok(None);
        }
        let used = of_processes()?;
        let size = SET_ASIDE.end() - SET_ASIDE.start() + 1;
        for _ in 0..ATTEMPTS {
            let id = SET_ASIDE.start() + random()? % size;
            if !used.contains(&id) {
                return Ok(Some(Self(id)));
            }
        }
        Err(io::Error::other(format!("users {SET_ASIDE:?} are all in use")))
    }

    /// The number of the user and of the group.
    pub fn id(self) -> u32 {
        self.0
    }
}

/// A number that nobody can foresee.
///
/// # Errors
/// The kernel gives none.
pub(crate) fn random() -> io::Result<u32> {
    let mut bytes = [0; 4];
    getrandom(&mut bytes, GetRandomFlags::empty())?;
    Ok(u32::from_ne_bytes(bytes))
}

/// Whether our user namespace has all of the numbers, and lets us leave our groups.
fn has_users() -> bool {
    let file = |name: &str| fs::read_to_string(format!("/proc/self/{name}")).unwrap_or_default();
    file("setgroups").trim() == "allow" && ["uid_map", "gid_map"].into_iter().all(|map| has_all(&file(map)))
}

/// Whether every user of the machine has a number in our user namespace.
pub(crate) fn are_all_known() -> bool {
    fs::read_to_string("/proc/self/uid_map").is_ok_and(|map| map.contains("4294967295"))
}

/// Whether a line of such a map (first number inside, first outside, how many) has all numbers that are set aside.
fn has_all(map: &str) -> bool {
    map.lines().any(|line| {
        let numbers: Vec<u64> = line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        let [first, _, count] = numbers[..] else { return false };
        first <= u64::from(*SET_ASIDE.start()) && u64::from(*SET_ASIDE.end()) < first + count
    })
}

fn of_processes() -> io::Result<Vec<u32>> {
    let status = |entry: io::Result<fs::DirEntry>| fs::read_to_string(entry.ok()?.path().join("status")).ok();
    let users = |status: String| -> Vec<u32> {
        let line = status.lines().find_map(|line| line.strip_prefix("Uid:")).unwrap_or_default();
        line.split_whitespace().filter_map(|word| word.parse().ok()).collect()
    };
    Ok(fs::read_dir("/proc")?.filter_map(status).flat_map(users).collect())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn only_root_of_a_whole_machine_has_users_to_give() {
        assert!(has_all("         0          0 4294967295\n"));
        assert!(has_all("0 100000 65536\n"));
        for few in ["0 1000 1\n", "", "0 100000 65519\n", "61185 1 5000\n", "rubbish"] {
            assert!(!has_all(few), "{few}");
        }
    }

    #[test]
    fn ours_is_in_use() {
        assert!(of_processes().unwrap().contains(&rustix::process::geteuid().as_raw()));
        if let Some(user) = User::unused().unwrap() {
            assert!(SET_ASIDE.contains(&user.id()));
        }
    }
}
