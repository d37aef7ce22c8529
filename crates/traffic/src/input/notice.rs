//! [`Notice`]: what the user has to know of an input beside what was counted.

use std::fmt;
use std::io;

/// What the user has to know of an input beside what was counted.
#[derive(Debug)]
pub enum Notice {
    /// There is nothing in it.
    Empty { name: String },
    /// It is the same file as an earlier one.
    Same { name: String, earlier: String },
    /// The archive ends in the middle; so many bytes came out of it.
    Cut { name: String, unpacked: u64 },
    /// The archive is damaged; so many bytes came out of it before.
    Damaged { name: String, unpacked: u64, source: io::Error },
    /// It could not be read to its end; so many bytes were.
    Unread { name: String, read: u64, source: io::Error },
    /// It has grown while it was read.
    Grew { name: String, by: u64 },
    /// It was made shorter while it was read.
    Shrank { name: String },
    /// Another file has taken its name before it was read.
    Replaced { name: String },
    /// It was recognised as the format of the others, though it alone might be of another, too.
    AsOthers { name: String, format: String },
    /// Its times have no zone.
    NoZone { format: String },
    /// Something about captures.
    Capture(String),
}

impl Notice {
    /// Whether something is missing from the count.
    pub const fn is_loss(&self) -> bool {
        matches!(
            self,
            Self::Cut { .. }
                | Self::Damaged { .. }
                | Self::Unread { .. }
                | Self::Shrank { .. }
                | Self::Replaced { .. }
                | Self::Capture(_)
        )
    }
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty { name } => write!(f, "{name} is empty"),
            Self::Same { name, earlier } => {
                write!(f, "{name} is the same file as {earlier}: it is counted once")
            }
            Self::Cut { name, unpacked } => write!(
                f,
                "{name} is cut off: the {unpacked} bytes that come out of it are counted, but for a last line that is cut; get \
                 the whole file"
            ),
            Self::Damaged { name, unpacked, source } => write!(
                f,
                "{name} is damaged after {unpacked} bytes that came out of it and are counted: {source}; get another copy"
            ),
            Self::Unread { name, read, source } => {
                write!(f, "cannot read {name} beyond its first {read} bytes, which are counted: {source}")
            }
            Self::Grew { name, by } => write!(
                f,
                "{name} has grown by {by} bytes while it was read: they are not counted; count it again later, or with --until"
            ),
            Self::Shrank { name } => write!(
                f,
                "{name} was made shorter while it was read: what it had before it was is missing; count the rotated file"
            ),
            Self::Replaced { name } => write!(
                f,
                "another file has taken the name {name} before it was read: that one is counted; count the rotated file, too"
            ),
            Self::NoZone { format } => write!(
                f,
                "times of {format} have no zone, and are taken for UTC: --utc-offset says another, as in --utc-offset +01:00"
            ),
            Self::Capture(what) => f.write_str(what),
            Self::AsOthers { name, format } => {
                write!(
                    f,
                    "{name} is taken for {format}, as the other files: by itself it might be of another format, too"
                )
            }
        }
    }
}
