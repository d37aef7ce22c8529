//! A client program that people run: started anew for each window.

use std::collections::HashMap;

use tlstax_doc::Library;
use tlstax_libraries::{Entry, library};
use tlstax_measure::cgroup::Group;
use tlstax_measure::objects::linked_code;
use tlstax_peers::Refused;
use tlstax_peers::clients::{Client, Order, Program};
use tlstax_spec::{Id, Nanos, Stage};

use super::end::{End, Prepared, Sampled, Task};
use super::role::Role;
use super::setup::Setup;
use crate::batch::Amount;

/// A client program, and where the servers of its cases listen.
#[derive(Debug)]
pub struct ClientProgram<'a> {
    entry: &'a Entry,
    client: &'static Client,
    program: Option<Program>,
    /// The second account of its CPU time, over all its processes.
    group: Option<Group>,
    /// The ports of the servers, by the slots of the cases.
    ports: HashMap<u32, u16>,
}

impl<'a> ClientProgram<'a> {
    pub fn new(entry: &'a Entry, client: &'static Client) -> Self {
        Self { entry, client, program: None, group: None, ports: HashMap::new() }
    }

    fn program(&mut self) -> Result<&Program, Refused> {
        if self.program.is_none() {
            let found = Program::find(self.client).map_err(|reason| Refused::failed(Stage::Start, reason))?;
            (self.program, self.group) = (Some(found), Group::create().ok());
        }
        self.program.as_ref().ok_or_else(|| unreachable!("it was found above"))
    }
}

impl End for ClientProgram<'_> {
    fn id(&self) -> &Id {
        &self.entry.id
    }

    fn probe(&mut self, _setup: &mut Setup<'_>) -> Result<Library, Refused> {
        let program = self.program()?;
        let (version, objects) = (program.version.clone(), linked_code(&program.path, &[]));
        Ok(library::program(self.entry, &version, objects))
    }

    fn check_client(&mut self, task: Task<'_>, server_counts: bool) -> Result<(), Refused> {
        let name = self.id();
        let lacks = if !server_counts {
            Some(format!(
                "{name} does not say what it negotiated, and a server that is not ours does not either: take the client lean"
            ))
        } else if task.case.threads > 1 {
            Some(format!("{name} works in one thread here; the client lean has several"))
        } else {
            task.load.and_then(|load| (self.client.lacks)(load))
        };
        lacks.map_or(Ok(()), |reason| Err(Refused::Unsupported(reason)))
    }

    /// Whether it works at all, its first window shows.
    fn prepare(&mut self, _: &mut Setup<'_>, task: Task<'_>) -> Result<Prepared, Refused> {
        let no_server = || Refused::Unsupported(format!("{} is a client and no server", self.entry.id));
        self.ports.insert(task.slot, task.server.ok_or_else(no_server)?.port);
        Ok(Prepared::default())
    }

    fn run(&mut self, setup: &mut Setup<'_>, task: Task<'_>, amount: Amount) -> Result<Sampled, Refused> {
        let (Some(load), Some(port)) = (task.load, self.ports.get(&task.slot).copied()) else {
            return Err(Refused::failed(Stage::Run, "the client was not got ready for this case"));
        };
        let root = load.params.map_or_else(Default::default, |params| {
            setup.home.pki().join(params.key.name()).join("root.pem")
        });
        let upload = setup.upload(load.body)?;
        let requests = amount.iterations.saturating_add(amount.warmup);
        let order = Order { load, port, requests, expected: amount.expected, root, upload };
        let group = self.group.as_ref().map(|group| group.path().to_owned());
        let started = |pid| {
            if let Some(outside) = task.watched.and_then(|watched| watched.client.as_ref()) {
                outside.is(pid);
            }
        };
        Ok((self.program()?.run(&order, setup.cpus(Role::Client), group, started)?, None))
    }

    fn observe(&self) -> Option<Nanos> {
        Some(self.group.as_ref()?.usage().ok()?.total)
    }

    fn works_for_a_time(&self) -> bool {
        !self.client.counts
    }

    fn window(&self) -> Option<Nanos> {
        Some(self.client.window)
    }

    fn release(&mut self, task: Task<'_>) -> bool {
        self.ports.remove(&task.slot);
        true
    }
}
