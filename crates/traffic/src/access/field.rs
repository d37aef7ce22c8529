//! [`Field`]: what a field of a line says, as far as anything asks for it.

use super::time::TimeForm;

/// What a field of a line says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Field {
    /// Something that nobody asks for; it may be any text.
    Text,
    /// The same, of something that has no spaces in it: an address, a number.
    Token,
    /// The first line of a request: `GET / HTTP/1.1`.
    Request,
    Word(Word),
    Number(Number),
    /// A time, or a part of one; whether it counts: of two whole ones, the first does.
    Time(TimeForm, bool),
    /// HAProxy's captured headers: in braces, or missing with the space behind them.
    Captures,
}

/// A word that says of which kind a connection is. Its number is its place in [`Values`](super::values::Values).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Word {
    Protocol,
    Suite,
    Group,
    /// The scheme that the server signs with, which tells its key.
    Key,
    Resumed,
    EarlyData,
    Http,
    /// A server's name, by which connections are classed if the user wants that. It goes no further.
    Server,
}

impl Word {
    pub const COUNT: usize = Self::ALL.len();

    pub const ALL: [Self; 8] = [
        Self::Protocol,
        Self::Suite,
        Self::Group,
        Self::Key,
        Self::Resumed,
        Self::EarlyData,
        Self::Http,
        Self::Server,
    ];
}

/// A number that counts. Its number is its place in [`Values`](super::values::Values).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Number {
    /// Of the response; 0 without one.
    Status,
    /// Bytes of the response with its headers.
    BytesOut,
    /// Bytes of the response without its headers.
    BodyOut,
    /// The same, where a dash is no byte.
    BodyOutOrDash,
    /// Bytes of the request with its headers.
    BytesIn,
    /// The how many-th of its connection a request is, from 1.
    Ordinal,
    /// The same, from 0.
    OrdinalFromZero,
    /// 1 of the first request of a connection, 0 of later ones.
    IsFirst,
}

impl Number {
    pub const COUNT: usize = 8;
}

/// How a server writes what would end a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Escape {
    /// A backslash stands before it, or in its place: nginx, Apache, lighttpd. The first quote without one ends a field.
    Backslash,
    /// Not at all, or by a sign that is no matter here: nginx's `escape=none`, HAProxy.
    None,
}
