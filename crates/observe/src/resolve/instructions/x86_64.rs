//! Counts instructions of x86-64.

use iced_x86::{Code, Decoder, DecoderOptions, Instruction, Mnemonic, OpKind};

use super::counts::Counts;
use crate::frame::Instructions;

pub fn count(code: &[u8]) -> Counts {
    let mut counts = Counts::default();
    let mut decoder = Decoder::new(64, code, DecoderOptions::NONE);
    let mut instruction = Instruction::default();
    while decoder.can_decode() {
        decoder.decode_out(&mut instruction);
        take(&instruction, &mut counts);
        take_constants(&instruction, &mut counts);
    }
    counts
}

fn take(instruction: &Instruction, counts: &mut Counts) {
    use Mnemonic as M;
    match instruction.mnemonic() {
        M::Aesenc | M::Aesenclast | M::Aesdec | M::Aesdeclast | M::Aeskeygenassist => {
            counts.see(Instructions::AES);
        }
        M::Vaesenc | M::Vaesenclast | M::Vaesdec | M::Vaesdeclast | M::Vaeskeygenassist => {
            counts.see(Instructions::AES);
        }
        M::Pclmulqdq | M::Vpclmulqdq => counts.see(Instructions::CLMUL),
        M::Sha1rnds4 => counts.see(Instructions::SHA1),
        M::Sha256rnds2 => counts.see(Instructions::SHA256),
        M::Vsha512rnds2 => counts.see(Instructions::SHA512),
        M::Mulx => counts.products += 1,
        M::Mul if instruction.code() == Code::Mul_rm64 => counts.products += 1,
        M::Imul if matches!(instruction.code(), Code::Imul_r64_rm64 | Code::Imul_r64_rm64_imm8) => {
            counts.short_products += 1;
        }
        // Eight products at once, of 52 bits: RSA and curves with AVX-512.
        M::Vpmadd52luq | M::Vpmadd52huq => {
            (counts.products, counts.carries) = (counts.products + 1, counts.carries + 1)
        }
        M::Adc | M::Adcx | M::Adox | M::Sbb => counts.carries += 1,
        M::Ror | M::Rorx | M::Rol | M::Shrd | M::Shld => rotate(instruction, counts),
        M::Vprord | M::Vprold | M::Vprorq | M::Vprolq => rotate_vector(instruction, counts),
        M::Psrld | M::Vpsrld | M::Psrlq | M::Vpsrlq => shift_vector(instruction, counts),
        _ => {}
    }
}

/// The constant that is the last operand.
fn amount(instruction: &Instruction) -> Option<u32> {
    let last = instruction.op_count().checked_sub(1)?;
    (instruction.op_kind(last) == OpKind::Immediate8).then(|| u32::from(instruction.immediate8()))
}

fn rotate(instruction: &Instruction, counts: &mut Counts) {
    let (bits, is_left) = match instruction.code() {
        Code::Ror_rm32_imm8 | Code::VEX_Rorx_r32_rm32_imm8 => (32, false),
        Code::Ror_rm64_imm8 | Code::VEX_Rorx_r64_rm64_imm8 => (64, false),
        Code::Rol_rm32_imm8 => (32, true),
        Code::Rol_rm64_imm8 => (64, true),
        // A double shift of a register into itself is a rotation, and on some CPUs the faster one.
        Code::Shrd_rm32_r32_imm8 if is_into_itself(instruction) => (32, false),
        Code::Shrd_rm64_r64_imm8 if is_into_itself(instruction) => (64, false),
        Code::Shld_rm32_r32_imm8 if is_into_itself(instruction) => (32, true),
        Code::Shld_rm64_r64_imm8 if is_into_itself(instruction) => (64, true),
        _ => return,
    };
    if let Some(by) = amount(instruction).filter(|by| (1..bits).contains(by)) {
        counts.rotate(bits, if is_left { bits - by } else { by });
    }
}

fn is_into_itself(instruction: &Instruction) -> bool {
    instruction.op0_kind() == OpKind::Register && instruction.op0_register() == instruction.op1_register()
}

fn rotate_vector(instruction: &Instruction, counts: &mut Counts) {
    let is_of_32 = matches!(instruction.mnemonic(), Mnemonic::Vprord | Mnemonic::Vprold);
    let is_left = matches!(instruction.mnemonic(), Mnemonic::Vprold | Mnemonic::Vprolq);
    let bits = if is_of_32 { 32 } else { 64 };
    if let Some(by) = amount(instruction).filter(|by| *by < bits) {
        counts.rotate(bits, if is_left { bits - by } else { by });
    }
}

/// One half of a rotation; the other one is a shift to the left by the rest.
fn shift_vector(instruction: &Instruction, counts: &mut Counts) {
    let is_of_32 = matches!(instruction.mnemonic(), Mnemonic::Psrld | Mnemonic::Vpsrld);
    let bits = if is_of_32 { 32 } else { 64 };
    if let Some(by) = amount(instruction).filter(|by| *by < bits) {
        counts.rotate(bits, by);
    }
}

fn take_constants(instruction: &Instruction, counts: &mut Counts) {
    for operand in 0..instruction.op_count() {
        match instruction.op_kind(operand) {
            OpKind::Immediate16
            | OpKind::Immediate32
            | OpKind::Immediate64
            | OpKind::Immediate32to64
            | OpKind::Immediate8to16 => {
                counts.constant(instruction.immediate(operand));
            }
            // Compilers subtract by an address: `lea -0xd01(%rax), %edx`.
            OpKind::Memory
                if instruction.mnemonic() == Mnemonic::Lea && !instruction.is_ip_rel_memory_operand() =>
            {
                counts.constant(instruction.memory_displacement64());
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(code: &[u8]) -> Instructions {
        count(code).groups()
    }

    /// `op %r, %r` so often as wanted.
    fn repeat(code: &[u8], times: usize) -> Vec<u8> {
        code.repeat(times)
    }

    #[test]
    fn instructions_that_only_one_algorithm_has() {
        // aesenc %xmm1, %xmm0; vaesenc %zmm1, %zmm0, %zmm0
        assert_eq!(groups(&[0x66, 0x0f, 0x38, 0xdc, 0xc1]), Instructions::AES);
        assert_eq!(groups(&[0x62, 0xf2, 0x7d, 0x48, 0xdc, 0xc1]), Instructions::AES);
        // pclmulqdq $0x11, %xmm1, %xmm0; vpclmulqdq $0, %xmm2, %xmm1, %xmm0
        assert_eq!(groups(&[0x66, 0x0f, 0x3a, 0x44, 0xc1, 0x11]), Instructions::CLMUL);
        assert_eq!(groups(&[0xc4, 0xe3, 0x71, 0x44, 0xc2, 0x00]), Instructions::CLMUL);
        // sha1rnds4 $0, %xmm1, %xmm0; sha256rnds2 %xmm0, %xmm1, %xmm2; vsha512rnds2 %xmm1, %ymm2, %ymm3
        assert_eq!(groups(&[0x0f, 0x3a, 0xcc, 0xc1, 0x00]), Instructions::SHA1);
        assert_eq!(groups(&[0x0f, 0x38, 0xcb, 0xd1]), Instructions::SHA256);
        assert_eq!(groups(&[0xc4, 0xe2, 0x6f, 0xcb, 0xd9]), Instructions::SHA512);
    }

    #[test]
    fn a_chain_of_products_with_carry_is_a_large_number_and_one_product_is_none() {
        // mulx %rcx, %rbx, %rax; adcx %rbx, %rax; and mul %rcx; adc %rdx, %rax
        let modern = [0xc4, 0xe2, 0xe3, 0xf6, 0xc1, 0x66, 0x48, 0x0f, 0x38, 0xf6, 0xc3];
        let classic = [0x48, 0xf7, 0xe1, 0x48, 0x11, 0xd0];
        for code in [&modern[..], &classic[..]] {
            assert_eq!(groups(&repeat(code, 4)), Instructions::BIGNUM);
            assert!(groups(code).is_empty());
        }
        // imul %rcx, %rax: limbs of 26 bits, as in the plain form of Curve25519.
        assert_eq!(groups(&repeat(&[0x48, 0x0f, 0xaf, 0xc1], 16)), Instructions::BIGNUM);
        // mul %ecx; adc %edx, %eax: of 32 bits.
        assert!(groups(&repeat(&[0xf7, 0xe1, 0x11, 0xd0], 8)).is_empty());
    }

    #[test]
    fn rotations_tell_hashes_and_chacha() {
        // rol $N, %eax and ror $N, %rax
        let left = |amounts: &[u8]| amounts.iter().flat_map(|by| [0xc1, 0xc0, *by]).collect::<Vec<u8>>();
        let right =
            |amounts: &[u8]| amounts.iter().flat_map(|by| [0x48, 0xc1, 0xc8, *by]).collect::<Vec<u8>>();
        let right_of_32 =
            |amounts: &[u8]| amounts.iter().flat_map(|by| [0xc1, 0xc8, *by]).collect::<Vec<u8>>();
        assert_eq!(groups(&left(&[16, 12, 8, 7])), Instructions::CHACHA);
        // A quarter of a round of MD5 has 7, 12, 17 and 22.
        assert!(groups(&left(&[7, 12, 17, 22])).is_empty());
        assert_eq!(groups(&left(&[5, 30].repeat(20))), Instructions::SHA1);
        assert_eq!(groups(&right_of_32(&[14, 5, 6, 9, 11, 2])), Instructions::SHA256);
        assert_eq!(groups(&right(&[23, 5, 4, 6, 14, 28])), Instructions::SHA512);
        assert_eq!(groups(&right(&[14, 18, 41, 28, 34, 39])), Instructions::SHA512);
        let rho = [1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 2, 14, 27, 41].map(|left| 64 - left);
        assert_eq!(groups(&right(&rho)), Instructions::KECCAK);
        // psrld $20, %xmm0; psrld $25, %xmm0: the vector form, whose rotations by 16 and 8 are shuffles.
        assert_eq!(groups(&[0x66, 0x0f, 0x72, 0xd0, 20, 0x66, 0x0f, 0x72, 0xd0, 25]), Instructions::CHACHA);
    }

    #[test]
    fn constants_tell_lattices() {
        // imul $5039, %rax, %rax; sub $3329, %eax
        let kem = [0x48, 0x69, 0xc0, 0xaf, 0x13, 0, 0, 0x2d, 0x01, 0x0d, 0, 0];
        assert_eq!(groups(&kem), Instructions::ML_KEM);
        // sub $3329, %eax alone may be anything.
        assert!(groups(&kem[7..]).is_empty());
        // lea -3329(%rax), %edx, twice
        assert_eq!(groups(&repeat(&[0x8d, 0x90, 0xff, 0xf2, 0xff, 0xff], 2)), Instructions::ML_KEM);
        // sub $8380417, %eax
        assert_eq!(groups(&[0x2d, 0x01, 0xe0, 0x7f, 0]), Instructions::ML_DSA);
    }

    #[test]
    fn whatever_the_bytes_are_it_ends() {
        assert!(groups(&[]).is_empty());
        assert!(groups(&[0x66, 0x0f]).is_empty());
        let any: Vec<u8> = (0..=u16::MAX).map(|one| (one ^ one >> 8) as u8).collect();
        let _ = groups(&any);
    }
}
