//! The contexts that handshakes are made from: one pair for all, one for each thread, or one for each handshake.

use tlstax_spec::{Contexts, Handshake, Resumption};

use crate::adapter::{Adapter, Endpoint};
use crate::job::JobError;
use crate::laps::Laps;
use crate::pair::{Ends, endpoint};
use crate::pki::Pki;

pub(crate) struct Source<'a> {
    adapter: &'a dyn Adapter,
    handshake: Handshake,
    pki: Pki,
    /// One for all threads, or one for each; empty if each handshake makes its own.
    kept: Vec<Ends>,
}

impl<'a> Source<'a> {
    /// Makes the contexts that are kept, with a session for each handshake that will be resumed.
    pub(crate) fn new(
        adapter: &'a dyn Adapter,
        handshake: Handshake,
        threads: u16,
        pki: &Pki,
    ) -> Result<Self, JobError> {
        let kept = match handshake.contexts {
            Contexts::Shared => 1,
            Contexts::PerThread => threads,
            Contexts::PerConnection if handshake.resumption != Resumption::Full => {
                let reason = "a session is resumed in the context that made it; a context for each connection makes none";
                return Err(JobError::Unsupported(reason.to_owned()));
            }
            Contexts::PerConnection => 0,
        };
        Self::keeping(adapter, handshake, pki, kept, if kept == 1 { threads } else { 1 })
    }

    /// Makes so many contexts that are kept, with so many sessions in each.
    pub(crate) fn keeping(
        adapter: &'a dyn Adapter,
        handshake: Handshake,
        pki: &Pki,
        kept: u16,
        sessions: u16,
    ) -> Result<Self, JobError> {
        let mut source = Self { adapter, handshake, pki: pki.clone(), kept: Vec::new() };
        for _ in 0..kept {
            let ends = source.make(&mut Laps::start(1))?;
            ends.prime(sessions)?;
            source.kept.push(ends);
        }
        Ok(source)
    }

    /// The contexts of a thread; none if each handshake makes its own.
    pub(crate) fn of(&self, thread: usize) -> Option<&Ends> {
        match self.kept.as_slice() {
            [all] => Some(all),
            each => each.get(thread),
        }
    }

    /// Makes a pair of contexts; each side is charged with its own.
    pub(crate) fn make(&self, laps: &mut Laps) -> Result<Ends, JobError> {
        let Handshake { params, chain, resumption, mutual, contexts: _ } = self.handshake;
        let endpoint = Endpoint { chain, resumption, mutual, ..endpoint(params, &self.pki) };
        Ends::timed(self.adapter, &endpoint, laps)
    }
}
