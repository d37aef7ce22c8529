//! Sockets that take work from a program: TLS over TCP, and AF_ALG. Whether there are any is tried.

use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::time::Duration;
use std::{fmt, io};

use super::modules::{self, Module};
use crate::kernel_text::{number_after, text};

/// How long a connection to ourselves may take.
const PATIENCE: Duration = Duration::from_secs(1);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tried {
    Works,
    Fails(Errno),
    /// It was not tried: a module would have been loaded, or there was no connection to try it on.
    Not,
}

impl Tried {
    fn of(result: io::Result<()>) -> Self {
        match result {
            Ok(()) => Self::Works,
            Err(error) => error.raw_os_error().map_or(Self::Not, |errno| Self::Fails(Errno(errno))),
        }
    }
}

/// Why the kernel refused; shown by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Errno(pub i32);

impl Errno {
    pub const NO_FAMILY: Self = Self(libc::EAFNOSUPPORT);
    pub const NO_ENTRY: Self = Self(libc::ENOENT);
}

impl fmt::Display for Errno {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self.0 {
            libc::EPERM => "EPERM",
            libc::ENOENT => "ENOENT",
            libc::EACCES => "EACCES",
            libc::ENOPROTOOPT => "ENOPROTOOPT",
            libc::EOPNOTSUPP => "EOPNOTSUPP",
            libc::EAFNOSUPPORT => "EAFNOSUPPORT",
            other => return write!(f, "{}", io::Error::from_raw_os_error(other)),
        };
        f.write_str(name)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KernelTls {
    pub module: Module,
    /// `TCP_ULP` on a connection over the loopback interface.
    pub tried: Tried,
    /// What the kernel counted; none if it does not count.
    pub sessions: Option<Sessions>,
}

/// Directions of connections since the kernel started, by who did the encryption.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sessions {
    /// The kernel, on the CPU.
    pub software: u64,
    /// A network card.
    pub device: u64,
}

pub(super) fn kernel_tls() -> KernelTls {
    let module = modules::find("tls");
    let offered = text("/proc/sys/net/ipv4/tcp_available_ulp").is_some_and(|names| offers_tls(&names));
    let is_harmless = offered || module != Module::Loadable;
    let tried = if is_harmless {
        connection().map_or(Tried::Not, |connection| Tried::of(upper_layer(&connection)))
    } else {
        Tried::Not
    };
    KernelTls { module, tried, sessions: text("/proc/net/tls_stat").as_deref().and_then(sessions) }
}

/// Whether TLS is among the upper layer protocols of TCP that the kernel lists.
pub(in crate::host) fn offers_tls(upper_layer_protocols: &str) -> bool {
    upper_layer_protocols.split_ascii_whitespace().any(|name| name == "tls")
}

/// A connection to ourselves. Nobody accepts it; for the kernel it is complete.
fn connection() -> io::Result<(TcpListener, TcpStream)> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let stream = TcpStream::connect_timeout(&listener.local_addr()?, PATIENCE)?;
    Ok((listener, stream))
}

fn upper_layer((_, stream): &(TcpListener, TcpStream)) -> io::Result<()> {
    let name = b"tls";
    // SAFETY: the kernel reads as many bytes from the pointer as it is told, and they are there.
    let done = unsafe {
        libc::setsockopt(
            stream.as_raw_fd(),
            libc::IPPROTO_TCP,
            libc::TCP_ULP,
            name.as_ptr().cast(),
            name.len() as libc::socklen_t,
        )
    };
    if done == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Reads `/proc/net/tls_stat`.
fn sessions(text: &str) -> Option<Sessions> {
    let sum =
        |names: [&str; 2]| names.iter().filter_map(|name| number_after(text, name)).reduce(|a, b| a + b);
    Some(Sessions { software: sum(["TlsTxSw", "TlsRxSw"])?, device: sum(["TlsTxDevice", "TlsRxDevice"])? })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AlgSocket {
    /// The type: `aead`.
    pub kind: &'static str,
    /// The algorithm that was asked for: `gcm(aes)`.
    pub algorithm: &'static str,
    /// The less available of the modules `af_alg` and that of the type.
    pub module: Module,
    /// A socket that is bound to the algorithm.
    pub tried: Tried,
}

pub(super) fn af_alg() -> Vec<AlgSocket> {
    let family = modules::find("af_alg");
    [("aead", "gcm(aes)"), ("skcipher", "cbc(aes)"), ("hash", "sha256")]
        .into_iter()
        .map(|(kind, algorithm)| {
            let module = less(family, modules::find(&format!("algif_{kind}")));
            let tried = if module == Module::Loadable {
                Tried::Not
            } else {
                Tried::of(bind(kind, algorithm).map(drop))
            };
            AlgSocket { kind, algorithm, module, tried }
        })
        .collect()
}

/// Of two modules that are both needed, the one that says more about what is missing.
fn less(one: Module, other: Module) -> Module {
    let order = [Module::Absent, Module::Untold, Module::Loadable, Module::Present];
    order.into_iter().find(|module| [one, other].contains(module)).unwrap_or(one)
}

fn bind(kind: &str, algorithm: &str) -> io::Result<OwnedFd> {
    // SAFETY: no pointer is passed.
    let socket = unsafe { libc::socket(libc::AF_ALG, libc::SOCK_SEQPACKET | libc::SOCK_CLOEXEC, 0) };
    if socket < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the system call has just made this descriptor, and nobody else knows it.
    let socket = unsafe { OwnedFd::from_raw_fd(socket) };
    let address = libc::sockaddr_alg {
        salg_family: libc::AF_ALG as libc::sa_family_t,
        salg_type: padded(kind),
        salg_feat: 0,
        salg_mask: 0,
        salg_name: padded(algorithm),
    };
    // SAFETY: the kernel reads one address of this length, which is there.
    let bound = unsafe {
        libc::bind(socket.as_raw_fd(), (&raw const address).cast(), size_of_val(&address) as libc::socklen_t)
    };
    if bound == 0 { Ok(socket) } else { Err(io::Error::last_os_error()) }
}

/// A text with zeros after it, as the kernel wants it.
fn padded<const N: usize>(text: &str) -> [u8; N] {
    let mut bytes = text.bytes().take(N - 1);
    std::array::from_fn(|_| bytes.next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNTERS: &str = "TlsCurrTxSw                     \t1\nTlsCurrRxSw                     \t1\n\
                            TlsCurrTxDevice                 \t0\nTlsCurrRxDevice                 \t0\n\
                            TlsTxSw                         \t12\nTlsRxSw                         \t11\n\
                            TlsTxDevice                     \t2\nTlsRxDevice                     \t0\n\
                            TlsDecryptError                 \t0\n";

    #[test]
    fn counters_are_read() {
        assert_eq!(sessions(COUNTERS), Some(Sessions { software: 23, device: 2 }));
        assert_eq!(sessions(""), None);
        assert_eq!(sessions("TlsTxSw x\n"), None);
    }

    #[test]
    fn what_is_missing_of_two_modules_decides() {
        assert_eq!(less(Module::Present, Module::Loadable), Module::Loadable);
        assert_eq!(less(Module::Absent, Module::Present), Module::Absent);
        assert_eq!(less(Module::Present, Module::Present), Module::Present);
    }

    #[test]
    fn refusals_have_names() {
        assert_eq!(Errno::NO_FAMILY.to_string(), "EAFNOSUPPORT");
        assert_eq!(Errno(libc::EPERM).to_string(), "EPERM");
        assert!(Errno(libc::ENOMEM).to_string().contains(&libc::ENOMEM.to_string()));
    }

    #[test]
    fn an_attempt_works_or_has_a_reason() {
        assert_eq!(padded::<4>("abcdef"), *b"abc\0");
        assert_ne!(Tried::of(bind("no such type", "x").map(drop)), Tried::Works);
        let tls = kernel_tls();
        assert_eq!(tls.tried == Tried::Not, tls.module == Module::Loadable, "{tls:?}");
    }
}
