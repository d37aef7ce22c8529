//! [`UnwindTable`]: the `.eh_frame` and `.debug_frame` of a file: where functions begin and end, and how to leave them.

use std::collections::HashMap;

use gimli::{
    BaseAddresses, CfaRule, CieOrFde, CommonInformationEntry, DebugFrame, EhFrame, EndianSlice,
    FrameDescriptionEntry, LittleEndian, RegisterRule, UnwindContext, UnwindExpression, UnwindSection,
};

use super::row::{Cfa, Program, Row, Rule};

type Bytes<'a> = EndianSlice<'a, LittleEndian>;

/// A section and the address at which the file has it.
#[derive(Debug, Default)]
pub struct Section {
    pub address: u64,
    pub bytes: Vec<u8>,
}

/// How to leave the functions of a file.
#[derive(Debug, Default)]
pub struct UnwindTable {
    eh_frame: Section,
    debug_frame: Section,
    bases: BaseAddresses,
    /// In the order of their beginnings.
    functions: Vec<Function>,
}

/// The part of the code that an entry is about: a function, or a part of one that was moved away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Function {
    start: u64,
    end: u64,
    entry: Entry,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Entry {
    Eh(usize),
    Debug(usize),
}

impl UnwindTable {
    /// `text` and `got`: where these sections are, for pointers that are relative to them.
    pub fn new(eh_frame: Section, debug_frame: Section, text: u64, got: u64) -> Self {
        let bases = BaseAddresses::default().set_eh_frame(eh_frame.address).set_text(text).set_got(got);
        let mut table = Self { eh_frame, debug_frame, bases, functions: Vec::new() };
        let mut functions = Vec::new();
        gather(&table.eh_frame(), &table.bases, |offset| Entry::Eh(offset.0), &mut functions);
        gather(&table.debug_frame(), &table.bases, |offset| Entry::Debug(offset.0), &mut functions);
        functions.sort_by_key(|function| function.start);
        functions.dedup_by_key(|function| function.start);
        table.functions = functions;
        table
    }

    fn eh_frame(&self) -> EhFrame<Bytes<'_>> {
        let mut section = EhFrame::new(&self.eh_frame.bytes, LittleEndian);
        section.set_address_size(8);
        section
    }

    fn debug_frame(&self) -> DebugFrame<Bytes<'_>> {
        let mut section = DebugFrame::new(&self.debug_frame.bytes, LittleEndian);
        section.set_address_size(8);
        section
    }

    fn find(&self, address: u64) -> Option<&Function> {
        let after = self.functions.partition_point(|function| function.start <= address);
        self.functions[..after].last().filter(|function| address < function.end)
    }

    /// Where the function around an address begins and ends. Between two functions that have entries, assembly may have some
    /// without: what is between them is taken as one, within `section`.
    pub fn bounds(&self, address: u64, section: (u64, u64)) -> (u64, u64) {
        let after = self.functions.partition_point(|function| function.start <= address);
        let next = self.functions.get(after).map_or(section.1, |function| function.start.min(section.1));
        match self.functions[..after].last() {
            Some(function) if address < function.end => (function.start, function.end),
            Some(function) => (function.end.max(section.0), next),
            None => (section.0, next),
        }
    }

    /// Where the entry around an address ends; the address itself where there is none.
    pub fn end(&self, address: u64) -> u64 {
        self.find(address).map_or(address, |function| function.end)
    }

    /// How to leave the function at an address; none where the file does not say.
    pub fn row(&self, address: u64) -> Option<Row> {
        match self.find(address)?.entry {
            Entry::Eh(offset) => row(&self.eh_frame(), &self.bases, offset.into(), address),
            Entry::Debug(offset) => row(&self.debug_frame(), &self.bases, offset.into(), address),
        }
    }
}

/// Adds what the entries of a section are about, as far as they can be read.
fn gather<'a, S: UnwindSection<Bytes<'a>>>(
    section: &S,
    bases: &BaseAddresses,
    entry: impl Fn(S::Offset) -> Entry,
    into: &mut Vec<Function>,
) where
    S::Offset: std::hash::Hash,
{
    let mut cies: HashMap<S::Offset, CommonInformationEntry<Bytes<'a>>> = HashMap::new();
    let mut entries = section.entries(bases);
    while let Ok(Some(next)) = entries.next() {
        let CieOrFde::Fde(partial) = next else { continue };
        let offset = S::Offset::from(partial.offset());
        let fde = partial.parse(|section, bases, offset| {
            if let Some(cie) = cies.get(&offset) {
                return Ok(cie.clone());
            }
            let cie = section.cie_from_offset(bases, offset)?;
            cies.insert(offset, cie.clone());
            Ok(cie)
        });
        // An entry of a function that the linker has dropped begins at 0.
        if let Ok(fde) = fde
            && fde.len() > 0
            && fde.initial_address() != 0
        {
            into.push(Function {
                start: fde.initial_address(),
                end: fde.end_address(),
                entry: entry(offset),
            });
        }
    }
}

fn row<'a, S: UnwindSection<Bytes<'a>>>(
    section: &S,
    bases: &BaseAddresses,
    offset: S::Offset,
    address: u64,
) -> Option<Row> {
    let fde: FrameDescriptionEntry<Bytes<'a>> =
        section.fde_from_offset(bases, offset, S::cie_from_offset).ok()?;
    let mut context = UnwindContext::new();
    let found = fde.unwind_info_for_address(section, bases, &mut context, address).ok()?;
    let encoding = fde.cie().encoding();
    let program = |expression: &UnwindExpression<usize>| {
        let bytes = expression.get(section).ok()?.0;
        Some(Program { bytes: bytes.slice().into(), encoding })
    };
    let cfa = match found.cfa() {
        CfaRule::RegisterAndOffset { register, offset } => {
            Cfa::Register { register: register.0, offset: *offset }
        }
        CfaRule::Expression(expression) => Cfa::Expression(program(expression)?),
    };
    let mut rules = Vec::new();
    for (register, rule) in found.registers() {
        let rule = match rule {
            RegisterRule::SameValue => continue,
            RegisterRule::Offset(offset) => Rule::At(*offset),
            RegisterRule::ValOffset(offset) => Rule::Is(*offset),
            RegisterRule::Register(register) => Rule::Register(register.0),
            RegisterRule::Expression(expression) => Rule::AtResult(program(expression)?),
            RegisterRule::ValExpression(expression) => Rule::Result(program(expression)?),
            _ => Rule::Undefined,
        };
        rules.push((register.0, rule));
    }
    Some(Row { cfa, rules: rules.into(), is_signal: fde.is_signal_trampoline() })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A CIE (`zR`, pointers relative to their place, 4 bytes) and entries for functions at 0x1000 of 0x10 bytes and at 0x1020
    /// of 0x20, as `gcc -c` makes them; the section is at 0x2000.
    fn table() -> UnwindTable {
        let mut bytes = vec![0x14, 0, 0, 0, 0, 0, 0, 0, 1];
        bytes.extend(b"zR\0");
        // Factors 1 and -8, return address 16, augmentation of 1 byte: DW_EH_PE_pcrel | sdata4.
        bytes.extend([1, 0x78, 16, 1, 0x1b]);
        // DW_CFA_def_cfa 7 8; DW_CFA_offset 16 1; two of padding.
        bytes.extend([0x0c, 7, 8, 0x90, 1, 0, 0]);
        for (start, size) in [(0x1000_i32, 0x10_u32), (0x1020, 0x20)] {
            let at = i32::try_from(bytes.len()).unwrap();
            bytes.extend([0x14, 0, 0, 0]);
            bytes.extend((at + 4).to_le_bytes());
            bytes.extend((start - 0x2000 - (at + 8)).to_le_bytes());
            bytes.extend(size.to_le_bytes());
            // No augmentation; DW_CFA_advance_loc 1, DW_CFA_def_cfa_offset 16, DW_CFA_offset 6 2; padding.
            bytes.extend([0, 0x41, 0x0e, 16, 0x86, 2, 0, 0]);
        }
        bytes.extend([0; 4]);
        UnwindTable::new(Section { address: 0x2000, bytes }, Section::default(), 0x1000, 0)
    }

    #[test]
    fn functions_are_found_by_any_address_in_them() {
        let table = table();
        let section = (0x1000, 0x1100);
        assert_eq!(table.bounds(0x1008, section), (0x1000, 0x1010));
        assert_eq!(table.bounds(0x1010, section), (0x1010, 0x1020));
        assert_eq!(table.bounds(0x103f, section), (0x1020, 0x1040));
        assert_eq!(table.bounds(0x1050, section), (0x1040, 0x1100));
        assert_eq!(table.bounds(0xff0, (0xf00, 0x1100)), (0xf00, 0x1000));
        assert_eq!((table.end(0x1001), table.end(0x1018)), (0x1010, 0x1018));
    }

    #[test]
    fn rows_follow_the_instructions() {
        let table = table();
        let first = table.row(0x1020).unwrap();
        assert_eq!(first.cfa, Cfa::Register { register: 7, offset: 8 });
        assert_eq!(&*first.rules, [(16, Rule::At(-8))]);
        let pushed = table.row(0x1021).unwrap();
        assert_eq!(pushed.cfa, Cfa::Register { register: 7, offset: 16 });
        assert!(pushed.rules.contains(&(6, Rule::At(-16))) && !pushed.is_signal);
        assert_eq!((table.row(0x1018), table.row(0x5000)), (None, None));
    }

    #[test]
    fn rubbish_is_an_empty_table() {
        for bytes in [vec![], vec![0xff; 64], vec![0; 3]] {
            let table = UnwindTable::new(Section { address: 0, bytes }, Section::default(), 0, 0);
            assert_eq!((table.row(0), table.bounds(5, (1, 9))), (None, (1, 9)));
        }
    }
}
