//! A [`Client`]: a load generator or a download tool that people use, and how to read what it says.

use std::path::PathBuf;

use tlstax_measure::program::Finished;
use tlstax_spec::{Direction, Load, Nanos};

/// One client program. Each is a file of its own and an entry in [`super::CLIENTS`].
pub trait Client: Sync + std::fmt::Debug {
    /// What studies, flags and results call it.
    fn id(&self) -> &'static str;

    /// One line for people.
    fn about(&self) -> &'static str;

    /// The Debian packages that bring it; none where there are none.
    fn packages(&self) -> &'static [&'static str];

    /// Where to get it if there is no package.
    fn elsewhere(&self) -> &'static str {
        ""
    }

    /// The name of the program.
    fn program(&self) -> &'static str;

    /// The arguments that make it print its version.
    fn version_arguments(&self) -> &'static [&'static str] {
        &["--version"]
    }

    /// The arguments that make it print its options; none if what it can do does not differ.
    fn help_arguments(&self) -> &'static [&'static str] {
        &[]
    }

    /// Name and version, with those of its TLS library if it says them, from what it printed when asked for its version.
    fn version(&self, printed: &str) -> Option<String>;

    /// What it cannot do of a load, one sentence; none if it can.
    fn lacks(&self, load: &Load) -> Option<String>;

    /// What this version of it cannot do of a load, by what it says of itself.
    fn lacks_here(&self, _load: &Load, _says: &str) -> Option<String> {
        None
    }

    /// Whether it makes just as many requests as it is told to. Others work for a time, and requests on their way at its end
    /// are cut off: the server's count is then higher, by no more than the connections.
    fn counts(&self) -> bool {
        true
    }

    /// How long one run of it should take: its start is part of what it costs, and some count in whole seconds.
    fn window(&self) -> Nanos {
        Nanos::from_millis(500)
    }

    /// Its arguments for a load. What it says of itself, version and options, tells which ones it knows.
    fn command(&self, order: &Order<'_>, says: &str) -> Command;

    /// Reads what it said when it had ended without an error.
    ///
    /// # Errors
    /// A request failed all the same, or it said something that is not understood: what, in one sentence.
    fn told(&self, order: &Order<'_>, finished: &Finished) -> Result<Told, String>;
}

/// What a client is to do.
#[derive(Debug, Clone)]
pub struct Order<'a> {
    /// The load. Its body is what `/` answers, or what is to be uploaded to `/upload`.
    pub load: &'a Load,
    /// The port of the server on 127.0.0.1; its name is `server.test`.
    pub port: u16,
    /// Requests to make; for a client that works for a time, those that should fit into it.
    pub requests: u64,
    /// How long that should take.
    pub expected: Nanos,
    /// The root certificate, PEM.
    pub root: PathBuf,
    /// A file of as many bytes as the body, to be uploaded.
    pub upload: PathBuf,
}

impl Order<'_> {
    /// `http` or `https`.
    pub const fn scheme(&self) -> &'static str {
        if self.load.params.is_some() { "https" } else { "http" }
    }

    /// Connections to open: a trial may have fewer requests than the load has connections.
    pub fn connections(&self) -> u64 {
        u64::from(self.load.connections).min(self.requests)
    }

    /// What is asked for. All uploads replace the same file, which is then no larger than one of them.
    pub const fn path(&self) -> &'static str {
        match self.load.direction {
            Direction::Download => "/",
            Direction::Upload => "/upload",
        }
    }
}

/// The command line of a run, without the program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Command {
    /// Arguments.
    pub arguments: Vec<String>,
    /// Variables of its environment.
    pub environment: Vec<(String, String)>,
}

impl Command {
    /// A command line that begins so.
    pub fn of(words: &[&str]) -> Self {
        let mut command = Self::default();
        command.add(words);
        command
    }

    /// Adds arguments.
    pub fn add(&mut self, words: &[&str]) {
        self.arguments.extend(words.iter().map(|word| (*word).to_owned()));
    }
}

/// What a client says of its run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Told {
    /// Requests that were answered as they should be.
    pub requests: u64,
    /// Bytes of the bodies that the load is made of, if it counts them apart from heads and from others.
    pub bytes: Option<u64>,
    /// How long the requests took together, without the start of the program; none if it does not say.
    pub wall: Option<Nanos>,
}
