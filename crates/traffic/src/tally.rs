//! [`Tally`]: counts what readers have seen.

mod dated;
mod kinds;
mod sizes;

use std::collections::BTreeMap;

use tlstax_doc::{Bad, Bucket, Counts, Kind, PassedOver, Resumed, Share, Source, Tell, Tool, Workload};

use self::dated::Dated;
use self::kinds::Kinds;
use self::sizes::Sizes;
use crate::seen::{KindId, Seen, What};
use crate::window::Window;

/// Counts what readers have seen. Each thread has its own; the workload of all is the merged one of each.
#[derive(Default)]
pub struct Tally {
    window: Window,
    kinds: Kinds,
    counts: Vec<Counts>,
    dated: Dated,
    ordinals: Sizes,
    responses: Sizes,
    requests: Sizes,
    records_out: Sizes,
    records_in: Sizes,
    certificates: Sizes,
    bytes: u64,
    entries: u64,
    bad: BTreeMap<Bad, u64>,
    passed_over: BTreeMap<PassedOver, u64>,
}

/// Which way a record goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// From the server.
    Out,
    /// From the client.
    In,
}

impl Tally {
    pub fn new(window: Window) -> Self {
        Self { window, ..Self::default() }
    }

    /// The kind that some words of a source stand for. The words are remembered: what they mean is asked once.
    pub fn kind(&mut self, words: &[&[u8]], meaning: impl FnOnce() -> Kind) -> KindId {
        let id = self.kinds.of(words, meaning);
        self.make_room();
        id
    }

    /// The same of a kind that is known already.
    pub fn known_kind(&mut self, kind: Kind) -> KindId {
        let id = self.kinds.known(kind);
        self.make_room();
        id
    }

    /// The kinds that it knows.
    pub fn kinds(&self) -> &[Kind] {
        self.kinds.all()
    }

    fn make_room(&mut self) {
        if self.counts.len() < self.kinds.len() {
            self.counts.resize(self.kinds.len(), Counts::default());
        }
    }

    /// Bytes and entries that were read, good and bad ones.
    pub const fn add_read(&mut self, bytes: u64, entries: u64) {
        self.bytes += bytes;
        self.entries += entries;
    }

    pub fn add_bad(&mut self, bad: Bad) {
        *self.bad.entry(bad).or_default() += 1;
    }

    pub fn pass_over(&mut self, why: PassedOver) {
        *self.passed_over.entry(why).or_default() += 1;
    }

    /// What is counted is dated to so many seconds only.
    pub fn widen(&mut self, seconds: u32) {
        self.dated.widen(seconds);
    }

    pub fn pass_over_all(&mut self, why: PassedOver, count: u64) {
        if count > 0 {
            *self.passed_over.entry(why).or_default() += count;
        }
    }

    /// Whether what was then counts: it was in the time that was asked for.
    pub fn has(&self, at: Option<u64>) -> bool {
        self.window.has(at)
    }

    /// Counts what was seen, if it was in the time that was asked for.
    pub fn add(&mut self, seen: &Seen) {
        if !self.window.has(seen.at) {
            return self.pass_over(PassedOver::OtherTime);
        }
        let counts = &mut self.counts[seen.kind.0 as usize];
        if let Some(out) = seen.out {
            counts.out.add(out, seen.times);
        }
        if let Some(into) = seen.into {
            counts.into.add(into, seen.times);
        }
        let mut bucket = Bucket {
            out: seen.out.unwrap_or(0).saturating_mul(seen.times),
            into: seen.into.unwrap_or(0).saturating_mul(seen.times),
            ..Bucket::default()
        };
        let begun = match seen.what {
            What::Request { .. } | What::LaterRequest => {
                counts.requests = counts.requests.saturating_add(seen.times);
                bucket.requests = seen.times;
                match seen.what {
                    What::Request { ordinal: Some(ordinal) } => self.ordinals.add(ordinal, seen.times),
                    What::Request { ordinal: None } => {
                        counts.requests_without_connection =
                            counts.requests_without_connection.saturating_add(seen.times)
                    }
                    _ => {}
                }
                seen.out.inspect(|out| self.responses.add(*out, seen.times));
                seen.into.inspect(|into| self.requests.add(*into, seen.times));
                if seen.what == (What::Request { ordinal: Some(1) }) { seen.times } else { 0 }
            }
            What::Connection { requests } => {
                let within = requests.unwrap_or(0).saturating_mul(seen.times);
                counts.requests = counts.requests.saturating_add(within);
                bucket.requests = within;
                match requests {
                    Some(requests) => {
                        (1..=requests).for_each(|ordinal| self.ordinals.add(ordinal, seen.times))
                    }
                    None => {
                        counts.connections_without_requests =
                            counts.connections_without_requests.saturating_add(seen.times)
                    }
                }
                seen.times
            }
            What::FailedHandshake => {
                counts.failed_handshakes = counts.failed_handshakes.saturating_add(seen.times);
                0
            }
            What::Volume => 0,
        };
        if begun > 0 {
            counts.connections = counts.connections.saturating_add(begun);
            bucket.connections = begun;
            match self.kinds.resumed(seen.kind) {
                Some(Resumed::Full) => bucket.full = begun,
                Some(_) => bucket.resumed = begun,
                None => {}
            }
        }
        self.dated.add(seen.at, &bucket, seen.times);
    }

    /// A record with application data, of so many bytes with its header.
    pub fn add_record(&mut self, way: Way, bytes: u64) {
        match way {
            Way::Out => self.records_out.add(bytes, 1),
            Way::In => self.records_in.add(bytes, 1),
        }
    }

    /// A `Certificate` message of a server.
    pub fn add_certificate(&mut self, bytes: u64) {
        self.certificates.add(bytes, 1);
    }

    /// What was counted, as a document.
    pub fn into_workload(self, tool: Tool, format: &str, tells: impl IntoIterator<Item = Tell>) -> Workload {
        let source = Source {
            format: format.to_owned(),
            tells: tells.into_iter().collect(),
            bytes: self.bytes,
            entries: self.entries,
            bad: self.bad,
            passed_over: self.passed_over,
        };
        let shares = self.kinds.into_kinds().zip(self.counts).map(|(kind, counts)| Share { kind, counts });
        let mut shares: Vec<Share> = shares.filter(|share| share.counts != Counts::default()).collect();
        shares.sort_by(|one, other| one.kind.cmp(&other.kind));
        Workload {
            sources: vec![source],
            shares,
            request_ordinals: self.ordinals.into_sketch(),
            response_bytes: self.responses.into_sketch(),
            request_bytes: self.requests.into_sketch(),
            records_out: self.records_out.into_sketch(),
            records_in: self.records_in.into_sketch(),
            certificate_bytes: self.certificates.into_sketch(),
            series: self.dated.into_series(),
            ..Workload::empty(tool)
        }
    }
}

#[cfg(test)]
mod tests;
