//! What a connection receives.

use std::mem;

use tlstax_spec::Http;

use super::{Connection, Ends, Exchange, Layer, Progress, Records, Stage, Tools, Trouble};
use crate::http1::BadResponse;
use crate::tls::{Content, HEADER, Handshake, Header, LONGEST, Shaken, Step, take_tickets};

/// A response is large if it takes more than a few records; then only its first is read on purpose.
const LARGE_RESPONSE: u64 = 64 * 1024;

/// As much as is read to get the first record of a large response.
const FIRST: usize = LONGEST - 2048 + 256;

/// It does not pay to sleep through less than this.
const NAP: u64 = 96 * 1024;

/// A quarter of a megabyte: the server must not run out of window meanwhile.
const LONGEST_NAP: u64 = 256 * 1024;

/// Shorter records are copied along rather than discarded one by one.
const LARGE_RECORD: usize = 4096;

/// close_notify: RFC 8446 6.1.
const CLOSE_NOTIFY: u8 = 0;

impl Connection {
    /// Something happened; whether the stream's end has come too.
    pub(crate) fn wake(&mut self, ended: bool) {
        self.seen.drained = false;
        self.seen.end |= ended;
    }

    /// Goes on until a response is complete, or the connection is closed, or it would block.
    pub(crate) fn pursue(&mut self, tools: &mut Tools) -> Result<Progress, Trouble> {
        if !self.unsent.is_empty() {
            self.flush(tools)?;
        }
        loop {
            if self.seen.answered && self.skip == 0 {
                return self.answer(tools);
            }
            if self.seen.drained {
                if self.seen.end {
                    // What stands behind everything that was there is the end.
                    self.end()?;
                    if self.seen.close_notify && tools.ends == Ends::Unknown {
                        tools.ends = Ends::AtOnce;
                    }
                    return Ok(Progress::Closed);
                }
                let is_over = self.stage == Stage::Closing && self.seen.close_notify;
                if is_over && tools.ends == Ends::WithUs {
                    return Ok(Progress::Closed);
                }
                self.set_wake()?;
                return Ok(Progress::Blocked);
            }
            if self.skip > 0 {
                self.skip(tools)?;
                continue;
            }
            let mut buffer = mem::take(&mut tools.buffer);
            let received = self.receive(&mut buffer, tools);
            tools.buffer = buffer;
            received?;
        }
    }

    /// Sleeps through much of what will be thrown away.
    pub(super) fn set_wake(&mut self) -> Result<(), Trouble> {
        // What is unread is on its way with something more, so as much will come.
        let coming = self.skip + self.unread();
        let bytes = if coming < NAP { 1 } else { coming.min(LONGEST_NAP) };
        // At most the longest nap.
        let bytes = bytes as usize;
        if bytes != self.wakes_at {
            self.socket.wake_at(bytes)?;
            self.wakes_at = bytes;
        }
        Ok(())
    }

    fn receive(&mut self, buffer: &mut [u8], tools: &mut Tools) -> Result<(), Trouble> {
        let kept = self.backlog.len();
        let room = self.appetite(tools).min(buffer.len() - kept);
        match self.socket.receive(&mut buffer[kept..kept + room])? {
            None => self.seen.drained = true,
            Some(0) => self.end()?,
            Some(length) => {
                self.seen.drained = length < room;
                buffer[..kept].copy_from_slice(&self.backlog);
                self.backlog.clear();
                self.digest(&mut buffer[..kept + length], tools)?;
            }
        }
        Ok(())
    }

    /// How much is read at once: what is not read need not be copied.
    fn appetite(&self, tools: &Tools) -> usize {
        let is_large = tools.plan.download.is_none_or(|body| body > LARGE_RESPONSE);
        if self.unread() > 0 && self.record >= LARGE_RECORD {
            HEADER - self.backlog.len()
        } else if is_large && matches!(self.exchange, Exchange::Http1(_)) {
            FIRST.saturating_sub(self.backlog.len()).max(HEADER)
        } else {
            usize::MAX
        }
    }

    fn skip(&mut self, tools: &mut Tools) -> Result<(), Trouble> {
        let room = tools.zeros.len();
        let room = usize::try_from(self.skip).map_or(room, |skip| skip.min(room));
        match self.socket.discard(&mut tools.zeros[..room])? {
            None => self.seen.drained = true,
            Some(0) => self.end()?,
            Some(length) => {
                self.seen.drained = length < room;
                self.skip -= length as u64;
            }
        }
        Ok(())
    }

    fn end(&mut self) -> Result<(), Trouble> {
        (self.seen.drained, self.seen.end) = (true, true);
        match self.stage {
            Stage::Closing if self.is_parted() => Ok(()),
            Stage::Closing if self.backlog.is_empty() => Err(Trouble::NoCloseNotify),
            _ => Err(Trouble::Early),
        }
    }

    /// Whether the server has said that it closes, or has no way to say it.
    fn is_parted(&self) -> bool {
        // Over HTTP/2 it is us who close; what the server says to that is its own affair.
        self.seen.close_notify || self.layer.is_plain() || matches!(self.exchange, Exchange::Http2(_))
    }

    fn digest(&mut self, bytes: &mut [u8], tools: &mut Tools) -> Result<(), Trouble> {
        if self.layer.is_plain() {
            return self.digest_plain(bytes, tools);
        }
        let mut used = 0;
        if let Layer::Shaking(_) = self.layer {
            tools.out.clear();
            let (taken, step) = self.shake(bytes, tools)?;
            if step == Step::Wait {
                self.backlog.extend_from_slice(&bytes[taken..]);
                return self.send(tools);
            }
            self.finish_handshake(tools)?;
            used = taken;
        }
        self.digest_records(&mut bytes[used..], tools)
    }

    /// Takes the secrets out of the handshake, and sends the request behind its last flight.
    fn finish_handshake(&mut self, tools: &mut Tools) -> Result<(), Trouble> {
        let Layer::Shaking(handshake) = mem::replace(&mut self.layer, Layer::Plain) else { return Ok(()) };
        let is_requested = handshake.took_request();
        let Shaken { opener, sealer, tickets, negotiated, http, is_parted } = Handshake::finish(*handshake)?;
        if http != tools.plan.load.http {
            return Err(Trouble::Alpn(Http::name(tools.plan.load.http)));
        }
        self.layer = Layer::Records(Box::new(Records { opener, sealer, tickets }));
        self.seen.close_notify = is_parted;
        tools.shaken = Some(negotiated);
        if !is_requested {
            return self.request(tools);
        }
        self.requested_early();
        let response = mem::take(&mut tools.plain);
        self.data(&response, tools)?;
        tools.plain = response;
        self.send(tools)
    }

    fn digest_plain(&mut self, bytes: &[u8], tools: &mut Tools) -> Result<(), Trouble> {
        self.data(bytes, tools)?;
        self.skip = self.unread();
        if let Exchange::Http1(response) = &mut self.exchange
            && self.skip > 0
        {
            response.discarded(self.skip)?;
            self.seen.answered = true;
        }
        Ok(())
    }

    fn digest_records(&mut self, bytes: &mut [u8], tools: &mut Tools) -> Result<(), Trouble> {
        let mut at = 0;
        loop {
            let rest = &mut bytes[at..];
            let unread = self.unread();
            let header = match Header::read(rest) {
                Ok(Some(header)) => header,
                Ok(None) => break,
                Err(error) => return Err(error.into()),
            };
            if unread > 0 {
                at += self.pass_over(header, rest.len(), unread)?;
            } else if rest.len() < header.whole() {
                break;
            } else {
                at += header.whole();
                self.record(header, &mut rest[..header.whole()], tools)?;
            }
        }
        self.backlog.extend_from_slice(&bytes[at..]);
        Ok(())
    }

    /// Counts a record of the body: its plaintext is as long as its header says, less the overhead. How many of the bytes
    /// at hand it is. Several are never passed over at once: proxies cut records as data come to them, and do so for a long
    /// time evenly before they do not.
    fn pass_over(&mut self, header: Header, at_hand: usize, unread: u64) -> Result<usize, Trouble> {
        let (Layer::Records(records), Exchange::Http1(response)) = (&mut self.layer, &mut self.exchange)
        else {
            return Err(Trouble::LostCount);
        };
        if header.content == Content::Alert {
            // Whatever it says, the body ends with it. In TLS 1.3 it looks like data, and the stream ends behind it.
            return Err(Trouble::Early);
        }
        let overhead = records.opener.form().overhead();
        let plaintext = header.length.checked_sub(overhead).filter(|plaintext| *plaintext as u64 <= unread);
        let plaintext = plaintext.filter(|_| header.content == Content::ApplicationData);
        self.record = plaintext.ok_or(Trouble::LostCount)?;
        records.opener.pass();
        response.discarded(self.record as u64)?;
        self.seen.answered = response.unread() == 0;
        let taken = header.whole().min(at_hand);
        self.skip = (header.whole() - taken) as u64;
        Ok(taken)
    }

    fn record(&mut self, header: Header, record: &mut [u8], tools: &mut Tools) -> Result<(), Trouble> {
        let Layer::Records(records) = &mut self.layer else { return Ok(()) };
        let opened = records.opener.open(header, record)?;
        let plaintext = &record[opened.plaintext];
        match opened.content {
            Some(Content::ApplicationData) => self.data(plaintext, tools),
            Some(Content::Handshake) => {
                self.seen.ticket = true;
                Ok(take_tickets(records.tickets.as_deref_mut(), plaintext)?)
            }
            Some(Content::Alert) => match plaintext {
                [_, CLOSE_NOTIFY] => {
                    self.seen.close_notify = true;
                    Ok(())
                }
                [_, alert] => Err(Trouble::Alert(*alert)),
                _ => Err(Trouble::Misplaced(Content::Alert.into())),
            },
            other => Err(Trouble::Misplaced(other.map_or(0, u8::from))),
        }
    }

    fn data(&mut self, bytes: &[u8], tools: &mut Tools) -> Result<(), Trouble> {
        match &mut self.exchange {
            Exchange::Http1(_) if bytes.is_empty() => {}
            Exchange::Http1(_) if self.stage != Stage::Busy || self.seen.answered => {
                return Err(BadResponse::Surplus.into());
            }
            Exchange::Http1(response) => self.seen.answered = response.feed(bytes, &mut tools.heads)?,
            Exchange::Http2(session) => {
                tools.plain.clear();
                self.seen.answered |= session.feed(bytes, &mut tools.plain)?;
                let answer = mem::take(&mut tools.plain);
                if !answer.is_empty() && self.stage != Stage::Closing {
                    self.layer.seal(&answer, &mut tools.out)?;
                    self.send(tools)?;
                }
                tools.plain = answer;
                self.pump(tools)?;
            }
        }
        Ok(())
    }

    fn answer(&mut self, tools: &mut Tools) -> Result<Progress, Trouble> {
        self.seen.answered = false;
        if self.upload > 0 || !self.unsent.is_empty() {
            return Err(Trouble::Hasty);
        }
        let (body, closes) = match &mut self.exchange {
            Exchange::Http1(response) => response.finish(),
            Exchange::Http2(session) => {
                session.finish(tools.plan.download, tools.plan.load.response_headers)?
            }
        };
        self.stage = match (self.is_last(), closes) {
            (true, _) => Stage::Closing,
            // One that ends every connection after the first request does not keep any.
            (false, true) if tools.plan.renews && self.requests > 1 => Stage::Closing,
            (false, true) => return Err(Trouble::NotKept(self.requests)),
            (false, false) => Stage::Idle,
        };
        if let (Stage::Idle, true, Layer::Records(records)) = (self.stage, self.seen.ticket, &mut self.layer)
        {
            // Others came with the first; a connection that is kept for long keeps little.
            records.tickets = None;
        }
        Ok(Progress::Answered(body))
    }

    /// Bytes of the body that are only counted.
    fn unread(&self) -> u64 {
        match &self.exchange {
            Exchange::Http1(response) => response.unread(),
            Exchange::Http2(_) => 0,
        }
    }
}
