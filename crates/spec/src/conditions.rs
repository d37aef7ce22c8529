//! The vocabularies of what a case varies beside cryptography: how connections begin, what flows over them, who knows what.

use crate::Version;
use crate::named::named;

named! {
    /// How much of a handshake is taken over from an earlier one.
    "resumption" Resumption {
        /// A full handshake.
        Full = "full",
        /// TLS 1.2 resumption by session id: the server keeps the state.
        SessionId = "session-id",
        /// TLS 1.2 resumption by ticket (RFC 5077): the client keeps the state.
        Ticket = "ticket",
        /// TLS 1.3 resumption by pre-shared key, with a new key exchange (psk_dhe_ke).
        Psk = "psk",
        /// TLS 1.3 resumption by pre-shared key with early data (0-RTT).
        EarlyData = "early-data",
    }
}

impl Resumption {
    /// Whether the kind exists in this version.
    pub const fn fits(self, version: Version) -> bool {
        match self {
            Self::Full => true,
            Self::SessionId | Self::Ticket => !version.is_tls13(),
            Self::Psk | Self::EarlyData => version.is_tls13(),
        }
    }
}

named! {
    /// Which connections have one context (configuration) in common.
    "sharing of contexts" Contexts {
        /// All connections of all threads: what a server should do.
        Shared = "shared",
        /// The connections of one thread.
        PerThread = "per-thread",
        /// None: each connection makes its own context and drops it, and that is part of its cost.
        PerConnection = "per-connection",
    }
}

named! {
    /// Which way application data flows.
    "direction" Direction {
        /// From the server to the client.
        Download = "download",
        /// From the client to the server.
        Upload = "upload",
    }
}

named! {
    /// What a connection does to data before it encrypts them: TLS compression, up to TLS 1.2 (RFC 5246, 6.2.2).
    "TLS compression" Compression {
        /// Nothing: what all clients and servers of today want, since the length of compressed data gives secrets away (CRIME).
        None = "none",
        /// DEFLATE, RFC 3749.
        Deflate = "deflate",
    }
}

impl Compression {
    /// Whether it exists in this version (RFC 8446, 4.1.2: none from TLS 1.3 on).
    pub const fn fits(self, version: Version) -> bool {
        matches!(self, Self::None) || !version.is_tls13()
    }
}

named! {
    /// What is sent over a connection that compresses.
    "kind of content" Content {
        /// Words of English in random order, the frequent ones often: shrinks as text does.
        Text = "text",
        /// Bytes without a pattern, as of pictures and archives: does not shrink.
        Random = "random",
        /// One byte again and again, as of a file without contents: shrinks to nothing.
        Zeros = "zeros",
    }
}

named! {
    /// One end of a connection.
    "side" Side {
        /// The side that opens the connection.
        Client = "client",
        /// The side that accepts it.
        Server = "server",
    }
}

named! {
    /// A version of HTTP, by its ALPN protocol id (IANA).
    "HTTP version" Http {
        /// HTTP/1.1, RFC 9112.
        Http1 = "http/1.1",
        /// HTTP/2, RFC 9113; without TLS with prior knowledge (h2c).
        Http2 = "h2",
    }
}

named! {
    /// Where a response comes from.
    "kind of page" Page {
        /// A file.
        Static = "static",
        /// A program that stays between requests, behind FastCGI.
        FastCgi = "fastcgi",
    }
}

named! {
    /// Which processes of a server know a session that one of them has made.
    "sharing of sessions" Sessions {
        /// All: a cache in shared memory, or the same ticket keys.
        Shared = "shared",
        /// The one that made it: a cache in each process.
        PerWorker = "per-worker",
    }
}
