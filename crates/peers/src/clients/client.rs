//! A [`Client`]: a load generator or a download tool that people use, and how to read its output.

use std::path::PathBuf;

use tlstax_measure::program::Finished;
use tlstax_spec::{Direction, Load, Nanos};

use crate::product::Product;

/// One client program. Each is a file of its own and an entry in [`super::CLIENTS`].
#[derive(Debug)]
pub struct Client {
    /// How it is called, found and asked for its version.
    pub product: Product,
    /// The arguments that make it print its options; none if what it can do does not differ.
    pub help_arguments: &'static [&'static str],
    /// What it cannot do of a load, one sentence; none if it can.
    pub lacks: fn(&Load) -> Option<String>,
    /// What this version of it cannot do of a load, by the version and the options that it prints.
    pub lacks_here: fn(&Load, &str) -> Option<String>,
    /// Whether it makes exactly the requests of its order. Others work for a time, and requests on their way at its end
    /// are cut off: the server's count is then higher, by no more than the connections.
    pub counts: bool,
    /// How long one run of it should take: its start is part of what it costs, and some count in whole seconds.
    pub window: Nanos,
    /// Its arguments for a load. The version and the options that it prints show which ones it knows.
    pub command: fn(&Order<'_>, &str) -> Command,
    /// Reads its output, when it has ended without an error. A request that failed all the same, or output that is not understood,
    /// is an error: what, in one sentence.
    pub summary: fn(&Order<'_>, &Finished) -> Result<Summary, String>,
}

impl Client {
    /// A client that counts its requests, all versions of which can do the same.
    pub const fn of(
        product: Product,
        lacks: fn(&Load) -> Option<String>,
        command: fn(&Order<'_>, &str) -> Command,
        summary: fn(&Order<'_>, &Finished) -> Result<Summary, String>,
    ) -> Self {
        let (help_arguments, window): (&[&str], _) = (&[], Nanos::from_millis(500));
        Self {
            product,
            help_arguments,
            lacks,
            lacks_here: |_, _| None,
            counts: true,
            window,
            command,
            summary,
        }
    }

    pub const fn id(&self) -> &'static str {
        self.product.id
    }
}

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
    pub arguments: Vec<String>,
    pub environment: Vec<(String, String)>,
}

impl Command {
    pub fn of(words: &[&str]) -> Self {
        let mut command = Self::default();
        command.add(words);
        command
    }

    pub fn add(&mut self, words: &[&str]) {
        self.arguments.extend(words.iter().map(|word| (*word).to_owned()));
    }
}

/// A client's own account of its run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Summary {
    /// Requests that were answered as they should be.
    pub requests: u64,
    /// Bytes of the bodies that the load is made of, if it counts them apart from heads and from others.
    pub bytes: Option<u64>,
    /// How long the requests took together, without the start of the program; none if it does not state it.
    pub wall: Option<Nanos>,
}
