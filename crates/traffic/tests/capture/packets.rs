//! Packets of conversations, and files of packets.

use crate::made::Burst;

/// What stands in a packet of IP.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sent {
    /// Which connection it is of.
    pub port: u16,
    pub is_client: bool,
    pub at: u32,
    pub acknowledged: u32,
    pub flags: u8,
    pub payload: Vec<u8>,
    pub seconds: u32,
}

pub const FIN: u8 = 1;
pub const SYN: u8 = 2;
pub const RESET: u8 = 4;
pub const ACK: u8 = 16;

/// The port of servers.
const SERVER: u16 = 443;

/// The segments of a connection, each with so many bytes at most, from the first second on.
pub fn segments(port: u16, seconds: u32, bursts: &[Burst], most: usize) -> Vec<Sent> {
    // Just before they are set back to 0.
    let mut next = [u32::MAX - 700, u32::MAX - 2_000];
    let mut sent = Vec::new();
    let mut send = |next: &mut [u32; 2], is_client: bool, flags: u8, payload: &[u8]| {
        let (own, other) = (usize::from(is_client), usize::from(!is_client));
        let (at, acknowledged) = (next[own], if flags == SYN { 0 } else { next[other] });
        sent.push(Sent { port, is_client, at, acknowledged, flags, payload: payload.to_vec(), seconds });
        let counted = u32::try_from(payload.len()).unwrap() + u32::from(flags & (SYN | FIN) != 0);
        next[own] = at.wrapping_add(counted);
    };
    send(&mut next, true, SYN, &[]);
    send(&mut next, false, SYN | ACK, &[]);
    send(&mut next, true, ACK, &[]);
    for burst in bursts {
        burst.bytes.chunks(most).for_each(|part| send(&mut next, burst.is_client, ACK, part));
    }
    send(&mut next, true, FIN | ACK, &[]);
    send(&mut next, false, FIN | ACK, &[]);
    send(&mut next, true, ACK, &[]);
    sent
}

impl Sent {
    pub fn tcp(&self) -> Vec<u8> {
        let ports = if self.is_client { [self.port, SERVER] } else { [SERVER, self.port] };
        let mut bytes = ports.map(u16::to_be_bytes).concat();
        bytes.extend(self.at.to_be_bytes());
        bytes.extend(self.acknowledged.to_be_bytes());
        bytes.extend([0x50, self.flags, 0xff, 0xff, 0, 0, 0, 0]);
        bytes.extend(&self.payload);
        bytes
    }

    pub fn ipv4(&self, options: &[u8]) -> Vec<u8> {
        let tcp = self.tcp();
        let header = 20 + options.len();
        let length = u16::try_from(header + tcp.len()).unwrap();
        let mut bytes = vec![0x40 | u8::try_from(header / 4).unwrap(), 0];
        bytes.extend(length.to_be_bytes());
        bytes.extend([0, 0, 0x40, 0, 64, 6, 0, 0]);
        let (client, server) = ([203, 0, 113, 7], [198, 51, 100, 1]);
        bytes.extend(if self.is_client { [client, server] } else { [server, client] }.concat());
        bytes.extend(options);
        bytes.extend(tcp);
        bytes
    }

    /// With extension headers before TCP: each its type, and what it is without the type of the next.
    pub fn ipv6(&self, extensions: &[(u8, Vec<u8>)]) -> Vec<u8> {
        let mut next = 6;
        let mut behind = self.tcp();
        for (kind, body) in extensions.iter().rev() {
            behind = [&[next][..], body, &behind].concat();
            next = *kind;
        }
        let mut bytes = vec![0x60, 0, 0, 0];
        bytes.extend(u16::try_from(behind.len()).unwrap().to_be_bytes());
        bytes.extend([next, 64]);
        let ends = if self.is_client { [1, 2] } else { [2, 1] };
        ends.iter().for_each(|end| bytes.extend([&[0x20, 1, 0x0d, 0xb8][..], &[0; 11], &[*end]].concat()));
        bytes.extend(behind);
        bytes
    }

    pub fn ethernet(&self) -> Vec<u8> {
        [&[2; 12][..], &[8, 0], &self.ipv4(&[])].concat()
    }
}

/// How a file of pcap is written.
#[derive(Debug, Clone, Copy)]
pub struct Form {
    pub is_big: bool,
    pub is_in_nanoseconds: bool,
    pub link: u32,
    /// Bytes that are captured of each packet.
    pub most: usize,
}

pub const USUAL: Form = Form { is_big: false, is_in_nanoseconds: false, link: 1, most: usize::MAX };

/// Packets with the seconds at which they were.
pub type Frames = Vec<(u32, Vec<u8>)>;

pub fn ethernet(sent: &[Sent]) -> Frames {
    sent.iter().map(|sent| (sent.seconds, sent.ethernet())).collect()
}

pub fn pcap(form: Form, frames: &Frames) -> Vec<u8> {
    let u32 = |number: u32| if form.is_big { number.to_be_bytes() } else { number.to_le_bytes() };
    let magic = if form.is_in_nanoseconds { 0xa1b2_3c4d } else { 0xa1b2_c3d4 };
    let mut file = u32(magic).to_vec();
    file.extend(if form.is_big { [0, 2, 0, 4] } else { [2, 0, 4, 0] });
    [0, 0, 262_144, form.link].into_iter().for_each(|number| file.extend(u32(number)));
    for (seconds, frame) in frames {
        let captured = &frame[..frame.len().min(form.most)];
        let lengths = [captured.len(), frame.len()].map(|length| u32(u32::try_from(length).unwrap()));
        file.extend([u32(*seconds), u32(500), lengths[0], lengths[1]].concat());
        file.extend(captured);
    }
    file
}

pub fn usual(sent: &[Sent]) -> Vec<u8> {
    pcap(USUAL, &ethernet(sent))
}
