//! What terms cost about, before anything is measured.

use tlstax_doc::model::{Path, Term};
use tlstax_spec::Key;

/// What a term costs about, in nanoseconds: its order of magnitude, from own runs of nginx on current x86 servers. The choice of loads
/// needs it to weigh them, as the relative error of a measurement is what is known of it; no prediction does.
pub fn prior(term: Term) -> f64 {
    match term {
        Term::Connection => 40_000.0,
        Term::Http2Connection => 20_000.0,
        Term::Handshake { key, .. } => signature(key) + 250_000.0,
        Term::Resumption { .. } => 200_000.0,
        Term::Session { .. } => 25_000.0,
        Term::Group { group } if group.is_finite_field() => 1_000_000.0,
        Term::Group { .. } | Term::KeyTransport { .. } => 60_000.0,
        Term::Request { tls: false, .. } => 15_000.0,
        Term::Request { tls: true, .. } => 20_000.0,
        Term::Body { path, bytes, .. } => f64::from(bytes) * per_byte(path),
        Term::SuiteByte { .. } => 0.2,
        Term::Record => 5_000.0,
        Term::Buffer => 3_000.0,
        Term::SuiteRecord { .. } => 500.0,
    }
}

const fn signature(key: Key) -> f64 {
    match key {
        Key::Rsa2048 => 600_000.0,
        Key::Rsa3072 => 1_800_000.0,
        Key::Rsa4096 => 4_000_000.0,
        _ => 100_000.0,
    }
}

const fn per_byte(path: Path) -> f64 {
    match path {
        Path::Sendfile => 0.1,
        Path::Copy => 0.2,
        Path::Tls => 0.5,
    }
}
