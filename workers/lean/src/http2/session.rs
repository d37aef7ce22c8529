//! One connection's side of HTTP/2.

use super::frame::{self, BadFrame, Cut, Cutter, Head};
use super::hpack::{self, Requests};
use crate::http1::BadResponse;
use tlstax_spec::padding_value;

const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// What a window has before anybody changes it: RFC 9113, 6.9.2.
const FIRST_WINDOW: i64 = 65_535;

/// The largest window: 6.9.1.
const LARGEST_WINDOW: u32 = (1 << 31) - 1;

/// As much is received before the connection's window is filled up.
const HALF_WINDOW: u64 = 1 << 30;

const SETTINGS_INITIAL_WINDOW_SIZE: u16 = 4;

/// No dynamic table, no push, and as much data as there is.
const SETTINGS: [(u16, u32); 3] = [(1, 0), (2, 0), (SETTINGS_INITIAL_WINDOW_SIZE, LARGEST_WINDOW)];

/// As much of an upload as is written at once.
const PIECE: usize = 4 * frame::LONGEST;

/// The state of a connection, with one request at a time.
#[derive(Debug)]
pub(crate) struct Session {
    cutter: Cutter,
    /// The stream of the request on its way; 0 before the first.
    stream: u32,
    response: Response,
    /// Bytes received since the connection's window was filled up.
    received: u64,
    /// How much may be sent: on the connection, on this stream, on a new stream.
    window: i64,
    stream_window: i64,
    new_window: i64,
    /// Whether the server takes no more requests.
    closes: bool,
}

#[derive(Debug, Default)]
struct Response {
    status: Option<u16>,
    /// Bytes of its block of headers.
    block: usize,
    body: u64,
    is_complete: bool,
}

impl Default for Session {
    fn default() -> Self {
        Self {
            cutter: Cutter::default(),
            stream: 0,
            response: Response::default(),
            received: 0,
            window: FIRST_WINDOW,
            stream_window: FIRST_WINDOW,
            new_window: FIRST_WINDOW,
            closes: false,
        }
    }
}

impl Session {
    /// Writes the next request, and what goes before the first.
    pub(crate) fn request(&mut self, requests: &Requests, out: &mut Vec<u8>) {
        if self.stream == 0 {
            out.extend_from_slice(PREFACE);
            let settings = |(name, value): (u16, u32)| {
                name.to_be_bytes().into_iter().chain(value.to_be_bytes()).collect::<Vec<u8>>()
            };
            frame::write(frame::SETTINGS, 0, 0, &SETTINGS.map(settings).concat(), out);
            window_update(LARGEST_WINDOW - FIRST_WINDOW as u32, out);
        }
        if self.received >= HALF_WINDOW {
            self.fill_up(out);
        }
        // 1, 3, 5, ...; there are more of them than requests in any run.
        self.stream = if self.stream == 0 { 1 } else { self.stream + 2 };
        self.response = Response::default();
        self.stream_window = self.new_window;
        let end = if requests.has_body { 0 } else { frame::END_STREAM };
        frame::write(frame::HEADERS, frame::END_HEADERS | end, self.stream, &requests.block, out);
    }

    /// Writes as much of a body as the windows allow, up to a piece.
    pub(crate) fn data(&mut self, left: &mut u64, zeros: &[u8], out: &mut Vec<u8>) {
        while *left > 0 && out.len() < PIECE {
            let allowed = self.window.min(self.stream_window).max(0).cast_unsigned();
            // At most the longest payload.
            let here = allowed.min(*left).min(frame::LONGEST as u64) as usize;
            if here == 0 {
                return;
            }
            *left -= here as u64;
            self.window -= here as i64;
            self.stream_window -= here as i64;
            let end = if *left == 0 { frame::END_STREAM } else { 0 };
            frame::write(frame::DATA, end, self.stream, &zeros[..here], out);
        }
    }

    /// Reads on; whether the response is complete. Writes what the server has to be answered.
    pub(crate) fn feed(&mut self, bytes: &[u8], answer: &mut Vec<u8>) -> Result<bool, BadFrame> {
        let mut cutter = std::mem::take(&mut self.cutter);
        let fed = cutter.feed(bytes, |cut| match cut {
            Cut::Data(head, length) => self.count(head, length, answer),
            Cut::Frame(head, payload) => self.hear(head, payload, answer),
        });
        self.cutter = cutter;
        fed.map(|()| self.response.is_complete)
    }

    /// Ends a complete response: the bytes of its body, and whether the server takes no other request. What pads its head by
    /// so many bytes can be neither indexed, for there is no dynamic table, nor shortened by Huffman's code: the block has it.
    pub(crate) fn finish(&mut self, wanted: Option<u64>, padding: u32) -> Result<(u64, bool), BadFrame> {
        let Response { status, block, body: got, .. } = std::mem::take(&mut self.response);
        let value = padding_value(padding).map_or(0, |value| value.len());
        if block < value {
            return Err(BadResponse::Padding { got: block, wanted: padding }.into());
        }
        match (status, wanted) {
            (Some(200), Some(wanted)) if got != wanted => Err(BadResponse::Length { got, wanted }.into()),
            (Some(200), _) => Ok((got, self.closes)),
            // Only an upload may be answered by another kind of success.
            (Some(201..=299), None) => Ok((got, self.closes)),
            (status, _) => Err(BadResponse::Status(status.unwrap_or_default()).into()),
        }
    }

    /// Says that there will be no other request.
    pub(crate) fn part(&mut self, out: &mut Vec<u8>) {
        // The last stream that the server began, none, and NO_ERROR.
        frame::write(frame::GOAWAY, 0, 0, &[0; 8], out);
    }

    fn count(&mut self, head: Head, length: usize, answer: &mut Vec<u8>) -> Result<(), BadFrame> {
        self.received += head.length as u64;
        if self.received >= HALF_WINDOW {
            self.fill_up(answer);
        }
        if head.stream != self.stream || self.response.is_complete {
            return Err(BadFrame::Syntax("data of no request"));
        }
        self.response.body += length as u64;
        self.response.is_complete = head.has(frame::END_STREAM);
        Ok(())
    }

    fn hear(&mut self, head: Head, payload: &[u8], answer: &mut Vec<u8>) -> Result<(), BadFrame> {
        let word = |at: usize| payload.get(at..at + 4).and_then(|bytes| bytes.try_into().ok());
        let word =
            |at: usize| word(at).map(u32::from_be_bytes).ok_or(BadFrame::Syntax("a frame that is too short"));
        match head.kind {
            frame::HEADERS if head.stream == self.stream => self.headers(head, payload)?,
            frame::RST_STREAM if head.stream == self.stream => return Err(BadFrame::GaveUp(word(0)?)),
            frame::SETTINGS if !head.has(frame::ACK) => {
                self.settings(payload);
                frame::write(frame::SETTINGS, frame::ACK, 0, &[], answer);
            }
            frame::PING if !head.has(frame::ACK) => frame::write(frame::PING, frame::ACK, 0, payload, answer),
            frame::GOAWAY => match word(4)? {
                0 => self.closes = true,
                code => return Err(BadFrame::GaveUp(code)),
            },
            frame::WINDOW_UPDATE => match head.stream {
                0 => self.window += i64::from(word(0)?),
                stream if stream == self.stream => self.stream_window += i64::from(word(0)?),
                _ => {}
            },
            _ => {}
        }
        Ok(())
    }

    fn headers(&mut self, head: Head, payload: &[u8]) -> Result<(), BadFrame> {
        let before = usize::from(head.has(frame::PADDED)) + if head.has(frame::PRIORITY) { 5 } else { 0 };
        let block = payload.get(before..).ok_or(BadFrame::Syntax("a frame that is too short"))?;
        // What comes after the status are trailers; before it there may be interim responses.
        if self.response.status.is_none() {
            let status = hpack::status(block)?;
            self.response.status = (status >= 200).then_some(status);
            self.response.block = block.len();
        }
        self.response.is_complete |= head.has(frame::END_STREAM);
        Ok(())
    }

    fn settings(&mut self, payload: &[u8]) {
        for setting in payload.chunks_exact(6) {
            let name = u16::from_be_bytes([setting[0], setting[1]]);
            let value = i64::from(u32::from_be_bytes([setting[2], setting[3], setting[4], setting[5]]));
            if name == SETTINGS_INITIAL_WINDOW_SIZE {
                // Streams that are open get the difference: 6.9.2.
                self.stream_window += value - self.new_window;
                self.new_window = value;
            }
        }
    }

    fn fill_up(&mut self, out: &mut Vec<u8>) {
        window_update(self.received.min(LARGEST_WINDOW.into()) as u32, out);
        self.received = 0;
    }
}

/// Widens the connection's window.
fn window_update(by: u32, out: &mut Vec<u8>) {
    frame::write(frame::WINDOW_UPDATE, 0, 0, &by.to_be_bytes(), out);
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use tlstax_spec::Method;

    use super::*;

    fn begun(upload: Option<u32>) -> (Session, Vec<u8>) {
        let requests = Requests::new("server.test", "/", upload.map(|body| (Method::Post, body)), true);
        let (mut session, mut out) = (Session::default(), Vec::new());
        session.request(&requests, &mut out);
        (session, out)
    }

    /// The kinds, flags and streams of what was written, and the lengths of the payloads.
    fn frames(bytes: &[u8]) -> Vec<(u8, u8, u32, usize)> {
        let mut all = Vec::new();
        let tell = |cut: Cut<'_>| {
            let (Cut::Frame(head, _) | Cut::Data(head, _)) = cut;
            all.push((head.kind, head.flags, head.stream, head.length));
            Ok(())
        };
        Cutter::default().feed(bytes, tell).unwrap();
        all
    }

    fn feed(
        session: &mut Session,
        kind: u8,
        flags: u8,
        stream: u32,
        payload: &[u8],
    ) -> Result<bool, BadFrame> {
        let mut bytes = Vec::new();
        frame::write(kind, flags, stream, payload, &mut bytes);
        session.feed(&bytes, &mut Vec::new())
    }

    #[test]
    fn one_request_follows_another() {
        let (mut session, out) = begun(None);
        let out = out.strip_prefix(PREFACE).unwrap();
        let kinds: Vec<_> = frames(out).iter().map(|frame| (frame.0, frame.2)).collect();
        assert_eq!(kinds, [(frame::SETTINGS, 0), (frame::WINDOW_UPDATE, 0), (frame::HEADERS, 1)]);
        for stream in [1, 3, 5] {
            assert_eq!(feed(&mut session, frame::HEADERS, frame::END_HEADERS, stream, &[0x88]), Ok(false));
            assert_eq!(feed(&mut session, frame::DATA, 0, stream, b"abc"), Ok(false));
            assert_eq!(feed(&mut session, frame::DATA, frame::END_STREAM, stream, b"de"), Ok(true));
            assert_eq!(session.finish(Some(5), 0), Ok((5, false)));
            let mut out = Vec::new();
            session.request(&Requests::new("server.test", "/", None, true), &mut out);
            let end = frame::END_HEADERS | frame::END_STREAM;
            assert_eq!(frames(&out)[0].2, stream + 2);
            assert_eq!(frames(&out)[0].1, end);
        }
    }

    #[test]
    fn what_the_server_does_wrong_is_told() {
        for (kind, stream, payload, expected) in [
            (frame::RST_STREAM, 1, &[0, 0, 0, 7][..], Some(BadFrame::GaveUp(7))),
            (frame::DATA, 9, &[0], None),
            (frame::GOAWAY, 0, &[0; 3], None),
        ] {
            let error = feed(&mut begun(None).0, kind, 0, stream, payload).unwrap_err();
            assert!(expected.is_none_or(|expected| error == expected), "{error}");
        }
        for (goes_away, status, wanted, expected) in [
            (false, 0x8d, 0, Err(BadResponse::Status(404).into())),
            (false, 0x88, 5, Err(BadResponse::Length { got: 0, wanted: 5 }.into())),
            (true, 0x88, 0, Ok((0, true))),
        ] {
            let (mut session, _) = begun(None);
            if goes_away {
                assert_eq!(feed(&mut session, frame::GOAWAY, 0, 0, &[0; 8]), Ok(false));
            }
            assert_eq!(feed(&mut session, frame::HEADERS, 5, 1, &[status]), Ok(true));
            assert_eq!(session.finish(Some(wanted), 0), expected);
        }
    }

    #[test]
    fn a_block_of_headers_has_the_padding_that_was_asked_for() {
        let mut block = vec![0x88];
        block.resize(8200, 0);
        for (padding, is_there) in [(0, true), (8192, true), (8192, false)] {
            let (mut session, _) = begun(None);
            let block = if is_there { &block[..] } else { &block[..1] };
            assert_eq!(feed(&mut session, frame::HEADERS, 5, 1, block), Ok(true));
            assert_eq!(session.finish(Some(0), padding).is_ok(), is_there);
        }
    }

    #[test]
    fn settings_and_pings_are_answered() {
        let (mut session, _) = begun(None);
        let (mut bytes, mut answer) = (Vec::new(), Vec::new());
        frame::write(frame::SETTINGS, 0, 0, &[0, 4, 0, 0, 0, 9], &mut bytes);
        frame::write(frame::SETTINGS, frame::ACK, 0, &[], &mut bytes);
        frame::write(frame::PING, 0, 0, &[7; 8], &mut bytes);
        session.feed(&bytes, &mut answer).unwrap();
        assert_eq!(frames(&answer), [(frame::SETTINGS, frame::ACK, 0, 0), (frame::PING, frame::ACK, 0, 8)]);
    }

    #[test]
    fn an_upload_goes_as_far_as_the_windows_allow() {
        let (mut session, _) = begun(Some(100_000));
        let zeros = vec![0; frame::LONGEST];
        let mut left = 100_000;
        let mut out = Vec::new();
        session.data(&mut left, &zeros, &mut out);
        session.data(&mut left, &zeros, &mut out);
        assert_eq!(left, 100_000 - FIRST_WINDOW.cast_unsigned());
        // The connection's window alone does not help.
        feed(&mut session, frame::WINDOW_UPDATE, 0, 0, &[0, 1, 0, 0]).unwrap();
        out.clear();
        session.data(&mut left, &zeros, &mut out);
        assert!(out.is_empty());
        feed(&mut session, frame::WINDOW_UPDATE, 0, 1, &[0, 1, 0, 0]).unwrap();
        session.data(&mut left, &zeros, &mut out);
        assert_eq!(left, 0);
        let last = *frames(&out).last().unwrap();
        assert_eq!((last.0, last.1, last.2), (frame::DATA, frame::END_STREAM, 1));
    }

    #[test]
    fn the_connections_window_is_filled_up() {
        let (mut session, _) = begun(None);
        session.received = HALF_WINDOW - 1;
        let (mut bytes, mut answer) = (Vec::new(), Vec::new());
        frame::write(frame::DATA, 0, 1, b"x", &mut bytes);
        session.feed(&bytes, &mut answer).unwrap();
        assert_eq!(frames(&answer), [(frame::WINDOW_UPDATE, 0, 0, 4)]);
        assert_eq!(session.received, 0);
    }
}
