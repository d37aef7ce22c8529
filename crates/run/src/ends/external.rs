//! A server that the user runs already: it is read from outside, and neither started nor ended.

use tlstax_doc::Library;
use tlstax_libraries::{Entry, library};
use tlstax_peers::servers::{External, Reading};
use tlstax_peers::{Failure, Refused};
use tlstax_spec::{Id, Nanos};

use super::end::{End, Listening, Prepared, Task};
use super::server::REAL_WINDOW;
use super::setup::Setup;

#[derive(Debug)]
pub struct ExternalServer<'a> {
    entry: &'a Entry,
    external: &'a External,
}

impl<'a> ExternalServer<'a> {
    pub fn new(entry: &'a Entry, external: &'a External) -> Self {
        Self { entry, external }
    }
}

impl End for ExternalServer<'_> {
    fn id(&self) -> &Id {
        &self.entry.id
    }

    fn probe(&mut self, _setup: &mut Setup<'_>) -> Result<Library, Refused> {
        Ok(library::external(self.entry, self.external.owner()))
    }

    fn prepare(&mut self, _: &mut Setup<'_>, task: Task<'_>) -> Result<Prepared, Refused> {
        if task.load.is_some_and(|load| load.response_headers > 0) {
            let reason = "what a server that runs already sends is its own affair: no headers can be added";
            return Err(Refused::Unsupported(reason.to_owned()));
        }
        let listening =
            Listening { port: self.external.address().port(), target: Some(self.external.target()) };
        Ok(Prepared { listening: Some(listening), proof: None })
    }

    fn read(&mut self, _task: Task<'_>, _requests: u64, _part: u64) -> Result<Reading, Refused> {
        // No second account: its control group may hold others, too.
        Ok(Reading { grouped: None, usage: self.external.read()? })
    }

    fn counts(&self) -> bool {
        false
    }

    fn window(&self) -> Option<Nanos> {
        Some(REAL_WINDOW)
    }

    fn is_on_its_core(&self) -> bool {
        false
    }

    fn explain(&mut self, task: Task<'_>, mut failure: Failure) -> Failure {
        if let Some(advice) = task.load.and_then(|load| self.external.advice(load)) {
            failure.message = format!("{}; {advice}", failure.message);
        }
        failure
    }
}
