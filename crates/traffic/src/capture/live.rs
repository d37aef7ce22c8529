//! Packets of an interface as they pass.

use std::time::Duration;

use tlstax_measure::packets::Packets;

use super::container::{Link, Packet};
use super::{Capture, CaptureError};
use crate::tally::Tally;

/// How often is looked whether it is over.
const LOOK: Duration = Duration::from_millis(100);

impl Capture<'_> {
    /// Counts the packets of an interface until `is_over` says so, which is asked ten times a second.
    ///
    /// # Errors
    /// There is no such interface, this user may not look at it, or it went away. What was seen before is counted.
    pub fn listen(
        &mut self,
        interface: &str,
        mut is_over: impl FnMut() -> bool,
        tally: &mut Tally,
    ) -> Result<(), CaptureError> {
        let mut packets =
            Packets::of(interface).map_err(|reason| CaptureError::of_interface(interface, reason))?;
        let mut result = Ok(());
        while result.is_ok() && !is_over() {
            result = packets.wait(LOOK, |packet| {
                tally.add_read(packet.bytes.len() as u64, 0);
                let (seconds, nanoseconds) = packet.at;
                let packet = Packet {
                    link: Link::EtherType(packet.ether_type),
                    at: Some((seconds.into(), nanoseconds)),
                    bytes: packet.bytes,
                    length: packet.length.into(),
                };
                self.take(&packet, tally);
            });
        }
        let lost = packets.lost();
        self.facts.dropped = Some(self.facts.dropped.unwrap_or(0) + lost.as_ref().copied().unwrap_or(0));
        result
            .and(lost.map(|_| ()))
            .map_err(|source| CaptureError::Interface { name: interface.to_owned(), source })
    }
}
