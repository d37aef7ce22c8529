//! [`Listener`]: who is told what is in records.

/// Who is told what is in the records of one end.
pub trait Listener {
    /// A record, by its type and the length of its body. Whether its body is of handshake messages in the clear.
    fn record(&mut self, kind: u8, length: u16) -> bool;

    /// A handshake message: its type, the length of its body, and as much of that as there is, of those that are read.
    fn message(&mut self, kind: u8, length: u32, body: &[u8]);

    /// What comes next is not known: so many bytes are missing.
    fn gap(&mut self);

    /// Bytes of which it is not known in which records they are.
    fn unread(&mut self, bytes: u64);
}
