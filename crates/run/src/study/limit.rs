//! What the numbers of a study mean, and between which they lie; flags are held to the same.

/// What a number is, and the range that it must lie in.
#[derive(Debug, Clone, Copy)]
pub struct Limit {
    /// What the number is, as the subject of a sentence.
    pub what: &'static str,
    /// The smallest that is allowed.
    pub low: u64,
    /// The largest that is allowed.
    pub high: u64,
}

/// The largest message or buffer: large enough to leave every cache, small enough to hold in memory.
const MAX_BYTES: u64 = 64 << 20;

impl Limit {
    /// The certificates in a chain.
    pub const CHAIN: Self = Self::new("the certificates in a chain", 1, 3);
    /// Threads of a worker or a client.
    pub const THREADS: Self = Self::new("a number of threads", 1, 1024);
    /// Rounds of batches.
    pub const ROUNDS: Self = Self::new("the number of rounds", 1, 100_000);
    /// The length of a message.
    pub const MESSAGE: Self = Self::new("a message size in bytes", 1, MAX_BYTES);
    /// The largest plaintext of a record.
    pub const RECORD: Self = Self::new("a record size in bytes", 512, 16384);
    /// What is handed to a library at once.
    pub const WRITE: Self = Self::new("a write size in bytes", 1, MAX_BYTES);
    /// What is written before it is read.
    pub const BUFFER: Self = Self::new("a buffer size in bytes", 1, MAX_BYTES);
    /// Connections that do nothing.
    pub const IDLE: Self = Self::new("a number of connections", 1, 100_000);
    /// Connections of a load.
    pub const CONNECTIONS: Self = Self::new("a number of connections", 1, 10_000);
    /// Requests on a connection.
    pub const REQUESTS: Self = Self::new("requests", 0, 1_000_000);
    /// The body of a request or a response: large transfers are what some studies are about.
    pub const BODY: Self = Self::new("a body size in bytes", 0, 2 << 30);
    /// What the application does on a request.
    pub const WORK: Self = Self::new("work in microseconds", 0, 1_000_000);
    /// How many of a hundred connections resume.
    pub const RESUMED: Self = Self::new("a percentage", 1, 100);
    /// Requests per second.
    pub const RATE: Self = Self::new("requests per second", 0, 1_000_000);
    /// What a server encrypts into one record.
    pub const TLS_BUFFER: Self = Self::new("a buffer size in bytes", 0, 16384);
    /// Processes of a server.
    pub const WORKERS: Self = Self::new("a number of workers", 1, 1024);

    const fn new(what: &'static str, low: u64, high: u64) -> Self {
        Self { what, low, high }
    }

    /// Whether the number lies in the range.
    pub const fn allows(self, number: u64) -> bool {
        self.low <= number && number <= self.high
    }

    /// What there is to say of a number that does not.
    pub fn refusal(self, number: impl std::fmt::Display) -> String {
        format!("{number} is out of range: {} must be {}", self.what, self.range())
    }

    /// The range in words.
    pub fn range(self) -> String {
        format!("from {} to {}", self.low, self.high)
    }
}
