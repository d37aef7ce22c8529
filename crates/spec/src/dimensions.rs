//! The dimensions of a case: the one declaration of each field that a study can vary. The typed workloads, the flat row with its
//! schema and its CSV columns, ids, the matrices of studies with their limits, and the flags of the command line are all made
//! from these rows.
//!
//! A row reads
//!
//! ```text
//! /// The line of help, in documentation, schema and command line alike.
//! field: type = usual value, always | unless,
//!     id(its fragment of a case's id, empty where there is none),
//!     list(key in a study: type of an item = [what is measured where a study has no such key])
//!     limit([0 or] least, most, "what it is, as the subject of a sentence")
//!     flag("name" VALUE 'short' or "what is measured where a flag is absent, if not the study's default");
//! ```
//!
//! `always` is in every flat row, `unless` only where the value is not the usual one: a case of an earlier version, which does
//! not know the field, reads the same. Items are `Bytes` where people may write sizes such as `16k`, `u64` for other numbers,
//! `bool`, or members of a vocabulary. New rows stand at the end of a block: the order is that of the flat row.

/// Calls a macro with the rows of some blocks behind what it is given already:
/// `dimensions! { structure! { Load { .. } } also_load load }`. What stands in braces between blocks comes between their rows.
///
/// The block `case` is what every case has, `also_load` what loads share with other kinds, `tuning` how a real server is set up.
#[macro_export]
macro_rules! dimensions {
    ($then:ident! { $($begun:tt)* }) => {
        $then! { $($begun)* }
    };
    ($then:ident! { $($begun:tt)* } { $($between:tt)* } $($more:tt)*) => {
        $crate::dimensions! { $then! { $($begun)* $($between)* } $($more)* }
    };
    ($then:ident! { $($begun:tt)* } case $($more:tt)*) => {
        $crate::dimensions! { $then! { $($begun)*
            /// Threads that do the same work at the same time; for a load, the client's.
            threads: u16 = 1, unless,
                id(|case| when(case.threads != 1, format!("{}-threads", case.threads))),
                list(threads: u64 = [1]) limit(1, 1024, "a number of threads") flag("threads" N 't');
        } $($more)* }
    };
    ($then:ident! { $($begun:tt)* } primitive $($more:tt)*) => {
        $crate::dimensions! { $then! { $($begun)*
            /// The operation.
            op: Op, always, id(|primitive| primitive.op.to_string());
            /// The algorithm.
            algorithm: Algorithm, always, id(|primitive| primitive.algorithm.to_string());
            /// The length of the message in bytes, up to 64M; 0 for algorithms without one.
            size: u32, always,
                id(|primitive| when(primitive.algorithm.class().is_sized(), primitive.size.to_string())),
                list(sizes: Bytes = [16, 64, 256, 1024, 1350, 8192, 16384].map(Bytes))
                limit(1, 64 << 20, "a message size in bytes") flag("size" SIZE 's');
            /// How the calls are laid out: as TLS makes them, or as `openssl speed` does.
            pattern: Pattern, always,
                id(|primitive| when(primitive.pattern != Pattern::Tls, format!("{}-pattern", primitive.pattern))),
                list(patterns: Pattern = [Pattern::Tls]) flag("pattern" PATTERN);
        } $($more)* }
    };
    ($then:ident! { $($begun:tt)* } handshake $($more:tt)*) => {
        $crate::dimensions! { $then! { $($begun)*
            /// Certificates that the server sends, end entity included, root excluded: 1 to 3.
            chain: u8 = 2, always,
                id(|handshake| format!("chain-{}", handshake.chain)),
                list(chains: u64 = [2]) limit(1, 3, "the certificates in a chain") flag("chain" N);
            /// What is taken over from an earlier handshake: full (nothing); TLS 1.2: session-id, ticket; TLS 1.3: psk, early-data.
            resumption: Resumption = Resumption::Full, always,
                id(|handshake| handshake.resumption.to_string()),
                list(resumptions: Resumption = [Resumption::Full]) flag("resumption" KIND 'r');
            /// Whether the client authenticates with a certificate, too.
            mutual: bool = false, always,
                id(|handshake| when(handshake.mutual, "mutual".to_owned())),
                list(mutual: bool = [false]) flag("mutual" BOOL);
            /// Which handshakes have one context in common: shared (all threads), per-thread, per-connection.
            contexts: Contexts = Contexts::Shared, unless,
                id(|handshake| when(handshake.contexts != Contexts::Shared, format!("contexts-{}", handshake.contexts))),
                list(contexts: Contexts = [Contexts::Shared]) flag("contexts" SHARING);
        } $($more)* }
    };
    ($then:ident! { $($begun:tt)* } bulk $($more:tt)*) => {
        $crate::dimensions! { $then! { $($begun)*
            /// Which way application data flows.
            direction: Direction = Direction::Download, always,
                id(|bulk| bulk.direction.to_string()),
                list(directions: Direction = [Direction::Download]) flag("direction" WAY 'd');
            /// The largest plaintext in one record, in bytes: 512 to 16k.
            record: u32 = 16384, always,
                id(|bulk| format!("record-{}", bulk.record)),
                list(records: Bytes = [Bytes(16384)]) limit(512, 16384, "a record size in bytes") flag("record" SIZE);
            /// The bytes handed to the library in one write: up to 64M.
            write: u32 = 16384, always,
                id(|bulk| format!("write-{}", bulk.write)),
                list(writes: Bytes = [Bytes(16384)]) limit(1, 64 << 20, "a write size in bytes") flag("write" SIZE);
            /// The bytes written before the other side reads them all: up to 64M, more than the cache holds to see main memory.
            buffer: u32 = 262_144, always,
                id(|bulk| format!("buffer-{}", bulk.buffer)),
                list(buffers: Bytes = [Bytes(262_144)]) limit(1, 64 << 20, "a buffer size in bytes") flag("buffer" SIZE);
            /// What TLS up to 1.2 does to the data before it encrypts them: none, deflate.
            compression: Compression = Compression::None, unless,
                id(|bulk| when(bulk.compression != Compression::None, bulk.compression.to_string())),
                list(compressions: Compression = [Compression::None]) flag("compression" METHOD);
            /// What is sent where it is compressed: text, random, zeros. Without compression it makes no difference.
            content: Content = Content::Text, unless,
                id(|bulk| when(bulk.stated_content().is_some(), bulk.content.to_string())),
                list(contents: Content = [Content::Text]) flag("content" KIND);
        } $($more)* }
    };
    ($then:ident! { $($begun:tt)* } idle $($more:tt)*) => {
        $crate::dimensions! { $then! { $($begun)*
            /// The side that is kept; the other is dropped after the handshake.
            side: Side = Side::Server, always,
                id(|idle| idle.side.to_string()),
                list(sides: Side = [Side::Server, Side::Client]);
            /// Connections open at the same time.
            connections: u32 = 500, always,
                id(|idle| format!("{}-connections", idle.connections)),
                list(connections: u64 = [500]) limit(1, 100_000, "a number of connections");
        } $($more)* }
    };
    ($then:ident! { $($begun:tt)* } also_load $($more:tt)*) => {
        $crate::dimensions! { $then! { $($begun)*
            /// What is taken over from an earlier connection: full (nothing); TLS 1.2: session-id, ticket; TLS 1.3: psk, early-data.
            resumption: Resumption = Resumption::Full, always,
                id(|load| when(load.params.is_some(), load.resumption.to_string())),
                list(resumptions: Resumption = [Resumption::Full]) flag("resumption" KIND 'r');
            /// Connections open at the same time. In HTTP/1.1 each has one request at a time.
            connections: u32 = 16, always,
                id(|load| format!("{}-connections", load.connections)),
                list(connections: u64 = [16]) limit(1, 10_000, "a number of connections") flag("connections" N 'c');
            /// Which way the body goes: download has it in the response, upload in the request, and the response has none.
            direction: Direction = Direction::Download, unless,
                id(|load| when(load.direction == Direction::Upload, load.direction.to_string())),
                list(directions: Direction = [Direction::Download]) flag("direction" WAY);
        } $($more)* }
    };
    ($then:ident! { $($begun:tt)* } load $($more:tt)*) => {
        $crate::dimensions! { $then! { $($begun)*
            /// Requests on one connection before it is closed and a new one opened; 0 is no limit (keep-alive).
            requests_per_connection: u32 = 0, always,
                id(|load| match load.requests_per_connection {
                    0 => "keep-alive".to_owned(),
                    1 => "one-request".to_owned(),
                    requests => format!("{requests}-requests"),
                }),
                list(requests_per_connection: u64 = [0]) limit(0, 1_000_000, "requests") flag("requests" N 'n');
            /// Bytes in the body: up to 2G. A server that runs already sends what it has: with one, it is for uploads.
            body: u32 = 0, always,
                id(|load| format!("body-{}", load.body)),
                list(bodies: Bytes = [Bytes(1024)]) limit(0, 2 << 30, "a body size in bytes")
                flag("body" SIZE 'b' or "0,1k,10k,100k,1M");
            /// CPU microseconds that an embedded server's application spends on a request: a dynamic page.
            work_us: u32 = 0, always,
                id(|load| when(load.work_us > 0, format!("work-{}us", load.work_us))),
                list(work_us: u64 = [0]) limit(0, 1_000_000, "work in microseconds") flag("work" US 'w');
            /// With a resumption: of a hundred connections so many resume, the others make full handshakes.
            resumed_percent: u8 = 100, unless,
                id(|load| {
                    let is_mixed = load.resumption != Resumption::Full && load.resumed_percent != 100;
                    when(is_mixed, format!("{}-percent-resumed", load.resumed_percent))
                }),
                list(resumed_percent: u64 = [100]) limit(1, 100, "a percentage") flag("resumed" PERCENT);
            /// The version of HTTP.
            http: Http = Http::Http1, unless,
                id(|load| when(load.http == Http::Http2, load.http.to_string())),
                list(http: Http = [Http::Http1]) flag("http" VERSION);
            /// Open loop: requests per second that are begun, answered or not; 0 is a closed loop.
            rate: u32 = 0, unless,
                id(|load| when(load.rate > 0, format!("{}-per-second", load.rate))),
                list(rates: u64 = [0]) limit(0, 1_000_000, "requests per second") flag("rate" N);
            /// Where a real server's response comes from: a file, or a program behind FastCGI.
            page: Page = Page::Static, unless,
                id(|load| when(load.page != Page::Static, load.page.to_string())),
                list(pages: Page = [Page::Static]) flag("page" KIND);
            /// Bytes of header that the server adds to a response, as one field line: 32 to 8k; 0 adds none.
            response_headers: u32 = 0, unless,
                id(|load| when(load.response_headers > 0, format!("headers-{}", load.response_headers))),
                list(response_headers: Bytes = [Bytes(0)]) limit(0 or 32, 8192, "a size of headers in bytes")
                flag("response-headers" SIZE);
            /// Whether an upload is a form with a file in it (multipart/form-data), as `curl -F` posts it, and not the file alone.
            form: bool = false, unless,
                id(|load| when(load.form, "form".to_owned())),
                list(form: bool = [false]) flag("form" BOOL);
        } $($more)* }
    };
    ($then:ident! { $($begun:tt)* } tuning $($more:tt)*) => {
        $crate::dimensions! { $then! { $($begun)*
            /// Whether plain HTTP sends files by sendfile(2), without copying them through the process.
            sendfile: bool = true, unless,
                id(|tuning| when(!tuning.sendfile, "no-sendfile".to_owned())),
                list(sendfile: bool = [true]) flag("sendfile" BOOL);
            /// The most bytes encrypted into one record, up to 16k, as nginx's ssl_buffer_size; 0 is the server's own choice.
            tls_buffer: u32 = 0, unless,
                id(|tuning| when(tuning.tls_buffer > 0, format!("tls-buffer-{}", tuning.tls_buffer))),
                list(tls_buffers: Bytes = [Bytes(0)]) limit(0, 16384, "a buffer size in bytes") flag("tls-buffer" SIZE);
            /// Worker processes, or threads in a server that has threads.
            workers: u16 = 1, unless,
                id(|tuning| when(tuning.workers != 1, format!("{}-workers", tuning.workers))),
                list(workers: u64 = [1]) limit(1, 1024, "a number of workers") flag("workers" N);
            /// Whether the server is kept on its own core; several workers get all cores.
            pinned: bool = true, unless,
                id(|tuning| when(!tuning.pinned, "not-pinned".to_owned())),
                list(pinned: bool = [true]) flag("pinned" BOOL);
            /// Which workers know a session: all (shared), or the one that made it (per-worker).
            sessions: Sessions = Sessions::Shared, unless,
                id(|tuning| when(tuning.sessions != Sessions::Shared, format!("sessions-{}", tuning.sessions))),
                list(sessions: Sessions = [Sessions::Shared]) flag("sessions" KIND);
        } $($more)* }
    };
}

/// A fragment of an id where it has one, and the empty text elsewhere.
pub(crate) fn when(has_one: bool, fragment: String) -> String {
    if has_one { fragment } else { String::new() }
}
