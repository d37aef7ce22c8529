//! The server's end: one thread that accepts, shakes hands and answers, and counts what it does.

use std::hint::black_box;
use std::io;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use rustix::event::{EventfdFlags, eventfd};
use tlstax_measure::clock::{thread_cpu, thread_usage};
use tlstax_spec::wire::Usage;
use tlstax_spec::{Direction, Http, Load, Nanos, Page, Proof, Resumption, Sample, Side, Tuning};

use super::guest::{Guest, Guests, Reply, Stage};
use super::http::{self, Takes};
use super::message::Message;
use super::socket::{CHANGES, accept, listen};
use crate::adapter::{Adapter, Config, Connection};
use crate::descriptors::explained;
use crate::job::{Batch, Job, JobError, Prepared};
use crate::load_parts::LoadParts;
use crate::pki::Pki;
use crate::poll::{EventFlags, Poll};
use crate::threads::panicked;

/// A server that runs for as long as the job is kept.
pub(crate) struct ServerJob {
    commands: Sender<Command>,
    wake: Arc<OwnedFd>,
    thread: Option<JoinHandle<io::Result<()>>>,
    /// Why the thread has ended, once somebody has asked it in vain.
    ended: Option<JobError>,
}

enum Command {
    /// Say what you have used and counted, and from now on what each part of so many responses takes.
    Report(Sender<Usage>, u64),
    Stop,
}

impl ServerJob {
    /// Configures the server and lets it listen on a port of 127.0.0.1 that the system chooses.
    pub(crate) fn prepare(
        adapter: &dyn Adapter,
        load: &Load,
        pki: &Pki,
    ) -> Result<Prepared<'static>, JobError> {
        refuse(load)?;
        let config = super::config(adapter, Side::Server, load, pki)?;
        let failed =
            |error: io::Error| JobError::io(tlstax_spec::Stage::Prepare, "listening on 127.0.0.1", &error);
        let (listener, port) = listen().map_err(failed)?;
        let serving = Serving::new(config, listener, load);
        let job = Self::start(move |wake, commands| serving.run(wake, commands)).map_err(failed)?;
        Ok(Prepared { job: Box::new(job), proof: Proof::default(), port: Some(port) })
    }

    fn start(
        serve: impl FnOnce(&OwnedFd, &Receiver<Command>) -> io::Result<()> + Send + 'static,
    ) -> io::Result<Self> {
        let wake = Arc::new(eventfd(0, EventfdFlags::NONBLOCK | EventfdFlags::CLOEXEC).map_err(explained)?);
        let (commands, received) = channel();
        let thread = std::thread::Builder::new().name("load-server".to_owned()).spawn({
            let wake = Arc::clone(&wake);
            move || serve(&wake, &received)
        })?;
        Ok(Self { commands, wake, thread: Some(thread), ended: None })
    }

    /// Tells the thread something; whether it is still there to hear it.
    fn send(&self, command: Command) -> bool {
        // The write can fail only where 2^64 others have not been read.
        self.commands.send(command).is_ok() && rustix::io::write(&*self.wake, &1_u64.to_ne_bytes()).is_ok()
    }

    /// Why there is no answer, to be asked only when the thread no longer listens.
    fn reason(&mut self) -> JobError {
        let thread = self.thread.take();
        let reason = self.ended.get_or_insert_with(|| match thread.map(JoinHandle::join) {
            Some(Ok(Err(error))) => {
                JobError::io(tlstax_spec::Stage::Run, "the server's thread has ended", &error)
            }
            Some(Err(panic)) => panicked(&*panic),
            Some(Ok(Ok(()))) | None => {
                JobError::failed(tlstax_spec::Stage::Run, "the server's thread has ended")
            }
        });
        reason.clone()
    }
}

impl Job for ServerJob {
    fn run(&mut self, _: Batch) -> Result<(Sample, Proof), JobError> {
        let message = "the server's end of a load cannot be run: its client is";
        Err(JobError::failed(tlstax_spec::Stage::Run, message))
    }

    fn usage(&mut self, part: u64) -> Result<Usage, JobError> {
        let (reply, answer) = channel();
        let answer = self.send(Command::Report(reply, part)).then(|| answer.recv().ok()).flatten();
        answer.ok_or_else(|| self.reason())
    }
}

impl Drop for ServerJob {
    fn drop(&mut self) {
        // Where the thread has ended already there is nobody to be told, and the join says nothing new.
        self.send(Command::Stop);
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// Refuses what this server does not do; the clients' affairs are not its own.
fn refuse(load: &Load) -> Result<(), JobError> {
    let lacks = [
        (load.http != Http::Http1, "HTTP/2"),
        (load.page != Page::Static, "FastCGI; work_us is its dynamic page"),
        (load.tuning != Tuning::default(), "sendfile, buffers, workers or caches to be set"),
        (load.resumption == Resumption::EarlyData, "early data; `tlstax handshake` measures it"),
    ];
    match lacks.into_iter().find(|(is_wanted, _)| *is_wanted) {
        None => Ok(()),
        Some((_, what)) => Err(JobError::Unsupported(format!(
            "the embedded server of a load has no {what}; nginx, for one, has"
        ))),
    }
}

const LISTENER: usize = usize::MAX;
const WAKE: usize = usize::MAX - 1;

struct Serving {
    config: Arc<dyn Config>,
    listener: OwnedFd,
    takes: Takes,
    /// The bytes of the case's body, which are in the request or in the response.
    body: u32,
    /// What is done per request, and what it is answered with.
    work: Nanos,
    response: Message,
    last_response: Message,
    refusal: Message,
    welcome: Message,
    counted: Usage,
    parts: LoadParts,
}

impl Serving {
    fn new(config: Arc<dyn Config>, listener: OwnedFd, load: &Load) -> Self {
        let download = if load.direction == Direction::Download { load.body } else { 0 };
        let response = |last| Message::response(download, last, load.response_headers);
        Self {
            config,
            listener,
            takes: Takes::of(load),
            body: load.body,
            work: Nanos(u64::from(load.work_us) * 1000),
            response: response(false),
            last_response: response(true),
            refusal: Message::new(http::BAD_REQUEST.to_owned(), 0),
            welcome: Message::new(http::CONTINUE.to_owned(), 0),
            counted: Usage::default(),
            parts: LoadParts::default(),
        }
    }

    fn run(mut self, wake: &OwnedFd, commands: &Receiver<Command>) -> io::Result<()> {
        let mut poll = Poll::new()?;
        poll.watch(&self.listener, LISTENER as u64, EventFlags::IN)?;
        poll.watch(wake, WAKE as u64, EventFlags::IN)?;
        let mut guests = Guests::default();
        let mut buffer = vec![0; 64 * 1024];
        let mut tokens = Vec::new();
        let mut asked = false;
        loop {
            // Whoever asks wants the account of all that has happened before: first everything that is ready is done.
            let events = poll.wait(asked.then_some(Nanos(0)))?;
            tokens.clear();
            tokens.extend(events.map(|(token, _)| token as usize));
            if asked && tokens.is_empty() {
                asked = false;
                if !self.obey(commands) {
                    return Ok(());
                }
            }
            for &token in &tokens {
                match token {
                    LISTENER => self.accept(&poll, &mut guests, &mut buffer)?,
                    WAKE => {
                        asked = true;
                        rustix::io::read(wake, &mut [0; 8])?;
                    }
                    place => self.serve(place, &mut guests, &mut buffer),
                }
            }
        }
    }

    /// Does what was asked; whether to go on.
    fn obey(&mut self, commands: &Receiver<Command>) -> bool {
        for command in commands.try_iter() {
            match command {
                Command::Stop => return false,
                // Whoever asked and did not wait for the answer does not need it.
                Command::Report(reply, part) => {
                    drop(reply.send(self.usage()));
                    self.parts.begin(part);
                }
            }
        }
        true
    }

    fn usage(&mut self) -> Usage {
        let parts_ns = self.parts.end();
        let cpu = thread_usage();
        // No split means here that the kernel has charged neither part yet, for getrusage(2) of the own thread cannot
        // fail: the thread has seen no timer tick. 0 is then what the kernel says, and a window that begins with it
        // ascribes less than a tick too much to the parts.
        let (user_ns, system_ns) = (cpu.user.unwrap_or_default(), cpu.system.unwrap_or_default());
        Usage { cpu_ns: cpu.total, user_ns, system_ns, parts_ns, ..self.counted.clone() }
    }

    fn accept(&mut self, poll: &Poll, guests: &mut Guests, buffer: &mut [u8]) -> io::Result<()> {
        while let Some(socket) = accept(&self.listener)? {
            self.counted.connections += 1;
            // A connection that cannot be made is the client's to tell of: it sees the end of it.
            let Ok(connection) = self.config.connect(Box::new(socket.clone())) else { continue };
            let watched = socket.clone();
            let place = guests.seat(Guest::new(connection, socket));
            poll.watch(&watched, place as u64, CHANGES)?;
            self.serve(place, guests, buffer);
        }
        Ok(())
    }

    fn serve(&mut self, place: usize, guests: &mut Guests, buffer: &mut [u8]) {
        // A change of a connection that has gone since it was told.
        let Some(guest) = guests.at(place) else { return };
        match self.advance(guest, buffer) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            // Errors are told by the client, which sees the end of the connection and counts what it did not get.
            _ => guests.leave(place),
        }
    }

    /// Goes on until the connection would block, which is the error, or is done with.
    fn advance(&mut self, guest: &mut Guest, buffer: &mut [u8]) -> io::Result<()> {
        loop {
            guest.stage = match guest.stage {
                Stage::Handshake => {
                    guest.connection.handshake()?;
                    self.count_handshake(&*guest.connection);
                    Stage::Request
                }
                Stage::Request => match guest.request(self.takes, buffer)? {
                    Some(stage) => {
                        guest.sent = 0;
                        stage
                    }
                    None => return Ok(()),
                },
                Stage::Welcome(reply) => {
                    self.welcome.send(&mut *guest.connection, &guest.socket, &mut guest.sent)?;
                    guest.sent = 0;
                    Stage::Body(reply)
                }
                Stage::Body(reply) => {
                    guest.swallow(buffer)?;
                    burn(self.work);
                    Stage::Response(reply)
                }
                Stage::Response(reply) => {
                    let message = match reply {
                        Reply::Normal => &self.response,
                        Reply::Last => &self.last_response,
                        Reply::Refusal => &self.refusal,
                    };
                    message.send(&mut *guest.connection, &guest.socket, &mut guest.sent)?;
                    self.count_response(reply);
                    if reply == Reply::Normal { Stage::Request } else { Stage::Close }
                }
                // The socket is closed when it is dropped: the client sends nothing after its last request.
                Stage::Close => return guest.connection.close(),
            };
        }
    }

    fn count_handshake(&mut self, connection: &dyn Connection) {
        let negotiated = connection.negotiated();
        if negotiated.version.is_some() {
            self.counted.handshakes += 1;
            self.counted.resumed += u64::from(negotiated.resumed);
            self.counted.early += u64::from(negotiated.early);
            self.counted.version = negotiated.version;
            self.counted.suite = negotiated.suite;
            self.counted.group = negotiated.group.or(self.counted.group);
        }
    }

    fn count_response(&mut self, reply: Reply) {
        if reply != Reply::Refusal {
            self.counted.requests += 1;
            self.parts.answered();
            self.counted.bytes += u64::from(self.body);
        }
    }
}

/// Uses so much CPU time of this thread, as the application behind a dynamic page would; up to a microsecond more.
fn burn(work: Nanos) {
    if work.0 == 0 {
        return;
    }
    let end = thread_cpu() + work;
    while thread_cpu() < end {
        // Reading the clock is a system call of some 300 ns: most of the time should be the application's own.
        for step in 0..2000_u32 {
            black_box(step);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_reason_of_a_thread_that_has_ended_is_told_again_and_again() {
        let mut job = ServerJob::start(|_, _| Err(io::Error::other("no more room"))).unwrap();
        for _ in 0..2 {
            let error = job.usage(0).unwrap_err();
            let message = "the server's thread has ended: no more room";
            assert_eq!(error, JobError::failed(tlstax_spec::Stage::Run, message));
        }
        let mut job = ServerJob::start(|_, _| panic!("the library went mad")).unwrap();
        assert!(job.usage(0).unwrap_err().to_string().contains("the library went mad"));
    }
}
