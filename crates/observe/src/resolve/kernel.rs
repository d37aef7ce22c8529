//! [`Kernel`]: names of the kernel's functions, from /proc/kallsyms.

use std::fs;
use std::sync::Arc;

use super::notes::Missing;

/// Names of the kernel's functions.
#[derive(Debug)]
pub struct Kernel {
    /// Whether samples are of the kernel that runs here, as far as is known.
    is_here: bool,
    symbols: Option<Result<Symbols, Missing>>,
}

/// By address.
#[derive(Debug, Default)]
struct Symbols {
    functions: Vec<(u64, u32, u16)>,
    /// Their names, one after the other.
    names: String,
}

impl Kernel {
    /// `is_here`: whether samples are of the kernel that runs here.
    pub const fn new(is_here: bool) -> Self {
        Self { is_here, symbols: None }
    }

    /// Says by its build id which kernel samples are of, in lower-case hexadecimal.
    pub fn is_build(&mut self, build_id: &str) {
        let is_here = running().is_some_and(|running| running == build_id);
        *self = Self::new(is_here);
    }

    pub const fn is_here(&self) -> bool {
        self.is_here
    }

    /// The function around an address.
    ///
    /// # Errors
    /// Why no function has a name.
    pub fn name(&mut self, address: u64) -> Result<Option<Arc<str>>, Missing> {
        if self.symbols.is_none() {
            self.symbols = Some(if self.is_here { Symbols::read() } else { Err(Missing::KernelOther) });
        }
        match &self.symbols {
            Some(Ok(symbols)) => Ok(symbols.find(address).map(Into::into)),
            Some(Err(missing)) => Err(*missing),
            None => Ok(None),
        }
    }
}

/// The build id of the kernel that runs here.
fn running() -> Option<String> {
    build_id(&fs::read("/sys/kernel/notes").ok()?)
}

/// The GNU build id among ELF notes: sizes of name and contents, type 3, then both, each filled up to 4 bytes.
fn build_id(mut notes: &[u8]) -> Option<String> {
    loop {
        let number = |at: usize| Some(u32::from_le_bytes(notes.get(at..at + 4)?.try_into().ok()?));
        let (name, contents) = (number(0)? as usize, number(4)? as usize);
        let start = 12 + name.next_multiple_of(4);
        let bytes = notes.get(start..start.checked_add(contents)?)?;
        if number(8)? == 3 && notes.get(12..16)? == b"GNU\0" {
            return Some(bytes.iter().map(|byte| format!("{byte:02x}")).collect());
        }
        notes = notes.get(start + contents.next_multiple_of(4)..)?;
    }
}

impl Symbols {
    fn read() -> Result<Self, Missing> {
        let text = fs::read_to_string("/proc/kallsyms").map_err(|_| Missing::KernelHidden)?;
        let symbols = Self::parse(&text);
        if symbols.functions.is_empty() { Err(Missing::KernelHidden) } else { Ok(symbols) }
    }

    /// Lines `address type name` and, of a module, `[module]`. All addresses are 0 for those who may not see them.
    fn parse(text: &str) -> Self {
        let mut symbols = Self::default();
        for line in text.lines() {
            let mut fields = line.split_ascii_whitespace();
            let (Some(address), Some(kind), Some(name)) = (fields.next(), fields.next(), fields.next())
            else {
                continue;
            };
            let address = u64::from_str_radix(address, 16).unwrap_or(0);
            let at = u32::try_from(symbols.names.len());
            if let (1.., "t" | "T" | "w" | "W", Ok(at), Ok(length)) =
                (address, kind, at, u16::try_from(name.len()))
            {
                symbols.functions.push((address, at, length));
                symbols.names.push_str(name);
            }
        }
        // Of several names of one address the first stays.
        symbols.functions.sort_by_key(|(address, ..)| *address);
        symbols.functions.dedup_by_key(|(address, ..)| *address);
        symbols
    }

    fn find(&self, address: u64) -> Option<&str> {
        let after = self.functions.partition_point(|(start, ..)| *start <= address);
        let (_, at, length) = self.functions[..after].last()?;
        self.names.get(*at as usize..*at as usize + usize::from(*length))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_found_and_data_is_not() {
        let symbols = Symbols::parse(
            "ffffffff81000100 T do_syscall_64\nffffffff81000080 D data\nffffffff81000200 t tcp_sendmsg\t[tcp]\n",
        );
        assert_eq!(symbols.find(0xffff_ffff_8100_01ff), Some("do_syscall_64"));
        assert_eq!(symbols.find(0xffff_ffff_8100_0200), Some("tcp_sendmsg"));
        assert_eq!(symbols.find(0xffff_ffff_8100_0090), None);
    }

    #[test]
    fn hidden_addresses_are_no_functions() {
        assert!(Symbols::parse("0000000000000000 T _text\nrubbish\n").functions.is_empty());
    }

    #[test]
    fn another_kernel_has_no_names_here() {
        let mut kernel = Kernel::new(false);
        assert_eq!(kernel.name(u64::MAX), Err(Missing::KernelOther));
        kernel.is_build("00");
        assert!(!kernel.is_here());
        if let Some(here) = running() {
            kernel.is_build(&here);
            assert!(kernel.is_here());
        }
    }

    #[test]
    fn the_build_id_is_one_of_several_notes() {
        let notes = [
            &[6, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0][..],
            b"Linux\0\0\0\x01\0\0\0",
            &[4, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0],
            b"GNU\0\xab\xcd\0\0",
        ]
        .concat();
        assert_eq!(build_id(&notes).as_deref(), Some("abcd"));
        assert_eq!((build_id(&notes[..30]), build_id(&[])), (None, None));
    }
}
