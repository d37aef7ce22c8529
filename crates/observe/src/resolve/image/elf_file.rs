//! Opening ELF files.

use object::LittleEndian;
use object::elf;
use object::read::ReadRef;
use object::read::elf::{ElfFile64, FileHeader, ProgramHeader};

use crate::resolve::machine::Architecture;

pub type Elf<'d, R> = ElfFile64<'d, LittleEndian, R>;

/// It cannot be read as an ELF file of 64 bits of this processor.
#[derive(Debug)]
pub struct NotOurs;

/// # Errors
/// It is no ELF file of 64 bits of this processor.
pub fn open<'d, R: ReadRef<'d>>(data: R, architecture: Architecture) -> Result<Elf<'d, R>, NotOurs> {
    let file = Elf::parse(data).map_err(|_| NotOurs)?;
    let machine = match architecture {
        Architecture::X86_64 => elf::EM_X86_64,
        Architecture::Aarch64 => elf::EM_AARCH64,
    };
    if file.elf_header().e_machine(LittleEndian) == machine { Ok(file) } else { Err(NotOurs) }
}

pub fn is_executable(header: &elf::ProgramHeader64<LittleEndian>) -> bool {
    header.p_type(LittleEndian) == elf::PT_LOAD && header.p_flags(LittleEndian).contains(elf::PF_X)
}

/// Whether an address is in a segment with code.
pub fn is_code<'d, R: ReadRef<'d>>(file: &Elf<'d, R>, address: u64) -> bool {
    let mut executable = file.elf_program_headers().iter().filter(|one| is_executable(one));
    executable.any(|one| address.wrapping_sub(one.p_vaddr(LittleEndian)) < one.p_memsz(LittleEndian))
}
