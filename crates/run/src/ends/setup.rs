//! What all ends of a run share: the project's files, the cores, the folder of servers, and what each library was at first.

use std::collections::HashMap;
use std::path::PathBuf;

use tlstax_libraries::{Counting, Entry, Home, Peer, Session, identity};
use tlstax_measure::objects::Loaded;
use tlstax_measure::pin::{self, Cores};
use tlstax_peers::Refused;
use tlstax_peers::servers::{self, Ground, RunFolder};
use tlstax_spec::wire::Hello;
use tlstax_spec::{Id, Stage};

use super::role::Role;

#[derive(Debug)]
pub struct Setup<'a> {
    pub home: &'a Home,
    pub cores: Cores,
    /// Every core that we may use, for work in several threads.
    all: Vec<usize>,
    pub sitting: u32,
    /// The address of another machine that clients may load, if the user has consented to it for this run.
    pub remote: Option<String>,
    /// How the instructions of workers are counted; none where workers are timed.
    pub counting: Option<Counting>,
    /// The hello of the first process of each library, and the files that it had loaded: with another file it is another library.
    first: HashMap<Id, (Hello, Vec<Loaded>)>,
    folder: Option<RunFolder>,
}

impl<'a> Setup<'a> {
    /// Before anything is started. The calling thread must not be pinned yet: its cores are those of several threads.
    pub fn new(home: &'a Home, cores: Cores, entries: &[&Entry]) -> Self {
        let remote = |entry: &&Entry| match entry.peer() {
            Some(Peer::External(external)) => external.consent(),
            _ => None,
        };
        Self {
            home,
            cores,
            all: pin::available(),
            sitting: 0,
            remote: entries.iter().find_map(remote),
            counting: None,
            first: HashMap::new(),
            folder: None,
        }
    }

    /// From now on instructions are counted, which may make another worker of the same program: callgrind's files are loaded
    /// with it, and its CPU has fewer features.
    pub fn count(&mut self, counting: Counting) {
        self.counting = Some(counting);
        self.first.clear();
    }

    pub fn cpus(&self, role: Role) -> Vec<usize> {
        match role {
            Role::Alone | Role::Server => vec![self.cores.measure],
            Role::Client => vec![self.cores.client],
            Role::Clients => {
                match self.all.iter().copied().filter(|core| *core != self.cores.measure).collect() {
                    none if Vec::is_empty(&none) => vec![self.cores.client],
                    others => others,
                }
            }
            Role::Threads => self.all.clone(),
        }
    }

    /// The folder of servers, made when it is first needed.
    ///
    /// # Errors
    /// The folder cannot be made.
    pub fn folder(&mut self) -> Result<&mut RunFolder, Refused> {
        if self.folder.is_none() {
            let made = RunFolder::create().map_err(|error| {
                let parent = std::env::temp_dir();
                let problem = format!("cannot make a folder for servers in {}: {error}", parent.display());
                let remedy = "set TMPDIR to one with room that only you or root can change";
                Refused::failed(Stage::Start, format!("{problem}; {remedy}"))
            })?;
            self.folder = Some(made);
        }
        self.folder.as_mut().ok_or_else(|| unreachable!("it was made above"))
    }

    /// Where and how servers are run.
    ///
    /// # Errors
    /// The folder of servers cannot be made.
    pub fn ground(&mut self) -> Result<Ground<'_>, Refused> {
        let (pki, cpus, all) = (self.home.pki(), self.cpus(Role::Server), self.all.clone());
        Ok(Ground { pki, folder: self.folder()?, cpus, all })
    }

    /// A file of so many bytes, for client programs to upload.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn upload(&mut self, bytes: u32) -> Result<PathBuf, Refused> {
        let root = self.folder()?.root(bytes);
        let cannot = |error| Refused::failed(Stage::Prepare, format!("cannot write a file: {error}"));
        Ok(root.map_err(cannot)?.join(servers::PAGE))
    }

    /// Refuses a worker that is another program than the first one of its library in this run.
    ///
    /// # Errors
    /// It has loaded other files, or states another version, than the first.
    pub fn check_same_program(&mut self, library: &Id, session: &Session) -> Result<(), Refused> {
        // What is shown by its cost may be missed once; whether it had to be off was checked when the worker started.
        let hello = Hello { without: Vec::new(), ..session.hello.clone() };
        let Some((first, before)) = self.first.get(library) else {
            self.first.insert(library.clone(), (hello, session.loaded.clone()));
            return Ok(());
        };
        let changed = |what: &str| {
            let message = format!("the worker of {library} was changed during the run: {what}; run it again");
            Err(Refused::failed(Stage::Start, message))
        };
        match identity::other_file(before, &session.loaded) {
            Some(file) => changed(&format!("{} is another file", file.display())),
            None if *first != hello => changed("it says other things of itself"),
            None => Ok(()),
        }
    }
}
