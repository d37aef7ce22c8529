//! [`Parts`]: what is read of an ELF file when it is opened.

use std::fmt::Write;
use std::io::Read;
use std::sync::Arc;

use flate2::bufread::ZlibDecoder;
use object::LittleEndian;
use object::elf;
use object::read::elf::{CompressionHeader, ProgramHeader, SectionHeader};
use object::read::{Object, ReadRef};

use super::debug;
use super::elf_file::{self, Elf, NotOurs, is_executable};
use super::go_table;
use crate::resolve::machine::Architecture;
use crate::resolve::slots::Slots;
use crate::resolve::symbols::Symbols;
use crate::resolve::unwind_table::{Section, UnwindTable};

/// The most bytes that an unpacked section may have.
const UNPACKED: u64 = 256 << 20;

/// What is read of an ELF file when it is opened.
#[derive(Debug)]
pub struct Parts {
    /// In lower-case hexadecimal.
    pub build_id: Option<Arc<str>>,
    pub segments: Vec<Segment>,
    /// Beginning and end of sections with code.
    pub code: Vec<(u64, u64)>,
    pub symbols: Symbols,
    pub slots: Slots,
    pub table: UnwindTable,
}

/// A part of the file that is mapped.
#[derive(Debug, Clone, Copy)]
pub struct Segment {
    pub offset: u64,
    pub address: u64,
    /// In the file.
    pub size: u64,
    /// Whether it holds code, and that is in the file: files of debugging information have the table of segments, and not
    /// their contents.
    pub is_code: bool,
}

impl Parts {
    pub fn read<'d, R: ReadRef<'d>>(data: R, architecture: Architecture) -> Result<Self, NotOurs> {
        let file = elf_file::open(data, architecture)?;
        let code = code(&file);
        let segments = segments(&file, !code.is_empty());
        let is_code = |address| elf_file::is_code(&file, address);
        let mut symbols = Symbols::default();
        symbols.gather(&file, is_code);
        if let Some(packed) = section(&file, b".gnu_debugdata") {
            debug::add_packed(packed.bytes, architecture, &mut symbols);
        }
        if file.elf_symbol_table().is_empty()
            && let Some(table) = section(&file, b".gopclntab")
        {
            go_table::add_functions(&table.bytes, go_text(&file), &mut symbols);
        }
        let part = |name| section(&file, name).unwrap_or_default();
        let address = |name| header(&file, name).map_or(0, |one| one.sh_addr(LittleEndian));
        let table =
            UnwindTable::new(part(b".eh_frame"), part(b".debug_frame"), address(b".text"), address(b".got"));
        let build_id = file.build_id().ok().flatten().map(hexadecimal);
        Ok(Self { build_id, segments, code, slots: Slots::gather(&file, is_code), symbols, table })
    }
}

fn segments<'d, R: ReadRef<'d>>(file: &Elf<'d, R>, has_code: bool) -> Vec<Segment> {
    let loaded = file.elf_program_headers().iter().filter(|one| one.p_type(LittleEndian) == elf::PT_LOAD);
    let segment = |one: &elf::ProgramHeader64<LittleEndian>| Segment {
        offset: one.p_offset(LittleEndian),
        address: one.p_vaddr(LittleEndian),
        size: one.p_filesz(LittleEndian),
        is_code: has_code && is_executable(one),
    };
    loaded.map(segment).collect()
}

/// Sections with code; of a file without sections, its segments with code.
fn code<'d, R: ReadRef<'d>>(file: &Elf<'d, R>) -> Vec<(u64, u64)> {
    let sections = file.elf_section_table();
    if sections.is_empty() {
        let executable = file.elf_program_headers().iter().filter(|one| is_executable(one));
        let range = |one: &elf::ProgramHeader64<LittleEndian>| {
            let start = one.p_vaddr(LittleEndian);
            (start, start.saturating_add(one.p_filesz(LittleEndian)))
        };
        return executable.map(range).collect();
    }
    let with_code = sections.iter().filter(|one| {
        one.sh_type(LittleEndian) == elf::SHT_PROGBITS
            && one.sh_flags(LittleEndian).contains(elf::SHF_EXECINSTR)
    });
    let range = |one: &elf::SectionHeader64<LittleEndian>| {
        let start = one.sh_addr(LittleEndian);
        (start, start.saturating_add(one.sh_size(LittleEndian)))
    };
    with_code.map(range).collect()
}

fn header<'d, R: ReadRef<'d>>(
    file: &Elf<'d, R>,
    name: &[u8],
) -> Option<&'d elf::SectionHeader64<LittleEndian>> {
    Some(file.elf_section_table().section_by_name(LittleEndian, name)?.1)
}

/// Where Go's own code begins, if Go has linked the program by itself: a linker for C puts other code before it.
fn go_text<'d, R: ReadRef<'d>>(file: &Elf<'d, R>) -> Option<u64> {
    let headers = file.elf_program_headers();
    let is_alone = headers.iter().all(|one| one.p_type(LittleEndian) != elf::PT_INTERP);
    is_alone.then(|| header(file, b".text")).flatten().map(|one| one.sh_addr(LittleEndian))
}

/// A section that is in the file.
fn section<'d, R: ReadRef<'d>>(file: &Elf<'d, R>, name: &[u8]) -> Option<Section> {
    let header = header(file, name)?;
    let address = header.sh_addr(LittleEndian);
    let Some((how, offset, size)) = header.compression(LittleEndian, file.data()).ok()? else {
        let bytes = header.data(LittleEndian, file.data()).ok()?;
        return Some(Section { address, bytes: bytes.to_vec() });
    };
    // What Go's linker and Debian's packages do; the other way, zstd, few do.
    (how.ch_type(LittleEndian) == elf::ELFCOMPRESS_ZLIB).then_some(())?;
    let packed = file.data().read_bytes_at(offset, size).ok()?;
    let mut bytes = Vec::new();
    ZlibDecoder::new(packed).take(UNPACKED).read_to_end(&mut bytes).ok()?;
    Some(Section { address, bytes })
}

fn hexadecimal(bytes: &[u8]) -> Arc<str> {
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        // Writing into a String does not fail.
        let _ = write!(text, "{byte:02x}");
    }
    text.into()
}
