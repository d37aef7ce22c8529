//! Names as their authors wrote them.

use std::sync::Arc;

use cpp_demangle::{DemangleOptions, ParseOptions, Symbol};

/// Symbols of templates can be made so that their names take minutes: nested deeper than this, they stay as they are.
const DEPTH: u32 = 96;

/// A longer one is left as it is: it is nobody's function that we know.
const LONGEST: usize = 8 * 1024;

/// What a symbol is called: without its version, of Rust without its hash, of C++ without parameters and return type.
pub fn demangle(symbol: &[u8]) -> Arc<str> {
    let text = String::from_utf8_lossy(symbol);
    // Of `memcpy@@GLIBC_2.14` the dynamic linker wants the version, and nobody else; a name that begins with it is no such thing.
    let name = text.split_once('@').map_or(&*text, |(name, _)| name);
    let name = if name.is_empty() { &text } else { name };
    if name.len() > LONGEST {
        return name.into();
    }
    if let Ok(rust) = rustc_demangle::try_demangle(name) {
        return format!("{rust:#}").into();
    }
    cpp(name).map_or_else(|| name.into(), Into::into)
}

/// A name as another program has printed it: demangled where that has left it mangled, and of Rust without its hash.
pub fn demangle_printed(name: &str) -> Arc<str> {
    if name.starts_with("_Z") || name.starts_with("_R") {
        return demangle(name.as_bytes());
    }
    without_hash(name).into()
}

/// Who demangles names of Rust as those of C++ leaves the hash behind them: `h` and 16 hexadecimal digits.
fn without_hash(name: &str) -> &str {
    match name.rsplit_once("::h") {
        Some((path, hash)) if hash.len() == 16 && hash.bytes().all(|digit| digit.is_ascii_hexdigit()) => path,
        _ => name,
    }
}

fn cpp(name: &str) -> Option<String> {
    if !name.starts_with("_Z") {
        return None;
    }
    let parse = ParseOptions::default().recursion_limit(DEPTH);
    let options = DemangleOptions::new().no_params().no_return_type().recursion_limit(DEPTH);
    Symbol::new_with_options(name, &parse).ok()?.demangle_with_options(&options).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_source() {
        for (symbol, name) in [
            ("EVP_DigestSign", "EVP_DigestSign"),
            ("memcpy@@GLIBC_2.14", "memcpy"),
            ("SSL_read@OPENSSL_3.0.0", "SSL_read"),
            ("_ZN4bssl20ssl_client_handshakeEPNS_13SSL_HANDSHAKEE", "bssl::ssl_client_handshake"),
            ("_ZN6rustls4conn10Connection4read17h0123456789abcdefE", "rustls::conn::Connection::read"),
            ("_RNvCs1234_7mycrate3foo", "mycrate::foo"),
            ("crypto/tls.(*Conn).Read", "crypto/tls.(*Conn).Read"),
            ("_Zebra", "_Zebra"),
            ("@", "@"),
        ] {
            assert_eq!(&*demangle(symbol.as_bytes()), name);
        }
    }

    #[test]
    fn what_others_have_printed_is_demangled_where_they_have_not() {
        for (printed, name) in [
            ("_ZN6rustls4conn10Connection4read17h0123456789abcdefE", "rustls::conn::Connection::read"),
            ("_RNvCs1234_7mycrate3foo", "mycrate::foo"),
            ("rustls::conn::Connection::read::h0123456789abcdef", "rustls::conn::Connection::read"),
            (
                "bssl::ssl_client_handshake(bssl::SSL_HANDSHAKE*)",
                "bssl::ssl_client_handshake(bssl::SSL_HANDSHAKE*)",
            ),
            ("Foo@1f", "Foo@1f"),
            ("a::hash", "a::hash"),
            ("_Zebra", "_Zebra"),
        ] {
            assert_eq!(&*demangle_printed(printed), name);
        }
    }

    #[test]
    fn a_name_that_is_a_trap_is_left_as_it_is() {
        let trap = format!("_Z{}", "N".repeat(4000));
        assert_eq!(&*demangle(trap.as_bytes()), trap);
        assert!(demangle(&[0xff, 0xfe]).chars().all(|one| one == char::REPLACEMENT_CHARACTER));
    }
}
