//! Names of functions as rules have them: without what compilers, linkers and profilers add.

/// What compilers put after the name of a part or a variant of a function.
const SUFFIXES: [&str; 7] =
    [".part.", ".constprop.", ".isra.", ".cold", ".lto_priv.", ".llvm.", ".localalias"];

/// The name without version, variant, arguments, return type and hash.
pub fn plain(name: &str) -> &str {
    let name = without_arguments(name);
    let name = name.split_once('@').map_or(name, |(name, _)| name);
    let name =
        SUFFIXES.iter().fold(name, |name, suffix| name.split_once(suffix).map_or(name, |(name, _)| name));
    // Methods of traits in Rust: `<rustls::conn::Reader as std::io::Read>::read`.
    without_hash(name).trim_start_matches(['<', '&'])
}

/// `void ns::f<int>(char*)` is `ns::f<int>`. Parentheses that belong to the name stay: `(anonymous namespace)::f`, and
/// `crypto/tls.(*Conn).Write` of Go.
fn without_arguments(name: &str) -> &str {
    let bytes = name.as_bytes();
    let is_part_of_name = |at: usize| at == 0 || matches!(bytes[at - 1], b'.' | b':' | b'<' | b' ');
    let mut depth = 0_i32;
    let mut end = None;
    for (at, one) in name.bytes().enumerate() {
        match one {
            b'<' => depth += 1,
            b'>' => depth -= 1,
            b'(' if depth <= 0 && !is_part_of_name(at) => {
                end = Some(at);
                break;
            }
            _ => {}
        }
    }
    let Some(end) = end else { return name };
    let name = &name[..end];
    if name.starts_with("operator ") {
        return name;
    }
    let mut depth = 0_u32;
    for (at, one) in name.char_indices().rev() {
        match one {
            '>' | ')' => depth += 1,
            '<' | '(' => depth = depth.saturating_sub(1),
            ' ' if depth == 0 => return &name[at + 1..],
            _ => {}
        }
    }
    name
}

/// Rust's legacy mangling ends names in `::h` and sixteen digits.
fn without_hash(name: &str) -> &str {
    match name.rsplit_once("::h") {
        Some((name, hash)) if hash.len() == 16 && hash.bytes().all(|one| one.is_ascii_hexdigit()) => name,
        _ => name,
    }
}

/// The class and method of a name in the form of the JVM, `Lsun/security/ssl/Alert;::level`, as `sun.security.ssl.Alert.level`.
pub fn of_the_jvm(name: &str) -> Option<String> {
    let (class, method) = name.strip_prefix('L')?.split_once(";::")?;
    Some(format!("{}.{method}", class.replace('/', ".")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_added_to_a_name_is_taken_off() {
        for (name, expected) in [
            ("tls_construct_cert_verify", "tls_construct_cert_verify"),
            ("tls1_PRF.constprop.0", "tls1_PRF"),
            ("des_ede_cbc_cipher.constprop.0.isra.0", "des_ede_cbc_cipher"),
            ("SendTls13NewSessionTicket.part.0", "SendTls13NewSessionTicket"),
            ("memcpy@plt", "memcpy"),
            ("memcpy@@GLIBC_2.14", "memcpy"),
            ("bssl::ssl_client_handshake(bssl::SSL_HANDSHAKE*)", "bssl::ssl_client_handshake"),
            ("void std::f<int (*)(char)>(int)", "std::f<int (*)(char)>"),
            (
                "bssl::(anonymous namespace)::ECKeyShare::Encap(CBB*)",
                "bssl::(anonymous namespace)::ECKeyShare::Encap",
            ),
            ("crypto/tls.(*Conn).Write", "crypto/tls.(*Conn).Write"),
            ("crypto/tls.(*Conn).handshakeContext.func1", "crypto/tls.(*Conn).handshakeContext.func1"),
            ("ring::ec::sign::h0123456789abcdef", "ring::ec::sign"),
            ("<rustls::conn::X as rustls::Y>::process", "rustls::conn::X as rustls::Y>::process"),
            ("int sun.security.ssl.Alert.level(byte)", "sun.security.ssl.Alert.level"),
            ("operator new(unsigned long)", "operator new"),
        ] {
            assert_eq!(plain(name), expected, "{name}");
        }
        let of_the_jvm = of_the_jvm("Lsun/security/ssl/SSLEngineImpl;::wrap");
        assert_eq!(of_the_jvm.as_deref(), Some("sun.security.ssl.SSLEngineImpl.wrap"));
    }
}
