//! Folders that are held open. What is made and opened in them goes by the handle and follows no link, so that another user
//! of the machine, or the server that may write there, cannot make us read or write anything else.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::{FileType, Gid, Mode, OFlags, Uid, fchmod, fchown, fstat, mkdirat, openat};

use crate::user::{self, User, random};

/// Whoever owns a file of which our user namespace does not know the owner.
const UNKNOWN: u32 = 65534;

/// Others may write here.
const FOR_ALL: u32 = 0o002;
const FOR_GROUP: u32 = 0o020;
/// Whoever may write here may remove and rename what is his own only.
const STICKY: u32 = 0o1000;

#[derive(Debug)]
pub struct Folder {
    handle: OwnedFd,
    path: PathBuf,
    /// Who may read what we make here, beside ourselves.
    guest: Option<User>,
}

impl Folder {
    /// Makes a folder that only we and, perhaps, a guest may enter. Its name begins so and ends in a number that nobody can
    /// foresee.
    ///
    /// # Errors
    /// It cannot be made, or others could put another in its place.
    pub fn temporary(parent: &Path, prefix: &str, guest: Option<User>) -> io::Result<Self> {
        let parent = fs::canonicalize(parent)?;
        check_path(&parent, guest)?;
        let above = Self { handle: open_folder(rustix::fs::CWD, &parent)?, path: parent, guest };
        let made = loop {
            match above.make(&format!("{prefix}{}", random()?)) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                done => break done?,
            }
        };
        // To be entered, but not to be listed.
        made.share(&made.handle, 0o710)?;
        Ok(made)
    }

    /// Opens a folder, and no link to one.
    ///
    /// # Errors
    /// It is not there, or may not be opened.
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(Self { handle: open_folder(rustix::fs::CWD, path)?, path: path.to_owned(), guest: None })
    }

    /// Another handle of the same folder.
    ///
    /// # Errors
    /// The system has no more.
    pub fn try_clone(&self) -> io::Result<Self> {
        Ok(Self { handle: self.handle.try_clone()?, path: self.path.clone(), guest: self.guest })
    }

    /// Where it was when it was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A new folder in it, which the guest may read.
    ///
    /// # Errors
    /// It cannot be made, or is there.
    pub fn subfolder(&self, name: &str) -> io::Result<Self> {
        let made = self.make(name)?;
        made.share(&made.handle, 0o750)?;
        Ok(made)
    }

    /// A new folder in it that is the guest's own: nobody else but us may enter it.
    ///
    /// # Errors
    /// It cannot be made, or is there.
    pub fn subfolder_of_guest(&self, name: &str) -> io::Result<Self> {
        let made = self.make(name)?;
        if let Some((user, group)) = self.guest.map(ids) {
            fchown(&made.handle, Some(user), Some(group))?;
        }
        Ok(made)
    }

    /// A new file, which the guest cannot open: it may be handed one that is open.
    ///
    /// # Errors
    /// It cannot be made, or is there.
    pub fn create(&self, name: &str) -> io::Result<File> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(openat(&self.handle, name, flags, Mode::from_raw_mode(0o600))?.into())
    }

    /// A new file of these pieces, which the guest may read.
    ///
    /// # Errors
    /// It cannot be made, or is there.
    pub fn write<'a>(&self, name: &str, pieces: impl IntoIterator<Item = &'a [u8]>) -> io::Result<()> {
        let mut file = self.create(name)?;
        pieces.into_iter().try_for_each(|piece| file.write_all(piece))?;
        self.share(&file, 0o640)
    }

    /// Lets the guest read and execute a file that another program has made here, whatever our umask was.
    ///
    /// # Errors
    /// It is not there, or is no file of ours.
    pub fn admit(&self, name: &str) -> io::Result<()> {
        self.share(&self.read(name)?, 0o750)
    }

    /// Opens a file that the owner of the folder has made there.
    ///
    /// # Errors
    /// It is not there; is a link, a pipe or a device; or belongs to somebody else, whose file was linked to.
    pub fn read(&self, name: &str) -> io::Result<File> {
        // A pipe that nobody writes to would keep us waiting.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let file = openat(&self.handle, name, flags, Mode::empty()).map_err(|error| match error {
            rustix::io::Errno::LOOP => foreign(&self.path.join(name), "is a link"),
            other => other.into(),
        })?;
        let found = fstat(&file)?;
        if FileType::from_raw_mode(found.st_mode) != FileType::RegularFile {
            return Err(foreign(&self.path.join(name), "is no file"));
        }
        if found.st_uid != fstat(&self.handle)?.st_uid {
            return Err(foreign(&self.path.join(name), "is the file of another user"));
        }
        Ok(file.into())
    }

    fn make(&self, name: &str) -> io::Result<Self> {
        mkdirat(&self.handle, name, Mode::RWXU)?;
        let handle = open_folder(&self.handle, Path::new(name))?;
        Ok(Self { handle, path: self.path.join(name), guest: self.guest })
    }

    /// Gives a file or folder to the guest's group, and then these rights to it. Without a guest it stays as it was made.
    fn share(&self, file: &impl std::os::fd::AsFd, mode: u32) -> io::Result<()> {
        if let Some((_, group)) = self.guest.map(ids) {
            fchown(file, None, Some(group))?;
            fchmod(file, Mode::from_raw_mode(mode))?;
        }
        Ok(())
    }
}

fn ids(user: User) -> (Uid, Gid) {
    (Uid::from_raw(user.id()), Gid::from_raw(user.id()))
}

/// Opens a folder, and no link to one.
pub(crate) fn open_folder(at: impl std::os::fd::AsFd, path: &Path) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(openat(at, path, flags, Mode::empty())?)
}

fn foreign(path: &Path, what: &str) -> io::Error {
    io::Error::other(format!(
        "{} {what}: it was put there by another program, and is not read",
        path.display()
    ))
}

/// Refuses a place in which another user could rename what we make, and one that the guest could not reach.
fn check_path(path: &Path, guest: Option<User>) -> io::Result<()> {
    for folder in path.ancestors() {
        let found = fs::metadata(folder)?;
        let problem = if is_open_to_others(&found) {
            "others may rename what is in it"
        } else if !is_trusted(found.uid()) {
            "it belongs to another user"
        } else if guest.is_some() && found.mode() & 0o001 == 0 {
            "a server that is not root may not enter it"
        } else {
            continue;
        };
        return Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            format!("{} is no safe place: {problem}", folder.display()),
        ));
    }
    Ok(())
}

/// Root and we ourselves; and whoever owns the folders of the system where only some users of the machine have a number.
fn is_trusted(owner: u32) -> bool {
    owner == 0 || owner == rustix::process::geteuid().as_raw() || owner == UNKNOWN && !user::are_all_known()
}

/// A group of the user's own number is the user's alone, where each has one.
fn is_open_to_others(folder: &fs::Metadata) -> bool {
    let own_groups = [0, rustix::process::geteuid().as_raw()];
    let by_group = folder.mode() & FOR_GROUP != 0 && !own_groups.contains(&folder.gid());
    (by_group || folder.mode() & FOR_ALL != 0) && folder.mode() & STICKY == 0
}

/// The run in a name that was made of a prefix, the process id of the run, and a number.
pub fn run_in_name(name: &str, prefix: &str) -> Option<u32> {
    let (pid, number) = name.strip_prefix(prefix)?.split_once('-')?;
    number.parse::<u32>().ok()?;
    pid.parse().ok()
}
