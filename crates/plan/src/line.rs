//! Lines: whether cores can fill them, and how many it takes.

mod cipher;
mod line;
mod packet;
mod record;
mod server;
mod size;
mod stream;
mod tcp;

use crate::figures::Figures;

pub use line::{Line, NoLine, seconds_to_encrypt};
pub use packet::Packet;
pub use record::record_overhead;
pub use size::{Sized, at_size};
pub use stream::{Basis as StreamBasis, Stream};
pub use tcp::reno;

pub(crate) use cipher::{Cipher, measured};

/// What of results can fill a line: the record layers of libraries with data in memory, real servers with their kernel, and
/// ciphers alone; in records of so many bytes.
pub fn streams(figures: &Figures<'_>, record: u32) -> Vec<Stream> {
    let mut streams = stream::record_layers(figures, record);
    streams.extend(server::servers(figures));
    streams.extend(cipher::ciphers(figures, record));
    streams
}

#[cfg(test)]
mod tests;
