//! A frame: `7f1234 SSL_write+0x12 (/usr/lib/libssl.so.3)`.

use memchr::memmem;

use crate::frame::Frame;
use crate::resolve::demangle_printed;
use crate::source::module::{Module, module};

/// Addresses from here on are the kernel's, on x86-64 and on aarch64 with 48 bits.
const KERNEL_HALF: u64 = 0xffff_0000_0000_0000;

/// What perf prints for a frame of which nothing is known, of the kernel.
pub const UNKNOWN_IN_KERNEL: &[u8] = b"[unknown] ([kernel.kallsyms])";

/// A frame that the compiler has put into the one around it; perf prints it before that, without the file.
const INLINED: &[u8] = b" (inlined)";

/// A frame as a line has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrameLine<'l> {
    pub address: Option<u64>,
    /// Function and file.
    pub text: &'l [u8],
    pub is_inlined: bool,
}

/// Reads the frame that a line has behind its indentation. An address ends in the 17th column or behind it, as perf prints it; what
/// looks like one before that is a name.
pub fn parse(line: &[u8]) -> Option<FrameLine<'_>> {
    let indented = line.trim_ascii_start();
    if indented.len() == line.len() {
        return None;
    }
    let end = indented.iter().position(|byte| *byte == b' ').unwrap_or(indented.len());
    let is_address = line.len() - indented.len() + end >= 17;
    let address = is_address.then(|| hexadecimal(&indented[..end])).flatten();
    Some(split(address, if address.is_some() { &indented[end..] } else { indented }))
}

/// Reads the frame behind the event of a sample without a stack.
pub fn parse_behind_event(rest: &[u8]) -> Option<FrameLine<'_>> {
    let end = rest.iter().position(|byte| *byte == b' ').unwrap_or(rest.len());
    let address = hexadecimal(&rest[..end])?;
    Some(split(Some(address), &rest[end..]))
}

fn split(address: Option<u64>, text: &[u8]) -> FrameLine<'_> {
    let text = text.trim_ascii();
    match text.strip_suffix(INLINED) {
        Some(text) => FrameLine { address, text, is_inlined: true },
        None if address.is_some_and(|address| address >= KERNEL_HALF) && is_unknown(text) => {
            FrameLine { address, text: UNKNOWN_IN_KERNEL, is_inlined: false }
        }
        None => FrameLine { address, text, is_inlined: false },
    }
}

fn is_unknown(text: &[u8]) -> bool {
    text.starts_with(b"[unknown]") && (text.ends_with(b"([unknown])") || text.len() == b"[unknown]".len())
}

fn hexadecimal(text: &[u8]) -> Option<u64> {
    let is_number = !text.is_empty() && text.len() <= 16 && text.iter().all(u8::is_ascii_hexdigit);
    u64::from_str_radix(std::str::from_utf8(text).ok().filter(|_| is_number)?, 16).ok()
}

/// The text of the file in its brackets, with what stands before the first of them; none where `-F` left it out.
pub fn file_of(text: &[u8]) -> Option<&[u8]> {
    let inner = text.strip_suffix(b")")?;
    let open = memmem::rfind(inner.strip_suffix(b" (deleted)").unwrap_or(inner), b" (")?;
    Some(&text[open..])
}

/// Whether it has a file and no function.
pub fn is_nameless_in_file(text: &[u8]) -> bool {
    text.starts_with(b"[unknown] (/")
}

/// Such a frame with its place in the file, as `-F +dsoff` has it.
pub fn with_place(text: &[u8], place: u64, into: &mut Vec<u8>) {
    into.clear();
    let text = text.strip_suffix(b")").unwrap_or(text);
    into.extend_from_slice(text.strip_suffix(b" (deleted)").unwrap_or(text));
    into.extend_from_slice(format!("+{place:#x})").as_bytes());
}

/// The frame of a text such as `SSL_write+0x12 (/usr/lib/libssl.so.3)`.
pub fn frame(text: &str) -> Frame {
    let file = file_of(text.as_bytes()).map_or("", |file| &text[text.len() - file.len()..]);
    let function = without_offset(text[..text.len() - file.len()].trim()).0;
    let file = file.trim().trim_start_matches('(');
    let (path, address) = without_offset(file.strip_suffix(')').unwrap_or(file));
    let of: Option<Module> = module(path);
    let is_known = !function.is_empty() && function != "[unknown]";
    Frame {
        function: is_known.then(|| demangle_printed(function)),
        is_kernel: of.as_ref().is_some_and(|of| of.is_kernel),
        module: of.map(|of| of.name),
        // With `-F +dsoff` it stands behind the path; of a function with a name it is the place and not where that begins.
        address: address.filter(|_| !is_known),
        ..Frame::default()
    }
}

/// What stands before `+0x12`, and that number.
fn without_offset(text: &str) -> (&str, Option<u64>) {
    match text.rsplit_once("+0x") {
        Some((before, offset)) => match hexadecimal(offset.as_bytes()) {
            Some(offset) => (before, Some(offset)),
            None => (text, None),
        },
        None => (text, None),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn parts(text: &str) -> (Option<String>, Option<String>, bool, Option<u64>) {
        let frame = frame(text);
        let text = |part: Option<Arc<str>>| part.map(|part| part.to_string());
        (text(frame.function), text(frame.module), frame.is_kernel, frame.address)
    }

    #[test]
    fn a_frame_is_a_function_in_a_file() {
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(
            parts("SSL_write+0x12 (/usr/lib/libssl.so.3)"),
            (some("SSL_write"), some("libssl.so.3"), false, None)
        );
        assert_eq!(
            parts("tcp_sendmsg ([kernel.kallsyms])"),
            (some("tcp_sendmsg"), some("[kernel]"), true, None)
        );
        assert_eq!(
            parts("nft_do_chain+0x1 ([nf_tables])"),
            (some("nft_do_chain"), some("[nf_tables]"), true, None)
        );
        assert_eq!(
            parts("foo(int, char (*) (long))+0x9 (/usr/bin/a b)"),
            (some("foo(int, char (*) (long))"), some("a b"), false, None)
        );
        assert_eq!(parts("[unknown] (/usr/lib/libcrypto.so.3)"), (None, some("libcrypto.so.3"), false, None));
        assert_eq!(
            parts("[unknown] (/usr/lib/libcrypto.so.3+0x1f0)"),
            (None, some("libcrypto.so.3"), false, Some(0x1f0))
        );
        assert_eq!(parts("main+0x3 (/srv/app (deleted))"), (some("main"), some("app"), false, None));
        assert_eq!(parts("Foo.bar (/tmp/perf-4711.map)"), (some("Foo.bar"), some("[jit]"), false, None));
        assert_eq!(parts("[unknown] ([unknown])"), (None, None, false, None));
        assert_eq!(parts("SSL_write"), (some("SSL_write"), None, false, None));
    }

    #[test]
    fn a_line_has_an_address_where_perf_prints_it() {
        let line = parse(b"\t    7f1234567890 SSL_write+0x12 (/usr/lib/libssl.so.3)").unwrap();
        assert_eq!(
            (line.address, line.text),
            (Some(0x7f12_3456_7890), &b"SSL_write+0x12 (/usr/lib/libssl.so.3)"[..])
        );
        let line = parse(b"\tadd (/usr/bin/a)").unwrap();
        assert_eq!((line.address, line.text), (None, &b"add (/usr/bin/a)"[..]));
        let line = parse(b"\t    7f1234567890 copy (inlined)").unwrap();
        assert!(line.is_inlined && line.text == b"copy");
        let line = parse(b"\tffffffffa1234567 [unknown] ([unknown])").unwrap();
        assert_eq!(line.text, UNKNOWN_IN_KERNEL);
        assert_eq!(parse(b"nginx 1 2.000003: "), None);
    }
}
