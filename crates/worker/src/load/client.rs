//! The client's end: one thread that keeps so many connections busy, each with one request at a time.

use std::io;
use std::sync::Arc;

use tlstax_measure::clock::{monotonic, thread_usage};
use tlstax_spec::{
    Bytes, Direction, Key, Nanos, Parts, Proof, RESPONSE_HEADERS, Resumption, Sample, Side, UPLOAD,
};

use super::http::invalid;
use super::link::{Link, Stage, Wanted};
use super::message::Message;
use super::socket::{CHANGES, connect};
use crate::adapter::{Adapter, Config, Negotiated, Order};
use crate::cpu::used;
use crate::job::{Batch, Job, JobError, Prepared};
use crate::latencies::Latencies;
use crate::load_parts::LoadParts;
use crate::poll::Poll;
use crate::stagger::Stagger;

/// Without any change on any connection for so long, the load is stuck.
const STALL: Nanos = Nanos::from_millis(5_000);

/// A client and its connections, which stay open between batches where the case keeps them alive.
pub(crate) struct ClientJob {
    port: u16,
    config: Arc<dyn Config>,
    /// The bytes of the case's body, which are in the request or in the response.
    body: u64,
    wanted: Wanted,
    stagger: Stagger,
    request: Message,
    last_request: Message,
    poll: Poll,
    links: Vec<Option<Link>>,
    buffer: Vec<u8>,
    /// What the first of the handshakes that have to be alike negotiated.
    negotiated: Negotiated,
    /// The certificate's key, as the latest full handshake showed it.
    key: Option<Key>,
    tally: Tally,
    latencies: Latencies,
    parts: LoadParts,
}

impl ClientJob {
    /// Configures the client, gets the sessions that will be resumed, and makes one request on each connection.
    pub(crate) fn prepare(adapter: &dyn Adapter, order: &Order<'_>) -> Result<Prepared<'static>, JobError> {
        let Order { load, port, pki, .. } = *order;
        refuse(order)?;
        if load.connections == 0 {
            let message = "a load needs at least one connection";
            return Err(JobError::failed(tlstax_spec::Stage::Prepare, message));
        }
        let config = super::config(adapter, Side::Client, load, pki)?;
        let mut job = Self {
            port,
            config,
            body: u64::from(load.body),
            wanted: Wanted {
                direction: load.direction,
                body: (load.direction == Direction::Download).then_some(load.body.into()),
                padding: load.response_headers,
            },
            stagger: Stagger::new(load.requests_per_connection, load.connections),
            request: Message::request(load, false),
            last_request: Message::request(load, true),
            poll: Poll::new().map_err(|error| JobError::io(tlstax_spec::Stage::Prepare, "epoll", &error))?,
            links: (0..load.connections).map(|_| None).collect(),
            buffer: vec![0; 64 * 1024],
            negotiated: Negotiated::default(),
            key: None,
            tally: Tally::default(),
            latencies: Latencies::default(),
            parts: LoadParts::default(),
        };
        if load.params.is_some() && load.resumption != Resumption::Full {
            job.prime()?;
        }
        let (_, proof) = job.run(Batch::whole(load.connections.into(), 0))?;
        Ok(Prepared { job: Box::new(job), proof, port: None })
    }

    /// Makes a full handshake on every connection, and closes it: as many sessions as there are connections. From then on
    /// each connection takes a session when it is made and leaves one before it ends.
    fn prime(&mut self) -> Result<(), JobError> {
        let stagger = std::mem::replace(&mut self.stagger, Stagger::new(1, 0));
        let primed = self.load(self.links.len() as u64);
        self.stagger = stagger;
        // A resumed handshake of TLS 1.2 negotiates less.
        self.negotiated = Negotiated::default();
        primed
    }

    /// Makes so many requests, and waits for every response and for every close that follows one.
    fn load(&mut self, wanted: u64) -> Result<(), JobError> {
        self.tally = Tally { wanted, ..Tally::default() };
        let done = self.drive();
        if done.is_err() {
            // Connections in the middle of something are of no use to a later batch.
            self.links.iter_mut().for_each(|link| *link = None);
        }
        done.map_err(|(doing, error)| {
            let Tally { done, wanted, .. } = self.tally;
            let message = format!("{doing}: {error} (after {done} of {wanted} responses)");
            JobError::failed(tlstax_spec::Stage::Run, message)
        })
    }

    fn drive(&mut self) -> Result<(), Trouble> {
        // No connection hears of a session before all have taken theirs.
        for place in 0..self.links.len() {
            self.occupy(place)?;
        }
        for place in 0..self.links.len() {
            self.pursue(place)?;
        }
        let mut tokens = Vec::new();
        let mut moved = monotonic();
        while self.tally.done < self.tally.wanted || self.tally.closing > 0 {
            let events = self.poll.wait(Some(STALL)).map_err(|error| ("waiting", error))?;
            tokens.clear();
            tokens.extend(events.map(|(place, _)| place as usize));
            let now = monotonic();
            if !tokens.is_empty() {
                moved = now;
            } else if now.since(moved) >= STALL {
                let error = io::Error::new(io::ErrorKind::TimedOut, "no connection moved for 5 s");
                return Err(("waiting", error));
            }
            for &place in &tokens {
                self.pursue(place)?;
            }
        }
        Ok(())
    }

    /// Gives a place that has nothing to do the next request, if there is one, and a connection if it has none.
    fn occupy(&mut self, place: usize) -> Result<(), Trouble> {
        match &mut self.links[place] {
            Some(link) if link.stage == Stage::Idle && self.tally.begin() => link.begin(),
            None if self.tally.begin() => {
                self.links[place] = Some(self.open(place).map_err(|error| ("connecting", error))?);
            }
            _ => {}
        }
        Ok(())
    }

    /// Goes on with a connection until it would block or there is nothing more to ask.
    fn pursue(&mut self, place: usize) -> Result<(), Trouble> {
        loop {
            self.occupy(place)?;
            let Some(mut link) = self.links[place].take_if(|link| link.stage != Stage::Idle) else {
                return Ok(());
            };
            let advanced = self.advance(&mut link);
            let doing = link.stage.doing();
            match advanced {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    self.links[place] = Some(link);
                    return Ok(());
                }
                Err(error) => return Err((doing, error)),
                Ok(Progress::Answered) => {
                    self.tally.done += 1;
                    self.latencies.note(link.begun);
                    self.parts.answered();
                    self.tally.closing += usize::from(link.stage == Stage::Closing);
                    self.links[place] = Some(link);
                }
                Ok(Progress::Closed) => self.tally.closing -= 1,
            }
        }
    }

    fn open(&mut self, place: usize) -> io::Result<Link> {
        let begun = monotonic();
        let socket = connect(self.port)?;
        self.poll.watch(&socket, place as u64, CHANGES)?;
        let connection = self.config.connect(Box::new(socket.clone()))?;
        Ok(Link::new(connection, socket, begun, self.stagger.requests()))
    }

    /// Goes on until a response is complete or the connection is closed; or it would block, which is an error.
    fn advance(&mut self, link: &mut Link) -> io::Result<Progress> {
        loop {
            link.stage = match link.stage {
                Stage::Handshake => {
                    link.connection.handshake()?;
                    self.note_handshake(link.connection.negotiated())?;
                    Stage::Request
                }
                Stage::Request => {
                    let request = if link.is_last() { &self.last_request } else { &self.request };
                    request.send(&mut *link.connection, &link.socket, &mut link.sent)?;
                    Stage::Head
                }
                Stage::Head => match link.head(&mut self.buffer, &self.wanted)? {
                    Some(left) => Stage::Body { left },
                    None => Stage::Head,
                },
                Stage::Body { left: 0 } => {
                    link.stage = if link.is_last() { Stage::Closing } else { Stage::Idle };
                    return Ok(Progress::Answered);
                }
                Stage::Body { left } => {
                    let read = link.read(&mut self.buffer)?;
                    let left =
                        left.checked_sub(read).ok_or_else(|| invalid("more bytes than the response has"))?;
                    Stage::Body { left }
                }
                Stage::Closing => match link.connection.read(&mut self.buffer)? {
                    0 => return Ok(Progress::Closed),
                    _ => return Err(invalid("more bytes than the response has")),
                },
                Stage::Idle => unreachable!("an idle connection is given a request first"),
            };
        }
    }

    /// Counts a handshake, which must have negotiated the same as those before it.
    fn note_handshake(&mut self, negotiated: Negotiated) -> io::Result<()> {
        if negotiated == Negotiated::default() {
            // Plain HTTP.
            return Ok(());
        }
        let first = &self.negotiated;
        let alike = (first.version, first.suite, first.group)
            == (negotiated.version, negotiated.suite, negotiated.group);
        if first.version.is_some() && !alike {
            return Err(invalid(&format!("one handshake negotiated {negotiated:?}, those before {first:?}")));
        }
        self.tally.handshakes += 1;
        self.tally.resumed += u64::from(negotiated.resumed);
        self.tally.early += u64::from(negotiated.early);
        self.key = negotiated.key.or(self.key);
        self.negotiated = negotiated;
        Ok(())
    }

    fn proof(&self) -> Proof {
        let Negotiated { version, suite, group, .. } = self.negotiated;
        let Tally { handshakes, resumed, early, .. } = self.tally;
        Proof { version, suite, group, key: self.key, handshakes, resumed, early, ..Proof::default() }
    }
}

/// Refuses what this client does not do.
fn refuse(order: &Order<'_>) -> Result<(), JobError> {
    let mut demands = order.load.demands();
    demands.retain(|demand| ![RESPONSE_HEADERS, UPLOAD].contains(demand));
    demands.extend((order.threads != 1).then_some("threads"));
    demands.extend(order.target.map(|_| "target"));
    match demands.as_slice() {
        [] => Ok(()),
        demands => Err(JobError::Unsupported(format!(
            "this client loads and sends files over HTTP/1.1 in a closed loop, in one thread and with tlstax's own servers; the \
             case wants {}: the client lean, or curl for forms",
            demands.join(", ")
        ))),
    }
}

impl Job for ClientJob {
    fn run(&mut self, batch: Batch) -> Result<(Sample, Proof), JobError> {
        let iterations = batch.iterations;
        self.load(batch.warmup)?;
        self.latencies.reset();
        let (cpu, start) = (thread_usage(), monotonic());
        self.parts.begin(batch.part);
        let done = self.load(iterations);
        let parts = Parts { client: self.parts.end(), ..Parts::default() };
        let (wall, cpu) = (monotonic().since(start), used(cpu, thread_usage()));
        done?;
        let (bytes, latency) = (Bytes(iterations * self.body), Some(Latencies::encode([&self.latencies])?));
        let client = Some(cpu);
        let sample = Sample { iterations, wall, cpu, bytes, client, latency, parts, ..Sample::default() };
        Ok((sample, self.proof()))
    }
}

/// What one batch is to do and has done.
#[derive(Default)]
struct Tally {
    wanted: u64,
    begun: u64,
    done: u64,
    /// Connections that wait for the server to close them.
    closing: usize,
    handshakes: u64,
    resumed: u64,
    early: u64,
}

impl Tally {
    /// Takes the next request on; whether there is one.
    fn begin(&mut self) -> bool {
        let left = self.begun < self.wanted;
        self.begun += u64::from(left);
        left
    }
}

/// What a connection was doing, and what went wrong.
type Trouble = (&'static str, io::Error);

/// How far a connection came before it would have blocked.
enum Progress {
    Answered,
    Closed,
}
