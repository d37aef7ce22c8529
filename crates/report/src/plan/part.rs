//! The parts of what CPU time is spent on: their words, and which of them are TLS.

use tlstax_doc::plan::Part;

/// All of them, in the order of tables and pictures.
pub(super) const ALL: [Part; 7] = [
    Part::FullHandshakes,
    Part::Resumptions,
    Part::RequestsOverTls,
    Part::Encryption,
    Part::Connections,
    Part::Requests,
    Part::Sending,
];

pub(super) const fn title(part: Part) -> &'static str {
    match part {
        Part::Connections => "TCP connections",
        Part::FullHandshakes => "full handshakes",
        Part::Resumptions => "resumptions",
        Part::Requests => "requests without TLS",
        Part::RequestsOverTls => "TLS of requests",
        Part::Sending => "bodies without TLS",
        Part::Encryption => "encryption of bodies",
    }
}

/// Whether it would not be there without TLS.
pub(super) const fn is_tls(part: Part) -> bool {
    match part {
        Part::FullHandshakes | Part::Resumptions | Part::RequestsOverTls | Part::Encryption => true,
        Part::Connections | Part::Requests | Part::Sending => false,
    }
}

/// Readable on a light and on a dark page.
pub(super) const fn colour(part: Part) -> &'static str {
    match part {
        Part::FullHandshakes => "#d98533",
        Part::Resumptions => "#e3b778",
        Part::RequestsOverTls => "#9a5bb0",
        Part::Encryption => "#3f82c9",
        Part::Connections => "#7b8794",
        Part::Requests => "#3b9478",
        Part::Sending => "#86c2ae",
    }
}
