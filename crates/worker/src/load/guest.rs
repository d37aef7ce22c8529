//! [`Guest`]: one of the server's connections, and what it is doing.

use std::io;

use super::http::{self, Takes};
use super::socket::Socket;
use crate::adapter::Connection;

pub(super) struct Guest {
    pub(super) connection: Box<dyn Connection>,
    pub(super) socket: Socket,
    pub(super) stage: Stage,
    /// How much of the response the library has taken.
    pub(super) sent: u64,
    /// What has come of the next request.
    head: Vec<u8>,
    /// Bytes of the body of the request that have not come yet.
    left: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    Handshake,
    Request,
    /// Tells a client to go on with the body that it holds back; the answer comes after it.
    Welcome(Reply),
    /// Reads the body of a request, which downloads have none of, before the answer.
    Body(Reply),
    Response(Reply),
    Close,
}

/// What a request is answered with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reply {
    Normal,
    Last,
    Refusal,
}

impl Guest {
    pub(super) fn new(connection: Box<dyn Connection>, socket: Socket) -> Self {
        Self { connection, socket, stage: Stage::Handshake, sent: 0, head: Vec::new(), left: 0 }
    }

    /// Reads the head of the next request, and chooses what comes after it; none if the client has closed the connection.
    pub(super) fn request(&mut self, takes: Takes, buffer: &mut [u8]) -> io::Result<Option<Stage>> {
        loop {
            if !self.head.is_empty() {
                match http::parse_request(&self.head, takes) {
                    Ok(Some(head)) => {
                        self.head.drain(..head.length);
                        self.left = head.body;
                        let reply = if head.last { Reply::Last } else { Reply::Normal };
                        let waits = head.waits && self.head.is_empty() && head.body > 0;
                        return Ok(Some(if waits { Stage::Welcome(reply) } else { Stage::Body(reply) }));
                    }
                    Ok(None) => {}
                    Err(_) => return Ok(Some(Stage::Response(Reply::Refusal))),
                }
            }
            match self.connection.read(buffer)? {
                0 => return Ok(None),
                read => self.head.extend_from_slice(&buffer[..read]),
            }
        }
    }

    /// Reads the rest of the body of the request, and forgets it.
    pub(super) fn swallow(&mut self, buffer: &mut [u8]) -> io::Result<()> {
        let come = usize::try_from(self.left).unwrap_or(usize::MAX).min(self.head.len());
        self.head.drain(..come);
        self.left -= come as u64;
        while self.left > 0 {
            let most = usize::try_from(self.left).unwrap_or(usize::MAX).min(buffer.len());
            match self.connection.read(&mut buffer[..most])? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                read => self.left -= read as u64,
            }
        }
        Ok(())
    }
}

/// The connections, each at a place that does not change while it lasts.
#[derive(Default)]
pub(super) struct Guests {
    places: Vec<Option<Guest>>,
    free: Vec<usize>,
}

impl Guests {
    pub(super) fn seat(&mut self, guest: Guest) -> usize {
        let place = self.free.pop().unwrap_or_else(|| {
            self.places.push(None);
            self.places.len() - 1
        });
        self.places[place] = Some(guest);
        place
    }

    pub(super) fn at(&mut self, place: usize) -> Option<&mut Guest> {
        self.places.get_mut(place)?.as_mut()
    }

    pub(super) fn leave(&mut self, place: usize) {
        self.places[place] = None;
        self.free.push(place);
    }
}
