//! [`Meaning`]: what the rules say of a name.

use tlstax_doc::{Algorithm, Cost};

/// What the rules say of a name. Each of them is said by a section of its own, so a name may have several.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Meaning {
    pub part: Option<Part>,
    pub task: Option<Task>,
    pub operation: Option<Operation>,
    /// A cost of its own wherever in TLS it occurs: allocation, locks, random numbers, provider fetch, copying of records.
    pub overhead: Option<Cost>,
    pub hint: Option<Hint>,
    pub kernel: Option<Kernel>,
}

impl Meaning {
    /// Whether a rule knows the name.
    pub fn is_known(&self) -> bool {
        *self != Self::default()
    }
}

/// Whose code it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The protocol: libssl. What is below it in a stack is for TLS.
    Tls,
    /// Cryptography: libcrypto. It is for TLS where TLS has called it.
    Crypto,
    /// Says nothing by itself: the C library.
    Neutral,
    /// The outermost frames of a thread: a stack that ends there is whole.
    Root,
    /// HTTP/2, compression, or a server program.
    Other(Cost),
}

impl Part {
    pub const WORDS: [(&'static str, Self); 7] = [
        ("tls", Self::Tls),
        ("crypto", Self::Crypto),
        ("neutral", Self::Neutral),
        ("root", Self::Root),
        ("http2", Self::Other(Cost::Http2)),
        ("compression", Self::Other(Cost::Compression)),
        ("application", Self::Other(Cost::Application)),
    ];

    /// Whether it is neither TLS nor what anything is made of.
    pub const fn is_other(self) -> bool {
        matches!(self, Self::Other(_))
    }
}

/// What the protocol machine is busy with. It says what an operation is for that may be for anything, and what the machine's own
/// time counts as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Task {
    Handshake,
    /// Application data, and whatever is sent and received as records.
    Record,
    /// Tickets and caches.
    Session,
    /// Certificates of the own side and of the other.
    Certificate,
}

impl Task {
    pub const WORDS: [(&'static str, Self); 4] = [
        ("handshake", Self::Handshake),
        ("record", Self::Record),
        ("session", Self::Session),
        ("certificate", Self::Certificate),
    ];

    /// What the machine's own time is.
    pub const fn cost(self) -> Cost {
        match self {
            Self::Handshake | Self::Record => Cost::Protocol,
            Self::Session => Cost::Session,
            Self::Certificate => Cost::Certificate,
        }
    }

    /// What a hash, a MAC or a new key is for.
    pub const fn cost_by_task(self) -> Cost {
        match self {
            Self::Handshake => Cost::KeySchedule,
            Self::Record => Cost::RecordCipher,
            Self::Session => Cost::Session,
            Self::Certificate => Cost::Certificate,
        }
    }

    /// What a cipher is for: the messages of a handshake are records, too.
    pub const fn cost_of_cipher(self) -> Cost {
        match self {
            Self::Handshake | Self::Record => Cost::RecordCipher,
            Self::Session => Cost::Session,
            Self::Certificate => Cost::Certificate,
        }
    }
}

/// What a call does for the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    Is(Cost),
    /// A hash, a MAC, or a cipher's key: what for follows from the task.
    ByTask,
    /// The same of a cipher at work.
    Cipher,
}

impl Operation {
    /// Beside the words of costs.
    pub const WORDS: [(&'static str, Self); 2] = [("by-task", Self::ByTask), ("cipher", Self::Cipher)];
}

/// What a name says of the algorithm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hint {
    Is(Algorithm),
    /// Arithmetic on an elliptic curve that the name does not tell.
    Curve,
}

/// The word of [`Hint::Curve`] in rules.
pub const CURVE: &str = "curve";

/// What a function of the kernel says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kernel {
    /// Where the kernel is entered: what is inside of it is the kernel's.
    Entry,
    /// Entered without the process's doing.
    Interrupt,
    SoftIrq,
    Socket,
    /// TLS in the kernel.
    Tls,
    /// Cryptography of the kernel.
    Cipher,
}

impl Kernel {
    pub const WORDS: [(&'static str, Self); 6] = [
        ("entry", Self::Entry),
        ("interrupt", Self::Interrupt),
        ("softirq", Self::SoftIrq),
        ("socket", Self::Socket),
        ("tls", Self::Tls),
        ("cipher", Self::Cipher),
    ];
}
