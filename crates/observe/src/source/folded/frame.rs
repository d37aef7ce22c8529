//! A frame of folded stacks, with the marks that the scripts put on it.

use crate::frame::Frame;
use crate::resolve::demangle_printed;
use crate::source::module::{KERNEL, Module, module};

/// What stands between the part of the kernel and that of the program (bcc, `-d`); no frame.
pub const SEPARATORS: [&[u8]; 2] = [b"-", b"--"];

/// A frame by its text: `SSL_write`, `tcp_sendmsg_[k]`, `Foo.bar_[j]`, ``libcrypto.so.3`EVP_DigestUpdate+0x12``, and
/// `[libcrypto.so.3]` for what has no name.
pub fn frame(text: &str) -> Frame {
    let (text, mark) = marked(text.trim());
    let (of, function) = match text.split_once('`') {
        Some((of, function)) => (module(of), function),
        None => (None, text),
    };
    let function = without_offset(function.strip_suffix(" (inlined)").unwrap_or(function));
    let (of, function) = match nameless(function) {
        Some(nameless) => (of.or(nameless), None),
        None => (of, Some(function)),
    };
    let of = match mark {
        Some('k') => {
            Some(of.filter(|of| of.is_kernel).unwrap_or(Module { name: KERNEL.into(), is_kernel: true }))
        }
        Some('j') => of.or_else(|| module("[jit]")),
        _ => of,
    };
    Frame {
        function: function.filter(|function| !function.is_empty()).map(demangle_printed),
        is_kernel: of.as_ref().is_some_and(|of| of.is_kernel),
        module: of.map(|of| of.name),
        ..Frame::default()
    }
}

/// Without the mark that `stackcollapse-perf` and bcc put behind a name: kernel, JIT, inlined.
fn marked(text: &str) -> (&str, Option<char>) {
    for (suffix, mark) in [("_[k]", 'k'), ("_[j]", 'j'), ("_[i]", 'i')] {
        if let Some(text) = text.strip_suffix(suffix) {
            return (text, Some(mark));
        }
    }
    (text, None)
}

/// The module that stands in brackets in place of a function that nobody could name; none of what is a name.
fn nameless(text: &str) -> Option<Option<Module>> {
    if text == "??" || text == "unknown" {
        return Some(None);
    }
    let inner = text.strip_prefix('[')?.strip_suffix(']')?;
    Some(match inner {
        "vdso" | "vsyscall" | "unknown" => module(text),
        _ if inner.starts_with("kernel.") || inner.starts_with("guest.kernel") => module(text),
        _ => module(inner),
    })
}

fn without_offset(function: &str) -> &str {
    match function.rsplit_once("+0x") {
        Some((name, offset)) if offset.bytes().all(|digit| digit.is_ascii_hexdigit()) => name,
        _ => function,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> (Option<String>, Option<String>, bool) {
        let frame = frame(text);
        (
            frame.module.map(|name| name.to_string()),
            frame.function.map(|name| name.to_string()),
            frame.is_kernel,
        )
    }

    fn of(module: &str, function: &str) -> (Option<String>, Option<String>, bool) {
        let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        (some(module), some(function), false)
    }

    fn of_kernel(module: &str, function: &str) -> (Option<String>, Option<String>, bool) {
        (of(module, function).0, of(module, function).1, true)
    }

    #[test]
    fn marks_say_where_a_frame_is() {
        assert_eq!(parts("SSL_write"), of("", "SSL_write"));
        assert_eq!(parts("tcp_sendmsg_[k]"), of_kernel("[kernel]", "tcp_sendmsg"));
        assert_eq!(parts("Foo::bar_[j]"), of("[jit]", "Foo::bar"));
        assert_eq!(parts("ngx_recv_[i]"), of("", "ngx_recv"));
        assert_eq!(parts("libcrypto.so.3`EVP_DigestUpdate+0x12"), of("libcrypto.so.3", "EVP_DigestUpdate"));
        assert_eq!(parts("app`_ZN4bssl3SSLC1Ev"), of("app", "bssl::SSL::SSL"));
        assert_eq!(parts("operator+(foo)"), of("", "operator+(foo)"));
    }

    #[test]
    fn what_has_no_name_has_its_module() {
        assert_eq!(parts("[libcrypto.so.3]"), of("libcrypto.so.3", ""));
        assert_eq!(parts("[unknown]"), of("", ""));
        assert_eq!(parts("[[vdso]]"), of("[vdso]", ""));
        assert_eq!(parts("[kernel.kallsyms]"), of_kernel("[kernel]", ""));
        assert_eq!(parts("[unknown]_[k]"), of_kernel("[kernel]", ""));
    }
}
