//! One thread's part of a load: connections around an epoll.

use std::collections::VecDeque;

use tlstax_measure::clock::monotonic;
use tlstax_spec::Nanos;
use tlstax_worker::poll::EventFlags;
use tlstax_worker::{JobError, Latencies, LoadParts, Negotiated, Stagger};

use crate::connection::{Connection, Ends, Progress, Stage, Tools, Trouble};
use crate::pace::{Ceiling, Mix, Pace};
use crate::waiting::Waiting;

/// A server that means to close a connection after its close_notify has done so by then.
const GRACE: Nanos = Nanos::from_millis(250);

/// The connections of one thread, which stay open between windows where the load keeps them alive.
pub(crate) struct Engine {
    tools: Tools,
    links: Vec<Option<Connection>>,
    /// Places whose connection has nothing to do, or that have none; the first was freed first.
    free: VecDeque<usize>,
    /// How often each place has had a connection: what is told of an earlier one is no news.
    uses: Vec<u32>,
    mix: Mix,
    ceiling: Ceiling,
    stagger: Stagger,
    patience: Nanos,
    pace: Pace,
    /// Whether the load waits at the ceiling; otherwise that is an error.
    may_wait: bool,
    happened: Vec<(u64, EventFlags)>,
    pub(crate) waiting: Waiting,
    pub(crate) tally: Tally,
    pub(crate) latencies: Latencies,
    pub(crate) parts: LoadParts,
}

/// What one window is to do and has done.
#[derive(Debug, Default, Clone)]
pub(crate) struct Tally {
    pub(crate) wanted: u64,
    begun: u64,
    pub(crate) done: u64,
    /// Bytes of bodies.
    pub(crate) bytes: u64,
    /// Connections that wait for the server to close them.
    closing: u64,
    pub(crate) handshakes: u64,
    pub(crate) resumed: u64,
    pub(crate) early: u64,
    /// What the handshakes negotiated, which is alike in all of them.
    pub(crate) negotiated: Option<Negotiated>,
}

impl Engine {
    pub(crate) fn new(tools: Tools, ceiling: Ceiling, patience: Nanos) -> Self {
        let load = &tools.plan.load;
        let connections = load.connections as usize;
        let stagger = Stagger::new(load.requests_per_connection, load.connections);
        Self {
            mix: Mix::new(tools.plan.resumed_percent),
            tools,
            links: (0..connections).map(|_| None).collect(),
            free: (0..connections).collect(),
            uses: vec![0; connections],
            ceiling,
            stagger,
            patience,
            pace: Pace::default(),
            may_wait: true,
            happened: Vec::new(),
            waiting: Waiting::new(),
            tally: Tally::default(),
            latencies: Latencies::default(),
            parts: LoadParts::default(),
        }
    }

    /// Makes so many full handshakes, each with one request, and keeps the sessions.
    pub(crate) fn prime(&mut self, handshakes: u64) -> Result<(), JobError> {
        let rate = std::mem::take(&mut self.tools.plan.load.rate);
        let stagger = std::mem::replace(&mut self.stagger, Stagger::new(1, 0));
        let mix = std::mem::replace(&mut self.mix, Mix::new(0));
        let primed = self.load(handshakes, true);
        (self.tools.plan.load.rate, self.stagger, self.mix) = (rate, stagger, mix);
        primed
    }

    /// Makes so many requests, and waits for every response and for every close that follows one.
    pub(crate) fn load(&mut self, wanted: u64, may_wait: bool) -> Result<(), JobError> {
        self.tally = Tally { wanted, ..Tally::default() };
        self.latencies.reset();
        self.pace = Pace { rate: self.tools.plan.load.rate, start: monotonic() };
        self.may_wait = may_wait;
        let done = self.drive();
        if done.is_err() {
            // Connections in the middle of something are of no use to a later window.
            self.links.iter_mut().for_each(|link| *link = None);
            self.free = (0..self.links.len()).collect();
        }
        done.map_err(|(stage, trouble)| {
            let Tally { done, wanted, .. } = self.tally;
            let message = format!("{}: {trouble} (after {done} of {wanted} responses)", stage.doing());
            JobError::failed(tlstax_spec::Stage::Run, message)
        })
    }

    fn drive(&mut self) -> Result<(), (Stage, Trouble)> {
        let mut moved = monotonic();
        loop {
            let until = self.dispatch()?;
            if self.tally.done == self.tally.wanted && self.tally.closing == 0 {
                return Ok(());
            }
            let longest = if self.tools.ends == Ends::WithUs { self.patience } else { GRACE };
            let timeout = until.map_or(longest, |until| until.since(monotonic()).min(longest));
            let mut happened = std::mem::take(&mut self.happened);
            happened.clear();
            let waited = self.waiting.wait(&mut self.tools.poll, timeout, &mut happened);
            self.parts.leave_out(waited.map_err(|error| (Stage::Busy, error.into()))?);
            let now = monotonic();
            if !happened.is_empty() || self.is_resting() {
                moved = now;
            } else if now.since(moved) >= self.patience {
                let seconds = self.patience.0 / 1_000_000_000;
                return Err((self.laggard(), Trouble::Stalled(seconds)));
            } else if self.tools.ends != Ends::WithUs && now.since(moved) >= GRACE {
                self.end_ourselves()?;
            }
            for &(token, events) in &happened {
                // With the other end's last byte there, whoever has read everything is at the end.
                self.hear(token, events.contains(EventFlags::RDHUP))?;
            }
            self.happened = happened;
        }
    }

    /// Gives up waiting for the server to end connections, and looks at what there is on those that wait for it.
    fn end_ourselves(&mut self) -> Result<(), (Stage, Trouble)> {
        self.tools.ends = Ends::WithUs;
        for place in 0..self.links.len() {
            self.go_on(place, false)?;
        }
        Ok(())
    }

    /// Whether no response is waited for.
    fn is_resting(&self) -> bool {
        self.free.len() == self.links.len()
    }

    /// What the first of those connections is doing that are not idle.
    fn laggard(&self) -> Stage {
        let stages = self.links.iter().flatten().map(|link| link.stage);
        stages.into_iter().find(|stage| *stage != Stage::Idle).unwrap_or(Stage::Busy)
    }

    /// Begins the requests that are due, as far as there are free connections. If the next one is due later, the time.
    fn dispatch(&mut self) -> Result<Option<Nanos>, (Stage, Trouble)> {
        while self.tally.begun < self.tally.wanted {
            let Some(&place) = self.free.front() else { return Ok(None) };
            let due = self.pace.due(self.tally.begun);
            if let Some(due) = due
                && monotonic() < due
            {
                return Ok(Some(due));
            }
            match &mut self.links[place] {
                Some(link) => {
                    link.begin(&mut self.tools, due).map_err(|trouble| (link.stage, trouble))?;
                }
                None => {
                    if let Some(until) = self.open(place, due).map_err(|trouble| (Stage::Opening, trouble))? {
                        return Ok(Some(until));
                    }
                }
            }
            self.free.pop_front();
            self.tally.begun += 1;
        }
        Ok(None)
    }

    /// Opens a connection; or says until when to wait, where there are too many.
    fn open(&mut self, place: usize, due: Option<Nanos>) -> Result<Option<Nanos>, Trouble> {
        let now = monotonic();
        match self.ceiling.take(now) {
            Err(until) if self.may_wait => return Ok(Some(until)),
            Err(_) => return Err(Trouble::Ceiling(self.ceiling.per_second)),
            Ok(()) => {}
        }
        if let Some(client) = &self.tools.client {
            client.sessions.offer(self.mix.next());
        }
        self.uses[place] = self.uses[place].wrapping_add(1);
        let token = (u64::from(self.uses[place]) << 32) | place as u64;
        let most = self.stagger.requests();
        self.links[place] = Some(Connection::open(&mut self.tools, token, due.unwrap_or(now), most)?);
        Ok(None)
    }

    fn hear(&mut self, token: u64, ended: bool) -> Result<(), (Stage, Trouble)> {
        let (place, uses) = ((token & u64::from(u32::MAX)) as usize, (token >> 32) as u32);
        if self.uses[place] == uses { self.go_on(place, ended) } else { Ok(()) }
    }

    /// Goes on with a connection until it would block.
    fn go_on(&mut self, place: usize, ended: bool) -> Result<(), (Stage, Trouble)> {
        let Some(link) = &mut self.links[place] else { return Ok(()) };
        link.wake(ended);
        while let Some(link) = &mut self.links[place] {
            let progress = link.pursue(&mut self.tools);
            let stage = link.stage;
            let begun = link.begun;
            if let Some(negotiated) = self.tools.shaken.take() {
                self.note(negotiated).map_err(|trouble| (Stage::Opening, trouble))?;
            }
            match progress.map_err(|trouble| (stage, trouble))? {
                Progress::Blocked => return Ok(()),
                Progress::Answered(body) => {
                    self.answered(begun, body);
                    if stage == Stage::Idle {
                        self.free.push_back(place);
                        break;
                    }
                    self.tally.closing += 1;
                    if let Some(link) = &mut self.links[place] {
                        link.part(&mut self.tools).map_err(|trouble| (stage, trouble))?;
                    }
                }
                Progress::Closed => {
                    if let Some(link) = self.links[place].take() {
                        link.leave(&mut self.tools);
                    }
                    self.tally.closing -= 1;
                    self.free.push_back(place);
                }
            }
        }
        self.dispatch().map(drop)
    }

    fn answered(&mut self, begun: Nanos, body: u64) {
        self.tally.done += 1;
        self.tally.bytes += self.tools.plan.bytes(body);
        self.latencies.note(begun);
        self.parts.answered();
    }

    /// Counts a handshake, which must have negotiated the same as those before it.
    fn note(&mut self, negotiated: Negotiated) -> Result<(), Trouble> {
        self.tally.handshakes += 1;
        self.tally.resumed += u64::from(negotiated.resumed);
        self.tally.early += u64::from(negotiated.early);
        let first = self.tally.negotiated.get_or_insert_with(|| negotiated.clone());
        // A resumed handshake of TLS 1.2 has no group.
        let group = first.group.or(negotiated.group);
        let alike = (first.version, first.suite, group)
            == (negotiated.version, negotiated.suite, negotiated.group.or(group));
        if !alike {
            let message = format!("one handshake negotiated {negotiated:?}, those before {first:?}");
            return Err(std::io::Error::new(std::io::ErrorKind::InvalidData, message).into());
        }
        first.group = group;
        Ok(())
    }
}
