//! [`CaptureError`]: why a capture cannot be read.

use std::io;

use thiserror::Error;
use tlstax_measure::packets::NoPackets;

/// Why a capture cannot be read.
#[derive(Debug, Error)]
pub enum CaptureError {
    #[error("it cannot be read: {0}")]
    Read(#[source] io::Error),
    #[error("it is no capture of packets: give a file of tcpdump or Wireshark (pcap or pcapng)")]
    NoCapture,
    #[error("there is no interface {name}: `ip link` lists those that there are")]
    NoInterface { name: String },
    #[error(
        "the packets of {name} may not be read: that takes the capability CAP_NET_RAW. Run this as root, give it to the program with \
         `setcap cap_net_raw+ep`, or capture with tcpdump and give its file"
    )]
    Forbidden { name: String },
    #[error("the packets of {name} cannot be read: {source}; is the interface up?")]
    Interface { name: String, source: io::Error },
}

impl CaptureError {
    pub(super) fn of_interface(name: &str, reason: NoPackets) -> Self {
        let name = name.to_owned();
        match reason {
            NoPackets::NoSuchInterface => Self::NoInterface { name },
            NoPackets::Forbidden => Self::Forbidden { name },
            NoPackets::Other(source) => Self::Interface { name, source },
        }
    }
}
