//! [`Packet`], and what else comes in a file.

use tlstax_doc::Bad;

use super::link::Link;

/// A packet as it was captured.
#[derive(Debug, Clone, Copy)]
pub struct Packet<'b> {
    pub link: Link,
    /// Seconds since 1970 and nanoseconds; none where the file does not tell.
    pub at: Option<(u64, u32)>,
    /// What was captured of it.
    pub bytes: &'b [u8],
    /// How long it was.
    pub length: u64,
}

/// What comes next in a file.
#[derive(Debug)]
pub enum Next<'b> {
    Packet(Packet<'b>),
    /// Interfaces that were described are not there any more.
    Section,
    /// Another block that is no packet.
    Other,
    /// A packet that cannot be read; what comes behind it can.
    Bad(Bad),
    /// So many packets that an interface has dropped, in all until now.
    Dropped {
        interface: u32,
        packets: u64,
    },
    /// Nothing more; with what is wrong where it ends too early.
    End(Option<Bad>),
}
