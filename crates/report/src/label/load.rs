//! What names a request: the variables of a load in words.

use tlstax_spec::{Direction, Http, Load, Page, Params, Resumption, Sessions, Tuning};

use super::field::Field;
use super::names::{cipher, group, key, several, version, yes};
use crate::ask::Item;
use crate::number;

pub(crate) const CLIENT: &str = "client";

pub(crate) const BODY: &str = "bodies of";

/// The title of the field with whether connections are kept, and how new ones begin.
pub(crate) const KEEPING: &str = "connections:";

pub(crate) const SCHEME: &str = "all";

const WAY: Field<Load> = Field::new(SCHEME, |item| scheme(item.work).to_owned());
const VERSION: Field<Load> =
    Field::detail("", |item| of_params(item.work, |params| version(params.version).to_owned()));
const BY: Field<Load> = Field::detail(CLIENT, |item| item.work.client.to_string());
const CIPHER: Field<Load> = Field::detail("", |item| of_params(item.work, |params| cipher(params.suite)));
const GROUP: Field<Load> = Field::detail("", |item| of_params(item.work, group));
const KEY: Field<Load> = Field::detail("", |item| of_params(item.work, |params| key(params.key).to_owned()));
const HOW: Field<Load> = Field::new(KEEPING, |item| keeping(item.work));
const RESUMED: Field<Load> = Field::new("", |item| of_params(item.work, |_| resumed(item.work)));
const OPEN: Field<Load> = Field::detail("", |item| connections(item.work.connections));
const SIZE: Field<Load> = Field::new(BODY, |item| number::bytes(item.work.body.into()));
const UPLOAD: Field<Load> =
    Field::new("", |item| yes(item.work.direction == Direction::Upload, Direction::Upload.name()));
const DIRECTION: Field<Load> = Field::new("", |item| item.work.direction.to_string());
const FORM: Field<Load> = Field::new("", |item| yes(item.work.form, "form"));
const PAGE: Field<Load> = Field::new("", |item| yes(item.work.page == Page::FastCgi, "FastCGI page"));
const WORK: Field<Load> = Field::new("", |item| yes(item.work.work_us > 0, &work(item.work.work_us)));
const RATE: Field<Load> = Field::new("", |item| yes(item.work.rate > 0, &rate(item.work.rate)));
const PACE: Field<Load> = Field::new("", |item| match item.work.rate {
    0 => "as fast as it goes".to_owned(),
    offered => rate(offered),
});
/// Of transfers, where TLS names itself by its version: HTTP without TLS, and HTTP/2 with it.
const NO_TLS: Field<Load> = Field::new(SCHEME, |item| yes(item.work.params.is_none(), scheme(item.work)));
const H2: Field<Load> =
    Field::new("", |item| yes(item.work.http == Http::Http2 && item.work.params.is_some(), "h2"));
const HEADERS: Field<Load> = Field::new("", |item| {
    let bytes = item.work.response_headers;
    yes(bytes > 0, &format!("{} of header", number::bytes(bytes.into())))
});
const SENDFILE: Field<Load> = Field::new("", |item| yes(!item.work.tuning.sendfile, "no sendfile"));
const BUFFER: Field<Load> = Field::new("", |item| {
    let bytes = item.work.tuning.tls_buffer;
    yes(bytes > 0, &format!("{} records", number::bytes(bytes.into())))
});
const WORKERS: Field<Load> = Field::new("", |item| {
    let workers = item.work.tuning.workers;
    yes(workers != Tuning::default().workers, &format!("{workers} workers"))
});
const PINNED: Field<Load> = Field::new("", |item| yes(!item.work.tuning.pinned, "not pinned"));
const SESSIONS: Field<Load> =
    Field::new("", |item| yes(item.work.tuning.sessions == Sessions::PerWorker, "sessions per worker"));
const THREADS: Field<Load> = Field::new("", |item: &Item<'_, _>| several(item.case.threads));

const ALWAYS_VERSION: Field<Load> = VERSION.always();
const ALWAYS_BY: Field<Load> = BY.always();
const ALWAYS_CIPHER: Field<Load> = CIPHER.always();
const ALWAYS_GROUP: Field<Load> = GROUP.always();
const WAY_IN_DETAIL: Field<Load> = WAY.detailed();

pub(crate) static LOAD: &[Field<Load>] = &[
    WAY, VERSION, BY, CIPHER, GROUP, HOW, KEY, OPEN, SIZE, UPLOAD, FORM, PAGE, WORK, RATE, HEADERS, SENDFILE,
    BUFFER, WORKERS, PINNED, SESSIONS, THREADS,
];

/// Versions of HTTP beside each other: every row names how fast requests come.
pub(crate) static PACED: &[Field<Load>] = &[
    PACE, VERSION, CIPHER, GROUP, HOW, KEY, OPEN, SIZE, UPLOAD, FORM, PAGE, WORK, HEADERS, SENDFILE, BUFFER,
    WORKERS, PINNED, SESSIONS, THREADS,
];

/// Large files: who moves them which way, and with which cipher.
pub(crate) static TRANSFER: &[Field<Load>] = &[
    ALWAYS_BY,
    DIRECTION,
    FORM,
    NO_TLS,
    H2,
    VERSION,
    ALWAYS_CIPHER,
    GROUP,
    KEY,
    SIZE,
    OPEN,
    PAGE,
    HEADERS,
    SENDFILE,
    BUFFER,
    WORKERS,
    PINNED,
    THREADS,
];

/// Large files where who moves them which way stands elsewhere: what is left is how they are encrypted.
pub(crate) static CIPHERS: &[Field<Load>] = TRANSFER.split_at(MOVED_BY).1;

/// The fields of [`TRANSFER`] with who moves a file which way, and as what.
const MOVED_BY: usize = 3;

/// Handshakes on a server: the key and the exchange come first.
pub(crate) static ON_SERVER: &[Field<Load>] = &[
    KEY,
    ALWAYS_GROUP,
    ALWAYS_VERSION,
    RESUMED,
    WAY_IN_DETAIL,
    CIPHER,
    SIZE,
    OPEN,
    RATE,
    HEADERS,
    BUFFER,
    WORKERS,
    PINNED,
    SESSIONS,
    THREADS,
];

fn scheme(load: &Load) -> &'static str {
    way(load.http, load.params.is_some())
}

/// The usual name of a version of HTTP, with TLS or without.
pub(crate) fn way(http: Http, has_tls: bool) -> &'static str {
    match (http, has_tls) {
        (Http::Http1, false) => "HTTP",
        (Http::Http1, true) => "HTTPS",
        (Http::Http2, false) => "h2c",
        (Http::Http2, true) => "h2",
    }
}

/// Whether connections are kept, and how new ones begin.
pub(crate) fn keeping(load: &Load) -> String {
    let resumed = match load.resumption {
        Resumption::Full => String::new(),
        _ if load.params.is_none() => String::new(),
        _ => format!(" {}", resumed(load)),
    };
    match load.requests_per_connection {
        0 => "keep-alive".to_owned(),
        1 => format!("new{resumed}"),
        requests => format!("{requests} per connection{resumed}"),
    }
}

fn connections(count: u32) -> String {
    match count {
        1 => "1 connection".to_owned(),
        many => format!("{many} connections"),
    }
}

/// The kind of resumption, with the share of connections that are to resume where that is not all.
fn resumed(load: &Load) -> String {
    match (load.resumption, load.resumed_percent) {
        (Resumption::Full, _) | (_, 100) => load.resumption.to_string(),
        (resumption, percent) => format!("{percent}% {resumption}"),
    }
}

fn rate(offered: u32) -> String {
    format!("{offered} req/s offered")
}

fn work(micros: u32) -> String {
    if micros.is_multiple_of(1000) { format!("+{} ms", micros / 1000) } else { format!("+{micros} µs") }
}

fn of_params(load: &Load, field: impl Fn(Params) -> String) -> String {
    load.params.map_or_else(String::new, field)
}
