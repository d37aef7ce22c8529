//! Which function a call goes to, from the bytes before its return address.

use super::machine::Architecture;

/// How many bytes before a return address are looked at.
pub const CALL: usize = 6;

/// How many bytes of a stub of the procedure linkage table are looked at.
pub const STUB: usize = 20;

/// Where an instruction leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// To an address: a function, or a stub of the procedure linkage table.
    Code(u64),
    /// To wherever the pointer at this address points: a slot of the global offset table.
    Slot(u64),
}

/// The call that ends where `bytes` ends, at the address `end`; none if there is no call, or it goes through a register.
pub fn call(bytes: &[u8], end: u64, architecture: Architecture) -> Option<Target> {
    match architecture {
        Architecture::X86_64 => x86_call(bytes, end),
        Architecture::Aarch64 => {
            let instruction = word(bytes.get(bytes.len().checked_sub(4)?..)?)?;
            // BL imm26
            (instruction >> 26 == 0b10_0101)
                .then(|| Target::Code(end.wrapping_sub(4).wrapping_add_signed(branch(instruction))))
        }
    }
}

/// Whether a call of any kind ends where `bytes` ends.
pub fn is_after_call(bytes: &[u8], architecture: Architecture) -> bool {
    match architecture {
        Architecture::X86_64 => {
            // E8 rel32; FF /2 with a register, or with 8 or 32 bits of displacement, with or without a byte of scale.
            let at = |back: usize| bytes.len().checked_sub(back).and_then(|at| bytes.get(at)).copied();
            let is_ff2 =
                |back| at(back) == Some(0xff) && at(back - 1).is_some_and(|modrm| modrm >> 3 & 7 == 2);
            at(5) == Some(0xe8) || [2, 3, 4, 6].into_iter().any(is_ff2)
        }
        Architecture::Aarch64 => {
            let last = bytes.len().checked_sub(4).and_then(|at| word(&bytes[at..]));
            // BL, or BLR in its forms with and without authentication.
            last.is_some_and(|one| one >> 26 == 0b10_0101 || one & 0xfeff_f000 == 0xd63f_0000)
        }
    }
}

/// The slot that a stub of the procedure linkage table at this address jumps through; none if it is no stub.
pub fn stub(bytes: &[u8], address: u64, architecture: Architecture) -> Option<u64> {
    match architecture {
        Architecture::X86_64 => x86_stub(bytes, address),
        Architecture::Aarch64 => aarch64_stub(bytes, address),
    }
}

fn x86_call(bytes: &[u8], end: u64) -> Option<Target> {
    let distance = i32::from_le_bytes(bytes.get(bytes.len().checked_sub(4)?..)?.try_into().ok()?);
    let address = end.wrapping_add_signed(distance.into());
    let before = &bytes[..bytes.len() - 4];
    match before {
        [.., 0xff, 0x15] => Some(Target::Slot(address)),
        [.., 0xe8] => Some(Target::Code(address)),
        _ => None,
    }
}

/// `endbr64`, then `jmp *slot(%rip)`, with a prefix `bnd` or without.
fn x86_stub(bytes: &[u8], address: u64) -> Option<u64> {
    let rest = bytes.strip_prefix(&[0xf3, 0x0f, 0x1e, 0xfa]).unwrap_or(bytes);
    let rest = rest.strip_prefix(&[0xf2]).unwrap_or(rest);
    let rest = rest.strip_prefix(&[0xff, 0x25])?;
    let distance = i32::from_le_bytes(rest.get(..4)?.try_into().ok()?);
    let length = (bytes.len() - rest.len() + 4) as u64;
    Some(address.wrapping_add(length).wrapping_add_signed(distance.into()))
}

/// `bti c` or not, then `adrp x16, page; ldr x17, [x16, #offset]`.
fn aarch64_stub(bytes: &[u8], address: u64) -> Option<u64> {
    let (mut page_at, mut rest) = (address, bytes);
    if word(rest)? == 0xd503_245f {
        (page_at, rest) = (address + 4, &rest[4..]);
    }
    let (adrp, ldr) = (word(rest)?, word(rest.get(4..)?)?);
    if adrp & 0x9f00_001f != 0x9000_0010 || ldr & 0xffc0_03ff != 0xf940_0211 {
        return None;
    }
    let pages = (adrp >> 5 & 0x7_ffff) << 2 | adrp >> 29 & 3;
    // 21 bits with a sign, of 4 KiB each.
    let distance = i64::from((pages << 11).cast_signed() >> 11) << 12;
    let offset = u64::from(ldr >> 10 & 0xfff) * 8;
    Some((page_at & !0xfff).wrapping_add_signed(distance).wrapping_add(offset))
}

/// The distance of a branch with 26 bits of it, in bytes.
fn branch(instruction: u32) -> i64 {
    i64::from((instruction << 6).cast_signed() >> 4)
}

fn word(bytes: &[u8]) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(..4)?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::Architecture::{Aarch64, X86_64};
    use super::*;

    #[test]
    fn calls_of_x86_64() {
        // call -0x10; after it, 0x2000.
        assert_eq!(call(&[0x90, 0xe8, 0xf0, 0xff, 0xff, 0xff], 0x2000, X86_64), Some(Target::Code(0x1ff0)));
        assert_eq!(call(&[0xff, 0x15, 0x08, 0, 0, 0], 0x2000, X86_64), Some(Target::Slot(0x2008)));
        // call *%rax has no address; nor has what is no call.
        assert_eq!(call(&[0, 0, 0, 0, 0xff, 0xd0], 0x2000, X86_64), None);
        assert_eq!((call(&[0x90; 6], 0x2000, X86_64), call(&[0xe8], 5, X86_64)), (None, None));
    }

    #[test]
    fn any_call_is_known_as_one() {
        for bytes in [
            [0, 0xe8, 1, 2, 3, 4],
            [0, 0, 0, 0, 0xff, 0xd0],
            [0, 0, 0, 0xff, 0x50, 8],
            [0, 0, 0xff, 0x54, 0x24, 8],
            [0xff, 0x90, 1, 2, 3, 4],
        ] {
            assert!(is_after_call(&bytes, X86_64), "{bytes:x?}");
        }
        assert!(!is_after_call(&[0x90; 6], X86_64) && !is_after_call(&[], X86_64));
        // blr x8; bl; ret
        assert!(is_after_call(&0xd63f_0100_u32.to_le_bytes(), Aarch64));
        assert!(is_after_call(&0x9400_0001_u32.to_le_bytes(), Aarch64));
        assert!(!is_after_call(&0xd65f_03c0_u32.to_le_bytes(), Aarch64));
    }

    #[test]
    fn stubs_of_x86_64() {
        let sec = [0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff, 0x25, 0x10, 0, 0, 0, 0x0f];
        assert_eq!(stub(&sec, 0x1000, X86_64), Some(0x101b));
        assert_eq!(stub(&[0xff, 0x25, 0xfa, 0xff, 0xff, 0xff], 0x1000, X86_64), Some(0x1000));
        assert_eq!((stub(&[0x55; 16], 0x1000, X86_64), stub(&[0xff, 0x25], 0, X86_64)), (None, None));
    }

    #[test]
    fn calls_and_stubs_of_aarch64() {
        // bl -8
        assert_eq!(call(&0x97ff_fffe_u32.to_le_bytes(), 0x2000, Aarch64), Some(Target::Code(0x1ff4)));
        assert_eq!(call(&0xd63f_0100_u32.to_le_bytes(), 0x2000, Aarch64), None);
        // adrp x16, 0x20000; ldr x17, [x16, #24]; add x16, x16, #24; br x17
        let words = [0x9000_0110_u32, 0xf940_0e11, 0x9100_6210, 0xd61f_0220];
        let plain: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        assert_eq!(stub(&plain, 0x400, Aarch64), Some(0x2_0018));
        let guarded = [&0xd503_245f_u32.to_le_bytes(), plain.as_slice()].concat();
        assert_eq!(stub(&guarded, 0x400, Aarch64), Some(0x2_0018));
        assert_eq!(stub(&[0; 20], 0x400, Aarch64), None);
    }
}
