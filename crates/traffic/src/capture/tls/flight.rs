//! [`Flight`]: which of the encrypted records of TLS 1.3 belong to the handshake.

/// Records of a client that may come before its Finished: its certificate and the proof that it has the key.
const MOST_WAITING: usize = 3;

/// A record that is longer has a certificate, or its proof, in it.
const LARGE: u16 = 200;

/// Which of the encrypted records of TLS 1.3 belong to the handshake. All have the same type, so it is told by who sends them, and
/// by their lengths: those of a Finished, of an alert and of the end of early data follow from the suite.
#[derive(Debug, Default, Clone, Copy)]
pub struct Flight {
    lengths: Lengths,
    expects_early_data: bool,
    is_resumed: bool,
    /// The server has sent a certificate, as it seems.
    has_large: bool,
    server_is_done: bool,
    client_is_done: bool,
    /// Records of the client that are of its handshake if a Finished comes behind them.
    waiting: [u16; MOST_WAITING],
    count: usize,
    /// The end of early data was told: the server has accepted it.
    has_early_data: bool,
}

/// Lengths of bodies of records with one message each.
#[derive(Debug, Default, Clone, Copy)]
struct Lengths {
    finished: u16,
    end_of_early_data: u16,
    alert: u16,
}

/// What a record is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Handshake,
    /// As long as an alert: one, if nothing follows.
    MayBeAlert,
    Data,
    /// Those of these lengths, of which it was not known until now, are application data.
    Settled([u16; MOST_WAITING], usize),
}

/// TLS_AES_256_GCM_SHA384, with the longer hash.
const SHA384: u16 = 0x1302;
/// TLS_AES_128_CCM_8_SHA256, with the shorter tag.
const CCM_8: u16 = 0x1305;

impl Lengths {
    const fn of(suite: u16) -> Self {
        let hash = if suite == SHA384 { 48 } else { 32 };
        // The type of what is inside, and the tag.
        let beside = if suite == CCM_8 { 1 + 8 } else { 1 + 16 };
        Self { finished: 4 + hash + beside, end_of_early_data: 4 + beside, alert: 2 + beside }
    }
}

impl Flight {
    /// Both hellos are known.
    pub fn begin(suite: u16, is_resumed: bool, expects_early_data: bool) -> Self {
        Self { lengths: Lengths::of(suite), is_resumed, expects_early_data, ..Self::default() }
    }

    /// A record of the server behind its hello.
    pub const fn of_server(&mut self, length: u16) -> Part {
        if self.client_is_done || self.server_is_done {
            return self.data(length);
        }
        self.has_large |= length > LARGE;
        // Without a certificate before it, something else of that length would end a full handshake too early.
        self.server_is_done = length == self.lengths.finished && (self.is_resumed || self.has_large);
        Part::Handshake
    }

    /// A record of the client behind the server's hello.
    pub fn of_client(&mut self, length: u16) -> Part {
        if self.client_is_done {
            return self.data(length);
        }
        if length == self.lengths.finished {
            return self.finish();
        }
        if self.expects_early_data {
            let before = std::mem::replace(&mut self.waiting[0], length);
            let count = std::mem::replace(&mut self.count, 1);
            return if count > 0 { Part::Settled([before, 0, 0], 1) } else { Part::Handshake };
        }
        if self.count < MOST_WAITING {
            self.waiting[self.count] = length;
            self.count += 1;
            return Part::Handshake;
        }
        // Whatever came first was the Finished, in one record with something else.
        self.client_is_done = true;
        let [_, second, third] = self.waiting;
        self.count = 0;
        Part::Settled([second, third, length], 3)
    }

    fn finish(&mut self) -> Part {
        self.client_is_done = true;
        let count = std::mem::take(&mut self.count);
        if !self.expects_early_data || count == 0 {
            return Part::Handshake;
        }
        self.has_early_data = self.waiting[0] == self.lengths.end_of_early_data;
        if self.has_early_data { Part::Handshake } else { Part::Settled(self.waiting, 1) }
    }

    /// The connection is over: what waits is as much of a handshake as there was.
    pub fn end(&mut self) -> Part {
        let is_alert = self.count == 1 && self.waiting[0] == self.lengths.alert;
        if self.client_is_done || self.count == 0 || is_alert {
            return Part::Handshake;
        }
        let count = std::mem::take(&mut self.count);
        if self.expects_early_data {
            return Part::Settled(self.waiting, count);
        }
        self.client_is_done = true;
        let [_, second, third] = self.waiting;
        Part::Settled([second, third, 0], count - 1)
    }

    const fn data(&self, length: u16) -> Part {
        if length == self.lengths.alert { Part::MayBeAlert } else { Part::Data }
    }

    /// Whether the client has finished.
    pub const fn is_done(&self) -> bool {
        self.client_is_done
    }

    /// Whether the server has accepted early data.
    pub const fn has_early_data(&self) -> bool {
        self.has_early_data
    }

    /// The length of an alert.
    pub const fn alert(&self) -> u16 {
        self.lengths.alert
    }
}
