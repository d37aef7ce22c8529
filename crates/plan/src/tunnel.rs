//! TLS beside encryption of packets: IPsec ESP, WireGuard and MACsec, by what their cipher costs at the size of a packet and by the
//! bytes that they add to it. Modelled: none of the tunnels is measured, and neither the kernel nor the network card is in it.

use tlstax_doc::model::Bounds;
use tlstax_spec::{Algorithm, Op, Suite};

use crate::figures::{Figures, per, times};
use crate::line::{Cipher, Line, Packet, measured, record_overhead};

/// What protects the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Protection {
    /// Records over TCP.
    Tls,
    /// IPsec ESP in tunnel mode (RFC 4303) with AES-GCM (RFC 4106).
    Esp,
    /// WireGuard, with ChaCha20-Poly1305.
    WireGuard,
    /// MACsec (IEEE 802.1AE) with AES-GCM, and the channel identifier in each frame, as Linux sends it.
    Macsec,
}

/// A protection by a cipher of a library.
#[derive(Debug, Clone, PartialEq)]
pub struct Tunnel {
    pub protection: Protection,
    pub library: String,
    pub cipher: Algorithm,
    /// Bytes that it adds to each packet; of TLS on average, since records are larger than packets.
    pub overhead: f64,
    /// Bytes of data in a packet.
    pub data: f64,
    /// Nanoseconds of the cipher for a packet, to encrypt it, or why they are not known.
    pub encrypts: Result<Bounds, String>,
    /// The same, to decrypt it.
    pub decrypts: Result<Bounds, String>,
}

impl Protection {
    pub const ALL: [Self; 4] = [Self::Tls, Self::Esp, Self::WireGuard, Self::Macsec];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Tls => "TLS",
            Self::Esp => "IPsec ESP",
            Self::WireGuard => "WireGuard",
            Self::Macsec => "MACsec",
        }
    }

    const fn has(self, cipher: Algorithm) -> bool {
        let is_gcm = matches!(cipher, Algorithm::Aes128Gcm | Algorithm::Aes256Gcm);
        let is_chacha = matches!(cipher, Algorithm::ChaCha20Poly1305);
        match self {
            Self::Tls => is_gcm || is_chacha,
            Self::Esp | Self::Macsec => is_gcm,
            Self::WireGuard => is_chacha,
        }
    }

    /// The largest packet of IP that fits into a packet of the line, and how many bytes of it and around it are encrypted.
    ///
    /// - ESP (RFC 4303, 2; RFC 4106, 3): a new header of IP, 8 bytes of identifier and number, 8 of nonce, padding to whole words, 2
    ///   bytes about it, and a tag of 16. Without UDP around it (RFC 3948), which takes 8 more.
    /// - WireGuard (Donenfeld, "WireGuard: Next Generation Kernel Network Tunnel", 2017, 5.4.6): a new header of IP, 8 bytes of UDP, 16
    ///   of its own, and a tag of 16. Packets are padded to 16 bytes, and the largest are not.
    /// - MACsec (IEEE 802.1AE, clause 9): 16 bytes before and a tag of 16 behind the frame's type and packet, which are encrypted.
    const fn largest(self, packet: &Packet) -> (u64, u64) {
        match self {
            Self::Tls => (packet.mtu, packet.mtu),
            Self::Esp => {
                let encrypted = (packet.mtu - packet.ip - 8 - 8 - 16) / 4 * 4;
                (encrypted - 2, encrypted)
            }
            Self::WireGuard => {
                let inner = packet.mtu - packet.ip - 8 - 16 - 16;
                (inner, inner)
            }
            Self::Macsec => (packet.mtu - 32, packet.mtu - 32 + 2),
        }
    }
}

impl Tunnel {
    fn of(protection: Protection, cipher: &Cipher<'_>, packet: &Packet, record: u32) -> Self {
        let headers = packet.ip + packet.tcp;
        let (overhead, data, message) = match protection {
            Protection::Tls => {
                let added = f64::from(record_overhead(Suite::Aes128Gcm, record)) / f64::from(record);
                let data = packet.payload() / (1.0 + added);
                (packet.payload() - data, data, f64::from(record))
            }
            _ => {
                let (inner, encrypted) = protection.largest(packet);
                ((packet.mtu - inner) as f64, (inner - headers) as f64, encrypted as f64)
            }
        };
        // A record is many packets; a packet in a tunnel is one message.
        let share = if protection == Protection::Tls { data / message } else { 1.0 };
        let cost = |op| cipher.cost(op, message as u32).map(|sized| times(sized.ns, share));
        let (encrypts, decrypts) = (cost(Op::Encrypt), cost(Op::Decrypt));
        let library = cipher.library.to_owned();
        Self { protection, library, cipher: cipher.algorithm, overhead, data, encrypts, decrypts }
    }

    /// Cores that it takes to fill a line with full packets, at so much for each.
    pub fn cores(ns: Bounds, line: Line, packet: &Packet) -> Bounds {
        times(ns, packet.packets(line) / 1e9)
    }

    /// Gbit/s of a line that one core fills, at so much for each packet.
    pub fn one_core(ns: Bounds, packet: &Packet) -> Bounds {
        per(8.0 * packet.on_line(), ns)
    }

    /// The part of a line that is data.
    pub fn goodput(&self, packet: &Packet) -> f64 {
        self.data / packet.on_line()
    }
}

/// Each protection by each cipher that it has and that was measured; TLS in records of so many bytes.
pub fn tunnels(figures: &Figures<'_>, packet: &Packet, record: u32) -> Vec<Tunnel> {
    let of = |cipher: &Cipher<'_>| -> Vec<Tunnel> {
        let own = Protection::ALL.into_iter().filter(|protection| protection.has(cipher.algorithm));
        own.map(|protection| Tunnel::of(protection, cipher, packet, record)).collect()
    };
    measured(figures).iter().flat_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ETHERNET: Packet = Packet { mtu: 1500, ip: 20, tcp: 32 };

    #[test]
    fn what_tunnels_add_is_what_their_standards_say() {
        let inner = |protection: Protection, packet: &Packet| protection.largest(packet).0;
        assert_eq!(inner(Protection::Esp, &ETHERNET), 1446, "20 + 8 + 8 + 1446 + 2 + 16 = 1500");
        // As wg(8) sets it: 1440 over IPv4, 1420 over IPv6.
        assert_eq!(inner(Protection::WireGuard, &ETHERNET), 1440);
        assert_eq!(inner(Protection::WireGuard, &Packet { ip: 40, ..ETHERNET }), 1420);
        // As Linux sets the MTU of a macsec device over one of 1500.
        assert_eq!(inner(Protection::Macsec, &ETHERNET), 1468);
    }

    #[test]
    fn esp_pads_to_whole_words_and_never_outgrows_its_packet() {
        for mtu in 576..9001 {
            let packet = Packet { mtu, ..ETHERNET };
            let (inner, encrypted) = Protection::Esp.largest(&packet);
            assert!(encrypted.is_multiple_of(4) && inner + 2 <= encrypted);
            let whole = packet.ip + 8 + 8 + encrypted + 16;
            assert!(whole <= mtu && mtu < whole + 4, "{mtu}: {whole}");
        }
    }
}
