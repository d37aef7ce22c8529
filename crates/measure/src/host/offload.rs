//! What could take cryptography off a program's hands: the kernel, its devices, network cards, modules of OpenSSL.
//!
//! Facts only, without judging; nothing on the machine is changed. What would make the kernel load a module is not tried
//! where that can be seen before.

mod drivers;
mod interfaces;
mod modules;
mod openssl;
mod qat;
mod sockets;

pub use drivers::Driver;
pub use interfaces::{Interface, Switch};
pub use modules::Module;
pub use openssl::{Folder, OpenSsl};
pub use qat::Qat;
pub(super) use sockets::offers_tls;
pub use sockets::{AlgSocket, Errno, KernelTls, Sessions, Tried};

use std::path::Path;

use crate::kernel_text::text;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offload {
    pub kernel_tls: KernelTls,
    /// Network interfaces that can be asked about TLS.
    pub interfaces: Vec<Interface>,
    /// Sockets of the kernel's crypto, one for each type.
    pub af_alg: Vec<AlgSocket>,
    /// What the kernel's crypto consists of.
    pub drivers: Vec<Driver>,
    pub qat: Vec<Qat>,
    /// Whether the control device of Intel's own QAT driver is there: `/dev/qat_adf_ctl`.
    pub qat_control: bool,
    /// Whether devices can be handed to user space: `/dev/vfio`.
    pub vfio: bool,
    /// Where the system's OpenSSL looks for modules; none if there is no program `openssl`.
    pub openssl: Option<OpenSsl>,
}

pub fn read() -> Offload {
    Offload {
        kernel_tls: sockets::kernel_tls(),
        interfaces: interfaces::read(),
        af_alg: sockets::af_alg(),
        drivers: text("/proc/crypto").as_deref().map(drivers::parse).unwrap_or_default(),
        qat: qat::read(Path::new("/sys/bus/pci/devices")),
        qat_control: Path::new("/dev/qat_adf_ctl").exists(),
        vfio: Path::new("/dev/vfio/vfio").exists(),
        openssl: openssl::read(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_can_be_looked_at() {
        let found = read();
        assert_eq!(found.af_alg.len(), 3);
        for socket in &found.af_alg {
            // Where the kernel has no such sockets, it has none of any type.
            assert!(socket.tried != Tried::Fails(Errno::NO_FAMILY) || found.af_alg[0].tried == socket.tried);
        }
        assert!(found.interfaces.iter().all(|interface| !interface.name.is_empty()));
        assert_eq!(crate::kernel_text::names(Path::new("/nonexistent")), [""; 0]);
    }
}
