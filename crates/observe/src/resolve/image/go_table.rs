//! The functions of a Go program: they are in every one, stripped or not, since its runtime needs them.

use crate::resolve::symbols::Symbols;

/// How the table begins since Go 1.18 and since Go 1.20, internal/abi/symtab.go; both are read alike.
const MAGIC: [u32; 2] = [0xffff_fff0, 0xffff_fff1];

/// Adds what `.gopclntab` has, by runtime/symtab.go: numbers of 8 bytes from the 8th on, which say how many functions there are, and
/// where in the table their names and places are. Addresses count from the beginning of Go's own code, which the table states before
/// Go 1.26, and `text` has to be after that; without it nothing can be added.
pub fn add_functions(table: &[u8], text: Option<u64>, symbols: &mut Symbols) {
    if let Some(text) = number(table, 24).filter(|text| *text != 0).or(text)
        && MAGIC.iter().any(|magic| table.starts_with(&magic.to_le_bytes()))
    {
        let _ = add(table, text, symbols);
        symbols.sort();
    }
}

/// As far as the table can be read.
fn add(table: &[u8], text: u64, symbols: &mut Symbols) -> Option<()> {
    let names = table.get(usize::try_from(number(table, 32)?).ok()?..)?;
    let places = table.get(usize::try_from(number(table, 64)?).ok()?..)?;
    let mut start = word(places, 0)?;
    for index in 0..usize::try_from(number(table, 8)?).ok()? {
        // Each has where it begins and where more is told of it; the last is followed by where it ends.
        let about = word(places, index.checked_mul(8)? + 4)? as usize;
        let end = word(places, index * 8 + 8)?;
        let name = names.get(word(places, about.checked_add(4)?)? as usize..)?;
        let name = &name[..name.iter().position(|byte| *byte == 0)?];
        symbols.add(text.checked_add(start.into())?, end.saturating_sub(start).into(), name);
        start = end;
    }
    Some(())
}

fn number(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(at..at.checked_add(8)?)?.try_into().ok()?))
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A table of two functions, at 0 and 0x40, that end at 0x60.
    fn table(text: u64) -> Vec<u8> {
        let names = b"runtime.text\0crypto/tls.(*Conn).Read\0\0\0\0\0";
        let mut bytes = [&0xffff_fff1_u32.to_le_bytes()[..], &[0, 0, 1, 8]].concat();
        let places = 72 + names.len() as u64;
        for number in [2, 0, text, 72, 0, 0, 0, places] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(names);
        // Places, the end, and of each its beginning and the offset of its name.
        for word in [0_u32, 20, 0x40, 28, 0x60, 0, 0, 0x40, 13] {
            bytes.extend(word.to_le_bytes());
        }
        bytes
    }

    fn name(table: &[u8], text: Option<u64>, address: u64) -> Option<String> {
        let mut symbols = Symbols::default();
        add_functions(table, text, &mut symbols);
        let found = symbols.around(address, |start| start)?;
        Some(String::from_utf8_lossy(symbols.name(found)).into_owned())
    }

    #[test]
    fn functions_are_named_from_where_the_code_begins() {
        for (table, text) in [(table(0x40_1000), None), (table(0), Some(0x40_1000))] {
            assert_eq!(name(&table, text, 0x40_103f).as_deref(), Some("runtime.text"));
            assert_eq!(name(&table, text, 0x40_1040).as_deref(), Some("crypto/tls.(*Conn).Read"));
            assert_eq!(name(&table, text, 0x40_1060), None);
        }
        assert_eq!(name(&table(0), None, 0x40_1040), None);
    }

    #[test]
    fn a_table_that_is_cut_or_broken_has_what_can_be_read() {
        let whole = table(0x40_1000);
        for length in 0..whole.len() {
            name(&whole[..length], Some(1), 0x40_1000);
            let mut broken = whole.clone();
            broken[length] = 0xff;
            name(&broken, Some(1), 0x40_1000);
        }
    }
}
