//! What a connection sends.

use tlstax_spec::{Http, Resumption};

use super::{Connection, Ends, Exchange, Layer, Stage, Tools, Trouble};
use crate::socket::Interest;
use crate::tls::{Content, Step};

/// The most plaintext in a record: RFC 8446 5.1.
const RECORD: usize = 16 * 1024;

/// As much of an upload as is encrypted and sent at once.
const PIECE: usize = 4 * RECORD;

/// Less than any window that a connection begins with, so that the server can send all of it and close.
const SMALL_RESPONSE: u64 = 32 * 1024;

/// Level warning, close_notify: RFC 8446 6.1.
const CLOSE_NOTIFY: [u8; 2] = [1, 0];

impl Connection {
    /// The first flight: the hello, or the request where there is no TLS.
    pub(super) fn greet(&mut self, tools: &mut Tools) -> Result<(), Trouble> {
        tools.out.clear();
        if let Layer::Plain = self.layer {
            return self.request(tools);
        }
        self.shake(&mut [], tools)?;
        self.send(tools)
    }

    /// Goes on with the handshake, and appends what is to be sent; how many bytes are done with.
    pub(super) fn shake(&mut self, incoming: &mut [u8], tools: &mut Tools) -> Result<(usize, Step), Trouble> {
        let Layer::Shaking(handshake) = &mut self.layer else { return Ok((0, Step::Done)) };
        let plan = &tools.plan;
        let request = plan.http1.of(self.most == 1);
        let early = (plan.load.resumption == Resumption::EarlyData && plan.load.http == Http::Http1)
            .then_some(request);
        tools.plain.clear();
        Ok(handshake.step(incoming, early, &mut tools.out, &mut tools.plain)?)
    }

    /// Appends the next request to what is to be sent, and sends it.
    pub(super) fn request(&mut self, tools: &mut Tools) -> Result<(), Trouble> {
        self.requests += 1;
        self.stage = Stage::Busy;
        self.upload = tools.plan.upload;
        let is_last = self.is_last();
        match &mut self.exchange {
            Exchange::Http1(_) => {
                self.layer.seal(tools.plan.http1.of(is_last), &mut tools.out)?;
            }
            Exchange::Http2(session) => {
                tools.plain.clear();
                session.request(&tools.plan.http2, &mut tools.plain);
                self.layer.seal(&tools.plain, &mut tools.out)?;
            }
        }
        self.send(tools)?;
        self.await_end(tools)?;
        self.pump(tools)
    }

    /// The request went with the handshake.
    pub(super) fn requested_early(&mut self) {
        self.requests += 1;
        self.stage = Stage::Busy;
    }

    /// Sends what waits to be sent, as far as there is room.
    pub(super) fn flush(&mut self, tools: &mut Tools) -> Result<(), Trouble> {
        if !self.unsent.is_empty() {
            let sent = self.socket.send(&self.unsent)?.unwrap_or(0);
            self.unsent.drain(..sent);
        }
        self.pump(tools)
    }

    /// Sends the body of an upload, as far as there is room.
    pub(super) fn pump(&mut self, tools: &mut Tools) -> Result<(), Trouble> {
        while self.unsent.is_empty() && self.stage == Stage::Busy {
            tools.out.clear();
            match &mut self.exchange {
                Exchange::Http1(_) if self.upload == 0 => break,
                Exchange::Http1(_) => {
                    // At most the length of a piece.
                    let piece = self.upload.min(PIECE as u64) as usize;
                    self.layer.seal(&tools.zeros[..piece], &mut tools.out)?;
                    self.upload -= piece as u64;
                }
                Exchange::Http2(session) => {
                    tools.plain.clear();
                    session.data(&mut self.upload, &tools.zeros, &mut tools.plain);
                    if tools.plain.is_empty() {
                        break;
                    }
                    self.layer.seal(&tools.plain, &mut tools.out)?;
                }
            }
            self.send(tools)?;
        }
        Ok(())
    }

    /// Sends what is in `out`; what there is no room for is kept.
    pub(super) fn send(&mut self, tools: &mut Tools) -> Result<(), Trouble> {
        if tools.out.is_empty() {
            return Ok(());
        }
        let sent = if self.unsent.is_empty() { self.socket.send(&tools.out)?.unwrap_or(0) } else { 0 };
        if sent < tools.out.len() {
            self.unsent.extend_from_slice(&tools.out[sent..]);
            self.watch(Interest::DataAndRoom, tools)?;
        }
        tools.out.clear();
        Ok(())
    }

    /// Wants to be woken for this from now on.
    fn watch(&mut self, interest: Interest, tools: &Tools) -> Result<(), Trouble> {
        if self.is_watched && self.interest != interest {
            tools.poll.watch_for(&self.socket.0, self.token, interest.events())?;
        }
        self.interest = interest;
        Ok(())
    }

    /// Where the last response will be small, and the server closes behind it, sleeps until it has done so: to be woken
    /// for the tickets, the response, the close_notify and the end, each by itself, takes more time than to read them.
    fn await_end(&mut self, tools: &Tools) -> Result<(), Trouble> {
        let plan = &tools.plan;
        let ends_itself = self.layer.is_plain() || tools.ends == Ends::AtOnce;
        let is_small = plan.upload == 0 && plan.download.is_some_and(|body| body <= SMALL_RESPONSE);
        let is_sent = self.unsent.is_empty() && self.interest == Interest::Data;
        if is_small && ends_itself && is_sent && self.is_last() && plan.load.http == Http::Http1 {
            self.watch(Interest::End, tools)?;
        }
        Ok(())
    }

    /// Asks the server to close, where that is not in the request: HTTP/2 has no header for it.
    pub(crate) fn part(&mut self, tools: &mut Tools) -> Result<(), Trouble> {
        let Exchange::Http2(session) = &mut self.exchange else { return Ok(()) };
        tools.plain.clear();
        tools.out.clear();
        session.part(&mut tools.plain);
        self.layer.seal(&tools.plain, &mut tools.out)?;
        self.layer.seal_close_notify(&mut tools.out)?;
        self.send(tools)?;
        Ok(self.socket.end()?)
    }

    /// Says good-bye to a server that has closed, as a full client does, and goes.
    pub(crate) fn leave(mut self, tools: &mut Tools) {
        tools.out.clear();
        let is_said = matches!(self.exchange, Exchange::Http2(_));
        if !is_said && self.layer.seal_close_notify(&mut tools.out).is_ok() && !tools.out.is_empty() {
            // The server may be gone already: then nobody is left to hear it.
            let _ = self.socket.send(&tools.out);
        }
        tools.out.clear();
    }
}

impl Layer {
    pub(super) fn seal(&mut self, plaintext: &[u8], out: &mut Vec<u8>) -> Result<(), Trouble> {
        match self {
            Self::Plain => out.extend_from_slice(plaintext),
            Self::Records(records) => {
                for piece in plaintext.chunks(RECORD) {
                    records.sealer.seal(Content::ApplicationData, piece, out)?;
                }
            }
            // Nothing is requested before the handshake is complete.
            Self::Shaking(_) => {}
        }
        Ok(())
    }

    fn seal_close_notify(&mut self, out: &mut Vec<u8>) -> Result<(), Trouble> {
        if let Self::Records(records) = self {
            records.sealer.seal(Content::Alert, &CLOSE_NOTIFY, out)?;
        }
        Ok(())
    }

    pub(super) const fn is_plain(&self) -> bool {
        matches!(self, Self::Plain)
    }
}
