//! A lock between processes, on a file or a folder: two builds must not fill one folder, and a run must be seen to live.

use std::fs;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::time::Duration;

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

use crate::folder;
use crate::signal;

/// How often we look whether the other has ended, or the user has interrupted.
const SLICE: Duration = Duration::from_millis(100);

/// Holds the lock until it is dropped, or the process ends.
#[derive(Debug)]
pub struct Lock(#[expect(dead_code, reason = "open as long as the lock is held")] OwnedFd);

/// Waits until nobody else holds the lock; `waiting` is told once if somebody does.
///
/// # Errors
/// The file cannot be made or locked; interrupted by the user.
#[expect(clippy::disallowed_methods, reason = "an empty file, and no document")]
pub fn exclusive(path: &Path, waiting: impl FnOnce()) -> io::Result<Lock> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let file = fs::OpenOptions::new().create(true).truncate(false).write(true).open(path)?;
    let mut waiting = Some(waiting);
    loop {
        if take(&file)? {
            return Ok(Lock(file.into()));
        }
        if signal::interrupted() {
            return Err(io::ErrorKind::Interrupted.into());
        }
        if let Some(tell) = waiting.take() {
            tell();
        }
        std::thread::sleep(SLICE);
    }
}

/// Takes hold of a folder as long as we live; none if somebody else has it.
///
/// # Errors
/// There is no such folder, or it may not be opened.
pub fn folder(path: &Path) -> io::Result<Option<Lock>> {
    let folder = folder::open_folder(rustix::fs::CWD, path)?;
    Ok(take(&folder)?.then(|| Lock(folder)))
}

/// Takes hold of what is open; false if somebody else has it.
fn take(open: impl AsFd) -> io::Result<bool> {
    match flock(open, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(true),
        Err(Errno::WOULDBLOCK) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_folder_has_one_holder() {
        let path = std::env::temp_dir().join(format!("tlstax-held-{}", std::process::id()));
        fs::create_dir(&path).unwrap();
        let first = folder(&path).unwrap();
        assert!(first.is_some() && folder(&path).unwrap().is_none());
        drop(first);
        assert!(folder(&path).unwrap().is_some());
        fs::remove_dir(&path).unwrap();
        assert!(folder(&path).is_err());
    }

    #[test]
    fn the_second_waits_for_the_first() {
        let path = std::env::temp_dir().join(format!("tlstax-lock-{}", std::process::id()));
        let first = exclusive(&path, || panic!("nobody holds it")).unwrap();
        let (told, heard) = std::sync::mpsc::channel();
        let second = {
            let path = path.clone();
            std::thread::spawn(move || exclusive(&path, || told.send(()).unwrap()).map(drop))
        };
        heard.recv().unwrap();
        drop(first);
        second.join().unwrap().unwrap();
        fs::remove_file(&path).unwrap();
    }
}
