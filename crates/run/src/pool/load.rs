//! Loads: two ends, each a worker of ours or a program that people run.

use tlstax_libraries::Peer;
use tlstax_libraries::{Loss, Ready};
use tlstax_peers::Refused;
use tlstax_peers::clients::Order;
use tlstax_peers::servers::Reading;
use tlstax_spec::wire::{Target, Usage};
use tlstax_spec::{Case, Cpu, Load, Nanos, Proof, RESPONSE_HEADERS, Side, Workload};

use super::peers::{self, Grounds};
use super::place::Place;
use super::{Amount, Key, Measured, Pool, both, ends};
use crate::verify;

/// A window on a real server, which writes its account down some milliseconds later.
const REAL_WINDOW: Nanos = Nanos::from_millis(100);

/// Where a server listens.
struct Listening {
    port: u16,
    target: Option<Target>,
}

impl<'a> Pool<'a> {
    /// Gets both ends of a load ready, the server first.
    pub(super) fn prepare_load(&mut self, slot: u32, case: &Case, load: &Load) -> Result<Ready, Refused> {
        self.check_client(case, load)?;
        let listening = self.prepare_server(slot, case, load)?;
        let [_, client] = ends(case);
        let ready = match self.peer(&client.0) {
            Some(_) => self
                .run_load(slot, case, load, trial(load))
                .map(|done| Ready { proof: done.proof, port: None }),
            None => {
                let (port, target) = (Some(listening.port), listening.target);
                self.session(&client)?.prepare(slot, case, Some(Side::Client), port, target)
            }
        };
        let ready = ready.map_err(|refused| self.with_servers_words(case, load, refused))?;
        if let Some(running) = self.peers.running(&case.library, load) {
            // The client has made requests of its own to get ready.
            running.settle()?;
        }
        Ok(ready)
    }

    /// Refuses what the client does not do, before a server is started for it.
    fn check_client(&mut self, case: &Case, load: &Load) -> Result<(), Refused> {
        let [server, client] = ends(case);
        let is_external = matches!(self.peer(&server.0), Some(Peer::External(_)));
        let name = &client.0;
        match self.peer(name) {
            Some(Peer::Client(_)) if is_external => Err(Refused::Unsupported(format!(
                "{name} does not say what it negotiated, and a server that is not ours does not either: take the client lean"
            ))),
            Some(Peer::Client(_)) if case.threads > 1 => Err(Refused::Unsupported(format!(
                "{name} works in one thread here; the client lean has several"
            ))),
            Some(Peer::Client(program)) => {
                program.lacks(load).map_or(Ok(()), |reason| Err(Refused::Unsupported(reason)))
            }
            Some(_) => Err(Refused::Unsupported(format!("{name} is a server and no client"))),
            None => {
                let mut demands = load.demands();
                demands.extend(is_external.then_some("target"));
                demands.extend((case.threads > 1).then_some("threads"));
                let can = &self.session(&client)?.hello.loads;
                demands.retain(|demand| !can.iter().any(|word| word == demand));
                if demands.is_empty() {
                    return Ok(());
                }
                let demands = demands.join(", ");
                Err(Refused::Unsupported(format!(
                    "as a client, {name} does not do this: {demands}; the client lean does"
                )))
            }
        }
    }

    fn prepare_server(&mut self, slot: u32, case: &Case, load: &Load) -> Result<Listening, Refused> {
        let grounds = self.grounds();
        let [server, _] = ends(case);
        let port = match self.peer(&server.0) {
            Some(Peer::Server(_)) => {
                self.check_patience(&server)?;
                self.peers.server(self.entries[&server.0], load, &grounds)?.port()
            }
            Some(Peer::External(_)) if load.response_headers > 0 => {
                return Err(Refused::Unsupported(
                    "what a server that runs already sends is its own affair: no headers can be added"
                        .to_owned(),
                ));
            }
            Some(Peer::External(external)) => {
                return Ok(Listening { port: external.port(), target: Some(external.target()) });
            }
            Some(Peer::Client(_)) => {
                return Err(Refused::Unsupported(format!("{} is a client and no server", server.0)));
            }
            None => {
                let session = self.session(&server)?;
                if load.response_headers > 0
                    && !session.hello.loads.iter().any(|word| word == RESPONSE_HEADERS)
                {
                    return Err(Refused::Unsupported(format!(
                        "as a server, {} does not do this: {RESPONSE_HEADERS}",
                        server.0
                    )));
                }
                let ready = session.prepare(slot, case, Some(Side::Server), None, None)?;
                let silent = || Refused::failed("prepare", "the server did not say which port it listens on");
                ready.port.ok_or_else(silent)?
            }
        };
        Ok(Listening { port, target: None })
    }

    /// A window of load: the client works, and the server is read while it rests, before and after.
    pub(super) fn run_load(
        &mut self,
        slot: u32,
        case: &Case,
        load: &Load,
        amount: Amount,
    ) -> Result<Measured, Refused> {
        let [server, client] = ends(case);
        let lag = self.lag(case, load);
        if (self.has_loose_ends() || lag > 0)
            && let Some(running) = self.peers.running(&case.library, load)
        {
            // What a window before, of this case or of another on the same server, cut off or left may be written down yet.
            running.settle()?;
        }
        let before = self.read_server(slot, case, load, 0)?;
        let client_before = self.read_client(&client);
        let ran = self.run_client(slot, case, load, amount);
        let (mut sample, proof) = ran.map_err(|refused| self.with_servers_words(case, load, refused))?;
        let requests = sample.iterations.saturating_add(amount.warmup);
        let counted = before.usage.requests + requests.saturating_sub(lag);
        let after = self.read_server(slot, case, load, counted)?;
        let client_used =
            client_before.zip(self.read_client(&client)).map(|(before, after)| after.since(before));
        let server_used = before.grouped.zip(after.grouped).map(|(before, after)| after.since(before));
        self.note_work(&client, client_used);
        self.note_work(&server, server_used);
        if !matches!(self.peer(&server.0), Some(Peer::External(_))) {
            // What it cuts off at its end, the server may have counted.
            let slack = if self.works_for_a_time(case) { u64::from(load.connections) } else { 0 };
            let allowed = verify::Allowed { fewer: lag, more: slack + lag };
            verify::load(load, requests, allowed, &before.usage, &after.usage)
                .map_err(|problem| Refused::failed("proof", problem))?;
        }
        let used = used(&before.usage, &after.usage);
        sample.server = (used.total > Nanos(0)).then_some(used);
        sample.cpu = both(sample.client.unwrap_or_default(), used);
        let proof = proof.unwrap_or_else(|| proved(load, &before.usage, &after.usage));
        let observed = client_used.zip(server_used).map(|(client, server)| client + server);
        Ok(Measured { sample, proof, observed, observed_server: server_used })
    }

    /// How long a window of this case should take, where that is not as with workers on both ends.
    pub fn window(&self, case: &Case) -> Option<Nanos> {
        let Workload::Load(_) = &case.workload else { return None };
        let [server, client] = ends(case);
        match (self.peer(&server.0), self.peer(&client.0)) {
            (_, Some(Peer::Client(program))) => Some(program.window()),
            (Some(_), _) => Some(REAL_WINDOW),
            (None, _) => None,
        }
    }

    /// Runs the client; a program proves nothing itself, its server does.
    fn run_client(
        &mut self,
        slot: u32,
        case: &Case,
        load: &Load,
        amount: Amount,
    ) -> Result<(tlstax_spec::Sample, Option<Proof>), Refused> {
        let [_, client] = ends(case);
        let Some(Peer::Client(program)) = self.peer(&client.0) else {
            let session = self.session(&client)?;
            let (sample, proof) = session.run(slot, amount.iterations, amount.warmup, amount.expected)?;
            return Ok((sample, Some(proof)));
        };
        let grounds = self.grounds();
        let port = self.prepare_server(slot, case, load)?.port;
        let root = load.params.map_or_else(Default::default, |params| {
            grounds.home.pki().join(params.key.name()).join("root.pem")
        });
        let upload = self.peers.file(load.body)?;
        let requests = amount.iterations.saturating_add(amount.warmup);
        let order = Order { load, port, requests, expected: amount.expected, root, upload };
        let seat = self.peers.seat(&grounds);
        let sample = self.peers.client_program(program)?.run(&order, &seat)?;
        Ok((sample, None))
    }

    /// Reads a server when it has counted so many requests.
    fn read_server(
        &mut self,
        slot: u32,
        case: &Case,
        load: &Load,
        requests: u64,
    ) -> Result<Reading, Refused> {
        let [server, _] = ends(case);
        match self.peer(&server.0) {
            Some(Peer::Server(_)) => {
                let gone = || Refused::failed("run", "the server of this case does not run any more");
                self.peers.running(&server.0, load).ok_or_else(gone)?.read(requests)
            }
            Some(Peer::External(external)) => {
                // No second account: its control group may hold others, too.
                Ok(Reading { grouped: None, usage: external.read()? })
            }
            _ => {
                let usage = self.session(&server)?.usage(slot)?;
                Ok(Reading { usage, grouped: self.observe(&server) })
            }
        }
    }

    /// The independent account of a client: its control group's, or the scheduler's where there are none.
    fn read_client(&mut self, client: &Key) -> Option<Nanos> {
        match self.peer(&client.0) {
            Some(_) => Some(self.peers.group()?.usage().ok()?.total),
            None => self.observe(client),
        }
    }

    fn note_work(&mut self, key: &Key, used: Option<Nanos>) {
        if let Some(process) = self.places.get_mut(key).and_then(Place::process_mut) {
            process.note_work(used);
        }
    }

    /// Requests that the server may not have written down yet: the last one on each connection that stays.
    fn lag(&mut self, case: &Case, load: &Load) -> u64 {
        let lags = self.peers.running(&case.library, load).is_some_and(|running| running.lags());
        if lags && load.requests_per_connection != 1 { u64::from(load.connections) } else { 0 }
    }

    /// Whether any client of the run leaves requests behind when its time is over.
    fn has_loose_ends(&self) -> bool {
        self.entries
            .values()
            .any(|entry| matches!(&entry.peer, Some(Peer::Client(program)) if !program.counts()))
    }

    /// Whether the client of a case makes requests for a time, and not so many as it is told to.
    pub(super) fn works_for_a_time(&self, case: &Case) -> bool {
        let Workload::Load(load) = &case.workload else { return false };
        matches!(self.peer(&load.client), Some(Peer::Client(program)) if !program.counts())
    }

    /// A failure that the client tells, with what the server has to say of it, or what was seen of it before.
    fn with_servers_words(&mut self, case: &Case, load: &Load, refused: Refused) -> Refused {
        let Refused::Failed(mut failure) = refused else { return refused };
        if let Some(Peer::External(external)) = self.peer(&case.library)
            && let Some(advice) = external.advice(load)
        {
            failure.message = format!("{}; {advice}", failure.message);
        }
        let Some(running) = self.peers.running(&case.library, load) else { return Refused::Failed(failure) };
        if running.is_lost() {
            failure.message =
                format!("a process of the server ended under load; the client saw: {}", failure.message);
            failure.lost = true;
        }
        let said = running.said();
        if !said.is_empty() && !failure.stderr.contains(&said) {
            failure.stderr = format!("{}\n{}: {said}", failure.stderr, case.library).trim().to_owned();
        }
        Refused::Failed(failure)
    }

    /// Ends the real server of a load that was lost: it is in the middle of something. It is to blame unless its client is;
    /// what it has written down itself is not in doubt, so a new one may do.
    pub(super) fn forget_server(&mut self, case: &Case, load: &Load) -> Option<Loss> {
        let ended = self.peers.running(&case.library, load)?.is_lost();
        self.peers.forget(&case.library, load);
        let [server, client] = ends(case);
        let client_lost = self.places.get(&client).and_then(Place::loss).is_some();
        let is_to_blame = ended || !client_lost;
        if is_to_blame {
            self.place(server).note_loss(case.id());
        }
        is_to_blame.then_some(Loss::Silent)
    }

    pub(super) fn observe(&self, key: &Key) -> Option<Nanos> {
        self.places.get(key)?.process()?.observe()
    }

    pub(super) fn peer(&self, id: &str) -> Option<Peer> {
        self.entries.get(id)?.peer.clone()
    }

    fn grounds(&self) -> Grounds<'a> {
        Grounds {
            home: self.home,
            server: vec![self.cores.measure],
            client: vec![self.cores.client],
            all: self.all.clone(),
        }
    }

    /// The consent to load another machine, if the user has given it for this run.
    pub(super) fn consent(&self) -> Option<String> {
        self.entries.values().find_map(|entry| peers::external(entry)?.consent())
    }
}

/// The run of a client program that shows whether it works at all.
fn trial(load: &Load) -> Amount {
    Amount { iterations: u64::from(load.connections.max(1)), ..Amount::trial() }
}

fn used(before: &Usage, after: &Usage) -> Cpu {
    let (user, system) = (after.user_ns.since(before.user_ns), after.system_ns.since(before.system_ns));
    // Without a tick in the window nothing is known of the parts.
    let is_split = user + system > Nanos(0);
    Cpu {
        total: after.cpu_ns.since(before.cpu_ns),
        user: is_split.then_some(user),
        system: is_split.then_some(system),
    }
}

/// What a server says of a window. The key is the one that it was started with.
fn proved(load: &Load, before: &Usage, after: &Usage) -> Proof {
    let Some(params) = load.params else { return Proof::default() };
    Proof {
        version: after.version,
        suite: after.suite,
        // Not every server tells the group; it was started with this one and no other.
        group: after.group.or(params.group),
        key: Some(params.key),
        handshakes: after.handshakes - before.handshakes,
        resumed: after.resumed - before.resumed,
        early: after.early - before.early,
        ..Proof::default()
    }
}
