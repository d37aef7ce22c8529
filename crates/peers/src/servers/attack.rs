//! Folders of runs among enemies: another user of the machine who plants whatever it can at every start, and a server's own
//! user.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::print_stdout)]

use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tlstax_measure::folder::Folder;

use super::access_log::AccessLog;
use super::nginx::NGINX;
use super::run_folder::RunFolder;
use super::tests::{ask_once, installed, pki, site};
use super::{Ground, Running};

const STARTS: usize = 1000;

/// What nobody but root may read or change.
const PRIVATE: &str = "only for root\n";

/// A user with no part in this.
const STRANGER: &str = "12345";

/// A folder for temporary files with an enemy at work in it.
struct Siege {
    /// Belongs to root, and everybody may write into it: as /tmp does.
    temporary: PathBuf,
    secret: PathBuf,
    victim: PathBuf,
    intruder: Child,
    _folder: tempfile::TempDir,
}

impl Siege {
    /// None, with a printed reason, where we cannot make a process another user's.
    fn begin() -> Option<Self> {
        let become_stranger =
            ["--reuid", STRANGER, "--regid", STRANGER, "--clear-groups", "perl", "-e"].map(str::to_owned);
        let may = Command::new("setpriv").args(&become_stranger).arg("exit").stderr(Stdio::null()).status();
        if !may.is_ok_and(|status| status.success()) {
            println!("not tested: this needs root, setpriv and perl");
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let path = |name| folder.path().join(name);
        let (temporary, secret, victim) = (path("temporary"), path("secret"), path("victim"));
        fs::create_dir(&temporary).unwrap();
        allow(folder.path(), 0o755);
        allow(&temporary, 0o1777);
        for file in [&secret, &victim] {
            fs::write(file, PRIVATE).unwrap();
            allow(file, 0o600);
        }
        let mut command = Command::new("setpriv");
        command
            .args(&become_stranger)
            .arg(include_str!("intruder.pl"))
            .arg(&temporary)
            .args([&secret, &victim]);
        let intruder = command.spawn().unwrap();
        // It begins by showing that it is there.
        while !temporary.join("intruder").exists() {
            std::thread::sleep(Duration::from_millis(1));
        }
        Some(Self { temporary, secret, victim, intruder, _folder: folder })
    }

    /// Everything is as it was.
    #[track_caller]
    fn nothing_happened(&mut self) {
        assert!(self.intruder.try_wait().unwrap().is_none(), "the intruder has ended");
        for file in [&self.secret, &self.victim] {
            assert_eq!(fs::read_to_string(file).unwrap(), PRIVATE, "{} was changed", file.display());
        }
    }
}

impl Drop for Siege {
    fn drop(&mut self) {
        self.intruder.kill().unwrap();
        self.intruder.wait().unwrap();
    }
}

fn allow(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn d12_d13_another_user_reads_and_writes_nothing_in_a_thousand_starts() {
    let Some(mut siege) = Siege::begin() else { return };
    for _ in 0..STARTS {
        let mut run = RunFolder::create_in(&siege.temporary).unwrap();
        run.credentials(&pki(), tlstax_spec::Key::EcdsaP256).unwrap();
        run.root(16).unwrap();
        let folders = run.place("nginx").unwrap();
        folders.files.write("nginx.conf", [&b"ours"[..]]).unwrap();
        folders.files.create("output").unwrap().write_all(b"said").unwrap();
        let mut log = AccessLog::new(&NGINX, folders.own.try_clone().unwrap(), "access.log");
        log.read_until(0, || ()).unwrap();
        let kept = fs::read(folders.files.path().join("nginx.conf")).unwrap();
        assert_eq!(kept, b"ours", "the configuration was replaced");
        assert!(
            fs::read_dir(folders.own.path()).unwrap().all(|entry| entry.unwrap().file_name() == "uploads")
        );
    }
    siege.nothing_happened();
}

#[test]
fn d13_a_real_server_starts_among_enemies() {
    let Some(mut siege) = Siege::begin() else { return };
    for program in installed() {
        for _ in 0..3 {
            let mut folder = RunFolder::create_in(&siege.temporary).unwrap();
            let mut ground = Ground { pki: pki(), folder: &mut folder, cpus: Vec::new(), all: Vec::new() };
            let mut running = Running::start(&program, &site(None), &mut ground).unwrap();
            assert_eq!(ask_once(&running), (200, 1024), "{}", program.server.id());
            assert_eq!(running.read(1).unwrap().usage.requests, 1, "{}", program.server.id());
        }
    }
    siege.nothing_happened();
}

/// What a process of the server's own user leaves where the server writes.
#[test]
fn d12_what_was_planted_beside_a_log_is_not_read() {
    let place = tempfile::tempdir().unwrap();
    let secret = place.path().join("secret");
    fs::write(&secret, PRIVATE).unwrap();
    fs::create_dir(place.path().join("own")).unwrap();
    let own = place.path().join("own");
    symlink(&secret, own.join("link")).unwrap();
    assert!(Command::new("mkfifo").arg(own.join("pipe")).status().unwrap().success());
    fs::create_dir(own.join("folder")).unwrap();
    let folder = Folder::open(&own).unwrap();
    // A pipe without a writer would keep whoever opens it waiting.
    for (name, words) in [("link", "is a link"), ("pipe", "is no file"), ("folder", "is no file")] {
        let error = folder.read(name).unwrap_err().to_string();
        assert!(error.contains(words) && error.contains(name), "{error}");
        assert!(folder.create(name).is_err(), "{name} was opened to be written");
    }
    assert_eq!(fs::read_to_string(secret).unwrap(), PRIVATE);
}

#[test]
fn d12_a_hard_link_to_the_file_of_another_user_is_not_read() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("access.log");
    fs::write(&file, PRIVATE).unwrap();
    let folder = Folder::open(place.path()).unwrap();
    let mut text = String::new();
    folder.read("access.log").unwrap().read_to_string(&mut text).unwrap();
    assert_eq!(text, PRIVATE);
    if std::os::unix::fs::chown(&file, Some(12345), None).is_err() {
        println!("not tested: only root can give a file away");
        return;
    }
    let error = folder.read("access.log").unwrap_err().to_string();
    assert!(error.contains("is the file of another user"), "{error}");
}

#[test]
fn d12_folders_are_for_the_run_and_its_servers_only() {
    let mut run = RunFolder::create().unwrap();
    let folders = run.place("nginx").unwrap();
    folders.files.write("nginx.conf", [&b"ours"[..]]).unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().mode() & 0o7777;
    let files = folders.files.path();
    let modes = [run.folder().path(), files, &files.join("nginx.conf"), folders.own.path()].map(mode);
    let us = fs::metadata("/proc/self").unwrap().uid();
    let owner = |path: &Path| fs::metadata(path).unwrap().uid();
    match run.user() {
        Some(user) => {
            assert_eq!(modes, [0o710, 0o750, 0o640, 0o700]);
            assert_eq!((owner(files), owner(folders.own.path())), (us, user.id()));
        }
        None => assert_eq!(modes.map(|mode| mode & 0o077), [0; 4]),
    }
}

#[test]
fn d12_a_place_where_others_may_rename_is_refused() {
    let place = tempfile::tempdir().unwrap();
    allow(place.path(), 0o777);
    let inner = place.path().join("inner");
    fs::create_dir(&inner).unwrap();
    for folder in [place.path(), &inner] {
        let error = RunFolder::create_in(folder).unwrap_err().to_string();
        assert!(error.contains("others may rename"), "{error}");
        assert!(error.contains(place.path().to_str().unwrap()), "{error}");
    }
    allow(place.path(), 0o1777);
    allow(&inner, 0o755);
    RunFolder::create_in(&inner).unwrap();
    if std::os::unix::fs::chown(&inner, Some(12345), None).is_ok() {
        let error = RunFolder::create_in(&inner).unwrap_err().to_string();
        assert!(error.contains("another user"), "{error}");
    }
}
