//! What the system allows a process.

use std::fs;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Files that a process may have open at once, when it has raised its own limit as far as it may.
pub fn open_files() -> u64 {
    getrlimit(Resource::Nofile).maximum.unwrap_or(u64::MAX)
}

/// Open files beyond which no program of other people is lifted: some make tables for as many as they may have.
const PLENTY: u64 = 65536;

/// Raises our soft limit of open files towards the hard one: it is often 1024, for the sake of programs that use select(2),
/// and connections are files. For a child between fork and exec: it makes system calls only.
pub fn raise_open_files() {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let wanted = maximum.map_or(PLENTY, |maximum| maximum.min(PLENTY));
    if current.is_some_and(|current| current < wanted) {
        // Up to the hard limit it is allowed to everybody; where it is refused after all, the program will say so.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum });
    }
}

/// Local ports that connections to one address can have.
pub fn local_ports() -> u64 {
    let text = fs::read_to_string("/proc/sys/net/ipv4/ip_local_port_range").unwrap_or_default();
    // Where there is no such file there is no such limit that we know of.
    parse(&text).unwrap_or(u64::from(u16::MAX))
}

fn parse(text: &str) -> Option<u64> {
    let mut numbers = text.split_ascii_whitespace().map(str::parse::<u64>);
    let (first, last) = (numbers.next()?.ok()?, numbers.next()?.ok()?);
    last.checked_sub(first)?.checked_add(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_are_counted() {
        assert_eq!(parse("32768\t60999\n"), Some(28232));
        assert_eq!((parse(""), parse("5 1")), (None, None));
        assert!(open_files() > 0 && local_ports() > 0);
    }
}
