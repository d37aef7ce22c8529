//! What the kernel shows of a packet: all of TCP, and the beginning of everything else.

use std::io;
use std::os::fd::OwnedFd;

use super::socket::set;

/// Enough to say that it is something else.
const BEGINNING: u32 = 64;
/// Longer than any packet.
const ALL: u32 = 1 << 18;

/// Codes of instructions, linux/bpf_common.h.
const LOAD_WORD: u16 = 0x20;
const LOAD_BYTE: u16 = 0x30;
const JUMP_IF_EQUAL: u16 = 0x15;
const RETURN: u16 = 0x06;

/// SKF_AD_OFF + SKF_AD_PROTOCOL: the type of what follows the header of the link.
const ETHER_TYPE: u32 = 0xffff_f000;

const TCP: u32 = 6;

/// A program of classic BPF over the packet from its IP header on. Its places are counted from 0.
const PROGRAM: [libc::sock_filter; 16] = [
    load(LOAD_WORD, ETHER_TYPE),
    jump(0x0800, 0, 2),
    load(LOAD_BYTE, 9),
    jump(TCP, 11, 10),
    jump(0x86dd, 0, 7),
    load(LOAD_BYTE, 6),
    jump(TCP, 8, 0),
    // Extension headers before it: hop by hop, routing, fragment, authentication, destination.
    jump(0, 7, 0),
    jump(43, 6, 0),
    jump(44, 5, 0),
    jump(51, 4, 0),
    jump(60, 3, 2),
    // A tag of a VLAN within another.
    jump(0x8100, 2, 0),
    jump(0x88a8, 1, 0),
    load(RETURN, BEGINNING),
    load(RETURN, ALL),
];

const fn load(code: u16, k: u32) -> libc::sock_filter {
    libc::sock_filter { code, jt: 0, jf: 0, k }
}

const fn jump(value: u32, then: u8, otherwise: u8) -> libc::sock_filter {
    libc::sock_filter { code: JUMP_IF_EQUAL, jt: then, jf: otherwise, k: value }
}

pub fn attach(socket: &OwnedFd) -> io::Result<()> {
    let mut program = PROGRAM;
    let program = libc::sock_fprog { len: program.len() as u16, filter: program.as_mut_ptr() };
    set(socket, libc::SOL_SOCKET, libc::SO_ATTACH_FILTER, &program)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the program returns for a packet.
    fn run(ether_type: u32, packet: &[u8]) -> u32 {
        let (mut at, mut value) = (0, 0);
        loop {
            let instruction = PROGRAM[at];
            at += 1;
            match instruction.code {
                LOAD_WORD => value = ether_type,
                LOAD_BYTE => value = packet[instruction.k as usize].into(),
                JUMP_IF_EQUAL if value == instruction.k => at += usize::from(instruction.jt),
                JUMP_IF_EQUAL => at += usize::from(instruction.jf),
                _ => return instruction.k,
            }
        }
    }

    #[test]
    fn all_of_tcp_is_shown_and_little_else() {
        let with = |at: usize, byte: u8| {
            let mut packet = [1; 40];
            packet[at] = byte;
            packet
        };
        assert_eq!((run(0x0800, &with(9, 6)), run(0x0800, &with(9, 17))), (ALL, BEGINNING));
        for extension in [6, 0, 43, 44, 51, 60] {
            assert_eq!(run(0x86dd, &with(6, extension)), ALL, "{extension}");
        }
        assert_eq!(run(0x86dd, &with(6, 58)), BEGINNING);
        assert_eq!((run(0x8100, &[]), run(0x88a8, &[]), run(0x0806, &[])), (ALL, ALL, BEGINNING));
    }
}
