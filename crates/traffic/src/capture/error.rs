//! [`CaptureError`]: why a capture cannot be read.

use std::io;

use thiserror::Error;

/// Why a capture cannot be read.
#[derive(Debug, Error)]
pub enum CaptureError {
    #[error("it cannot be read: {0}")]
    Read(#[source] io::Error),
    #[error("it is no capture of packets: give a file of tcpdump or Wireshark (pcap or pcapng)")]
    NoCapture,
}
