//! Network interfaces: whether their cards encrypt TLS records.

use std::ffi::{c_char, c_void};
use std::io;
use std::net::UdpSocket;
use std::os::fd::AsRawFd;
use std::path::Path;

use crate::kernel_text::names;

/// How many interfaces are asked: a host of containers has hundreds.
const MOST: usize = 64;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Switch {
    /// It is there, and in use.
    On,
    /// It is there.
    Off,
    /// The card does not have it.
    Impossible,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interface {
    /// Its name: `eth0`.
    pub name: String,
    /// Encryption of what is sent: `tls-hw-tx-offload`.
    pub transmit: Switch,
    /// Decryption of what is received: `tls-hw-rx-offload`.
    pub receive: Switch,
}

/// Asks every interface that answers; the loopback interface has no card.
pub(super) fn read() -> Vec<Interface> {
    let Ok(socket) = UdpSocket::bind("127.0.0.1:0") else { return Vec::new() };
    let all = names(Path::new("/sys/class/net")).into_iter().filter(|name| name != "lo").take(MOST);
    all.filter_map(|name| ask(&socket, name).ok()).collect()
}

/// The ioctl and commands of linux/ethtool.h, with the number of the set of strings that names features.
const SIOCETHTOOL: libc::c_ulong = 0x8946;
const GSSET_INFO: u32 = 0x37;
const GSTRINGS: u32 = 0x1b;
const GFEATURES: u32 = 0x3a;
const FEATURES: u32 = 4;

/// The length of a name of a feature, and the number of words that describe 32 features.
const NAME: usize = 32;
const WORDS: usize = 4;

/// More features than any kernel has.
const MOST_FEATURES: usize = 1024;

fn ask(socket: &UdpSocket, name: String) -> io::Result<Interface> {
    // One number of 64 bits in two words, in the order of this machine.
    let sets = 1 << FEATURES;
    let mask = if cfg!(target_endian = "big") { [0, sets] } else { [sets, 0] };
    let mut info = [GSSET_INFO, 0, mask[0], mask[1], 0];
    call(socket, &name, &mut info)?;
    let count = info[4] as usize;
    if count > MOST_FEATURES {
        return Err(io::ErrorKind::Unsupported.into());
    }

    let mut strings = vec![0; 3 + count * NAME / 4];
    strings[..3].copy_from_slice(&[GSTRINGS, FEATURES, count as u32]);
    call(socket, &name, &mut strings)?;
    let features: Vec<String> = strings[3..].chunks(NAME / 4).map(feature_name).collect();

    let blocks = count.div_ceil(32);
    let mut bits = vec![0; 2 + blocks * WORDS];
    bits[..2].copy_from_slice(&[GFEATURES, blocks as u32]);
    call(socket, &name, &mut bits)?;
    let of = |feature| switch(&features, &bits[2..], feature);
    Ok(Interface { transmit: of("tls-hw-tx-offload"), receive: of("tls-hw-rx-offload"), name })
}

/// `struct ifreq` of linux/if.h with a pointer in its union, which is as long as the longest of its members.
#[repr(C)]
struct Request {
    name: [c_char; 16],
    data: *mut c_void,
    rest: [u8; 16],
}

/// Every structure of ethtool is a row of 32-bit words here, the first of which is the command.
fn call(socket: &UdpSocket, interface: &str, words: &mut [u32]) -> io::Result<()> {
    let mut letters = interface.bytes().take(15);
    let mut request = Request {
        name: std::array::from_fn(|_| letters.next().unwrap_or_default() as c_char),
        data: words.as_mut_ptr().cast(),
        rest: [0; 16],
    };
    // SAFETY: the request and the words live until the call returns. The kernel writes an answer as long as the number
    // of its features says, which it has told before and which never changes; the callers have made room for it.
    let done = unsafe { libc::ioctl(socket.as_raw_fd(), SIOCETHTOOL as _, &raw mut request) };
    if done < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// A name in words, with zeros after it.
fn feature_name(words: &[u32]) -> String {
    let bytes = words.iter().flat_map(|word| word.to_ne_bytes()).take_while(|byte| *byte != 0);
    String::from_utf8_lossy(&bytes.collect::<Vec<_>>()).into_owned()
}

/// Reads `struct ethtool_get_features_block`: for 32 features each a word of those that can be switched, that are
/// wanted, that are on, and that never change.
fn switch(features: &[String], bits: &[u32], feature: &str) -> Switch {
    let Some(at) = features.iter().position(|name| name == feature) else { return Switch::Impossible };
    let is_set =
        |word: usize| bits.get(at / 32 * WORDS + word).is_some_and(|bits| bits >> (at % 32) & 1 == 1);
    match (is_set(2), is_set(0)) {
        (true, _) => Switch::On,
        (false, true) => Switch::Off,
        (false, false) => Switch::Impossible,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn switches_are_read_from_their_bits() {
        let mut features = vec![String::new(); 40];
        features[33] = "tls-hw-tx-offload".into();
        features[34] = "tls-hw-rx-offload".into();
        features[35] = "fixed".into();
        // The second block of 32.
        let bits = [0, 0, 0, 0, 0b0110, 0, 0b0010, 0b1000];
        assert_eq!(switch(&features, &bits, "tls-hw-tx-offload"), Switch::On);
        assert_eq!(switch(&features, &bits, "tls-hw-rx-offload"), Switch::Off);
        assert_eq!(switch(&features, &bits, "fixed"), Switch::Impossible);
        assert_eq!(switch(&features, &bits, "unknown to this kernel"), Switch::Impossible);
        assert_eq!(switch(&features, &[], "tls-hw-tx-offload"), Switch::Impossible);
    }

    #[test]
    fn names_end_at_their_zero() {
        let word = |bytes: &[u8; 4]| u32::from_ne_bytes(*bytes);
        assert_eq!(feature_name(&[word(b"tls-"), word(b"hw\0x")]), "tls-hw");
        assert_eq!(feature_name(&[0; 8]), "");
    }

    #[test]
    fn an_interface_that_is_not_there_is_an_error() {
        let socket = UdpSocket::bind("127.0.0.1:0");
        assert!(socket.is_ok_and(|socket| ask(&socket, "no such one".into()).is_err()));
    }
}
