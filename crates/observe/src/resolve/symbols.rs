//! [`Symbols`]: the functions of a file that have names.

use object::LittleEndian;
use object::elf;
use object::read::ReadRef;
use object::read::elf::{ElfFile64, SectionHeader, Sym, SymbolTable};

/// How many symbols before an address are looked at: one that lies inside of another hides it.
const NESTED: usize = 8;

/// The functions of a file that have names, by their addresses.
#[derive(Debug, Default)]
pub struct Symbols {
    all: Vec<Symbol>,
    /// Their names, one after the other.
    names: Vec<u8>,
}

/// A function. Addresses are those that the file states.
#[derive(Debug, Clone, Copy)]
pub struct Symbol {
    pub start: u64,
    /// In bytes; 0 where the file does not say.
    pub size: u64,
    name: u32,
    length: u16,
    rank: Rank,
}

/// Which of several names of one function is taken, the first first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Global,
    Weak,
    Local,
    Untyped,
}

impl Symbols {
    /// Takes over the functions of both symbol tables of a file. `is_code` says what lies in code: assembly has symbols without a
    /// type, and so has data.
    pub fn gather<'d, R: ReadRef<'d>>(
        &mut self,
        file: &ElfFile64<'d, LittleEndian, R>,
        is_code: impl Fn(u64) -> bool,
    ) {
        for table in [file.elf_symbol_table(), file.elf_dynamic_symbol_table()] {
            let names = Names::of(file, table);
            table.iter().for_each(|symbol| self.take(&names, symbol, &is_code));
        }
        self.sort();
    }

    fn take(&mut self, names: &Names, symbol: &elf::Sym64<LittleEndian>, is_code: impl Fn(u64) -> bool) {
        let start = symbol.st_value(LittleEndian);
        if symbol.is_undefined(LittleEndian) || start == 0 || !is_code(start) {
            return;
        }
        let Some(rank) = Rank::of(symbol) else { return };
        let Some(name) = names.get(symbol) else { return };
        // `$x` and `$d` tell code from data on aarch64; `.L` are labels inside of functions.
        if name.starts_with(b"$") || name.starts_with(b".L") {
            return;
        }
        self.push(start, symbol.st_size(LittleEndian), name, rank);
    }

    /// Adds a function of another table; [`Symbols::sort`] has to follow.
    pub fn add(&mut self, start: u64, size: u64, name: &[u8]) {
        self.push(start, size, name, Rank::Local);
    }

    fn push(&mut self, start: u64, size: u64, name: &[u8], rank: Rank) {
        if let (Ok(at), Ok(length)) = (u32::try_from(self.names.len()), u16::try_from(name.len())) {
            self.names.extend_from_slice(name);
            self.all.push(Symbol { start, size, name: at, length, rank });
        }
    }

    /// Puts them in order, one for each address.
    pub fn sort(&mut self) {
        let names = &self.names;
        let name = |symbol: &Symbol| &names[symbol.name as usize..][..usize::from(symbol.length)];
        let underscores = |symbol: &Symbol| name(symbol).iter().take_while(|byte| **byte == b'_').count();
        self.all.sort_by(|one, other| {
            let key = |symbol: &Symbol| (symbol.start, symbol.rank, underscores(symbol));
            key(one).cmp(&key(other)).then_with(|| name(one).cmp(name(other)))
        });
        self.all.dedup_by_key(|symbol| symbol.start);
    }

    pub fn name(&self, symbol: &Symbol) -> &[u8] {
        &self.names[symbol.name as usize..][..usize::from(symbol.length)]
    }

    /// The function that begins at an address.
    pub fn at(&self, address: u64) -> Option<&Symbol> {
        let at = self.all.binary_search_by_key(&address, |symbol| symbol.start).ok()?;
        Some(&self.all[at])
    }

    /// The function that an address is in; one of unknown size reaches as far as `end` allows, which is asked with its beginning.
    pub fn around(&self, address: u64, end: impl Fn(u64) -> u64) -> Option<&Symbol> {
        let after = self.all.partition_point(|symbol| symbol.start <= address);
        let before = self.all[..after].iter().rev().take(NESTED);
        let mut next = self.all.get(after).map_or(u64::MAX, |symbol| symbol.start);
        for symbol in before {
            let reaches = match symbol.size {
                0 => address < end(symbol.start).min(next),
                size => address - symbol.start < size,
            };
            if reaches {
                return Some(symbol);
            }
            next = symbol.start;
        }
        None
    }
}

/// The names of a table of symbols: read at once, since a file is asked again for each that is read by itself.
pub struct Names<'d>(&'d [u8]);

impl<'d> Names<'d> {
    pub fn of<R: ReadRef<'d>>(
        file: &ElfFile64<'d, LittleEndian, R>,
        table: &SymbolTable<'d, elf::FileHeader64<LittleEndian>, R>,
    ) -> Self {
        let section = file.elf_section_table().section(table.string_section());
        Self(section.and_then(|section| section.data(LittleEndian, file.data())).unwrap_or_default())
    }

    /// None of a symbol without a name.
    pub fn get(&self, symbol: &elf::Sym64<LittleEndian>) -> Option<&'d [u8]> {
        let rest = self.0.get(symbol.st_name(LittleEndian) as usize..)?;
        let length = rest.iter().position(|byte| *byte == 0)?;
        (length > 0).then_some(&rest[..length])
    }
}

impl Rank {
    fn of(symbol: &elf::Sym64<LittleEndian>) -> Option<Self> {
        match symbol.st_type() {
            elf::STT_FUNC | elf::STT_GNU_IFUNC => Some(match symbol.st_bind() {
                elf::STB_GLOBAL => Self::Global,
                elf::STB_WEAK => Self::Weak,
                _ => Self::Local,
            }),
            elf::STT_NOTYPE => Some(Self::Untyped),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symbols(all: &[(u64, u64, &str, Rank)]) -> Symbols {
        let mut symbols = Symbols::default();
        for (start, size, name, rank) in all {
            let at = u32::try_from(symbols.names.len()).unwrap();
            symbols.names.extend_from_slice(name.as_bytes());
            let length = u16::try_from(name.len()).unwrap();
            symbols.all.push(Symbol { start: *start, size: *size, name: at, length, rank: *rank });
        }
        symbols.sort();
        symbols
    }

    fn name(symbols: &Symbols, address: u64) -> Option<&str> {
        let found = symbols.around(address, |start| start + 0x40)?;
        std::str::from_utf8(symbols.name(found)).ok()
    }

    #[test]
    fn the_name_that_others_use_is_taken() {
        let symbols = symbols(&[
            (0x10, 8, "__libc_malloc", Rank::Global),
            (0x10, 8, "malloc", Rank::Global),
            (0x10, 8, "a", Rank::Local),
            (0x20, 8, "label", Rank::Untyped),
            (0x20, 8, "function", Rank::Local),
        ]);
        assert_eq!((name(&symbols, 0x17), name(&symbols, 0x20)), (Some("malloc"), Some("function")));
        assert!(symbols.at(0x20).is_some() && symbols.at(0x21).is_none());
    }

    #[test]
    fn functions_end_where_they_say_or_where_the_next_begins() {
        let symbols = symbols(&[
            (0x100, 0x50, "outer", Rank::Global),
            (0x110, 0x10, "inner", Rank::Local),
            (0x200, 0, "open", Rank::Untyped),
            (0x220, 0, "next", Rank::Untyped),
        ]);
        assert_eq!((name(&symbols, 0x118), name(&symbols, 0x120)), (Some("inner"), Some("outer")));
        assert_eq!((name(&symbols, 0x150), name(&symbols, 0xff)), (None, None));
        assert_eq!((name(&symbols, 0x21f), name(&symbols, 0x220)), (Some("open"), Some("next")));
        assert_eq!(name(&symbols, 0x260), None);
    }
}
