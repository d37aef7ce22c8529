//! File descriptors: a load needs one for each of its connections.

use std::io;

use rustix::io::Errno;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Raises the soft limit of open files to the hard one, as servers do. The soft limit is often 1024 for the sake of
/// programs that use select(2), which a worker does not.
pub(crate) fn raise_limit() {
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    // Up to the hard limit it is allowed to everybody. If a system refuses it after all, the connection that is one too
    // many tells.
    let _ = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
}

/// The error of a call that makes a descriptor, with the remedy if there are too many.
pub fn explained(error: Errno) -> io::Error {
    if error != Errno::MFILE {
        return error.into();
    }
    let limit = match getrlimit(Resource::Nofile).current {
        Some(limit) => format!("the limit of {limit} open files is reached"),
        None => "too many files are open".to_owned(),
    };
    io::Error::other(format!("{limit}: raise it with `ulimit -n`, or use fewer connections"))
}
