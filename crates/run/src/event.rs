//! What a run reports while it goes on: the only way by which progress reaches a screen.

use tlstax_doc::{Library, Note, Outcome};
use tlstax_spec::{Case, Nanos};

use crate::need::Outlook;

#[derive(Debug)]
pub enum Event<'a> {
    /// A library was started and asked, or could not be.
    Library(&'a Library),
    /// The cases are known, and none was prepared yet.
    Begins(Outlook),
    /// A case is about to be prepared, after so many of all.
    Preparing {
        case: &'a Case,
        done: usize,
        of: usize,
    },
    Hole {
        case: &'a Case,
        outcome: &'a Outcome,
    },
    /// Two libraries are about to meet.
    Trying(Trial<'a>),
    /// A case lost its process and goes on in a new one.
    Lost {
        case: &'a Case,
        note: &'a Note,
    },
    Batch(Progress<'a>),
}

#[derive(Debug, Clone)]
pub struct Progress<'a> {
    /// The case whose batch is next.
    pub case: &'a Case,
    /// The processes that will do its work, of a load those of its server; empty where nobody can name them.
    pub processes: Vec<u32>,
    /// The round, from 1.
    pub round: u32,
    pub done: usize,
    /// Cases that can be measured.
    pub of: usize,
    pub elapsed: Nanos,
    /// The most that the run may still take.
    pub left: Nanos,
}

/// How far the meetings of libraries are.
#[derive(Debug, Clone, Copy)]
pub struct Trial<'a> {
    /// The load that is next.
    pub case: &'a Case,
    /// How many were tried before it.
    pub done: usize,
    /// How many there are.
    pub of: usize,
    /// How many of those that were tried have failed.
    pub failed: usize,
    pub elapsed: Nanos,
}

pub trait Observer {
    /// Called with each event as it happens; must return soon: batches wait for it.
    fn observe(&mut self, event: Event<'_>);
}
