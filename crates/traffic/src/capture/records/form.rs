//! The form of records: RFC 8446, 5.1, and RFC 5246, 6.2.

/// Bytes of the header of a record.
pub const HEADER: usize = 5;
/// The longest body of a record: RFC 5246, 6.2.3.
pub const LONGEST: usize = (1 << 14) + 2_048;

/// Types of records.
pub const CHANGE_CIPHER_SPEC: u8 = 20;
pub const ALERT: u8 = 21;
pub const HANDSHAKE: u8 = 22;
pub const APPLICATION_DATA: u8 = 23;
pub const HEARTBEAT: u8 = 24;
