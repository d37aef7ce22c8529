//! Intel QuickAssist devices on the PCI bus.

use std::fs;
use std::path::Path;

use crate::kernel_text::{names, word};

const INTEL: &str = "0x8086";

/// Device, model, driver of the kernel, whether it is a virtual function; after the kernel's drivers/crypto/intel/qat
/// and include/linux/pci_ids.h, and for the last three pairs Intel's own driver.
const MODELS: [(&str, &str, &str, bool); 22] = [
    ("0x0435", "DH895XCC", "qat_dh895xcc", false),
    ("0x0443", "DH895XCC", "qat_dh895xccvf", true),
    ("0x37c8", "C62X", "qat_c62x", false),
    ("0x37c9", "C62X", "qat_c62xvf", true),
    ("0x19e2", "C3XXX", "qat_c3xxx", false),
    ("0x19e3", "C3XXX", "qat_c3xxxvf", true),
    ("0x4940", "4XXX", "qat_4xxx", false),
    ("0x4941", "4XXX", "vfio-pci", true),
    ("0x4942", "401XX", "qat_4xxx", false),
    ("0x4943", "401XX", "vfio-pci", true),
    ("0x4944", "402XX", "qat_4xxx", false),
    ("0x4945", "402XX", "vfio-pci", true),
    ("0x4946", "420XX", "qat_420xx", false),
    ("0x4947", "420XX", "vfio-pci", true),
    ("0x4948", "6XXX", "qat_6xxx", false),
    ("0x4949", "6XXX", "vfio-pci", true),
    ("0x18a0", "C4XXX", "qat_c4xxx", false),
    ("0x18a1", "C4XXX", "qat_c4xxxvf", true),
    ("0x18ee", "200XX", "qat_200xx", false),
    ("0x18ef", "200XX", "qat_200xxvf", true),
    ("0x6f54", "D15XX", "qat_d15xx", false),
    ("0x6f55", "D15XX", "qat_d15xxvf", true),
];

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Qat {
    /// Its place on the bus: `0000:6b:00.0`.
    pub address: String,
    pub model: &'static str,
    /// Whether it is a part of a device that was handed to this machine.
    pub is_virtual: bool,
    /// The driver that is meant for it.
    pub fitting: &'static str,
    /// The driver that has it.
    pub driver: Option<String>,
}

/// Looks at the devices in sysfs.
pub(super) fn read(devices: &Path) -> Vec<Qat> {
    let look = |address: String| {
        let device = devices.join(&address);
        let link = fs::read_link(device.join("driver")).ok();
        let driver = link.and_then(|link| Some(link.file_name()?.to_string_lossy().into_owned()));
        known(address, &word(device.join("vendor"))?, &word(device.join("device"))?, driver)
    };
    names(devices).into_iter().filter_map(look).collect()
}

fn known(address: String, vendor: &str, device: &str, driver: Option<String>) -> Option<Qat> {
    let (_, model, fitting, is_virtual) =
        MODELS.into_iter().find(|(id, ..)| vendor == INTEL && *id == device)?;
    Some(Qat { address, model, is_virtual, fitting, driver })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn devices_are_known_by_their_numbers() {
        let found = known("0000:6b:00.0".into(), "0x8086", "0x4940", Some("qat_4xxx".into())).unwrap();
        assert_eq!((found.model, found.is_virtual, found.fitting), ("4XXX", false, "qat_4xxx"));
        assert!(known(String::new(), "0x8086", "0x37c9", None).unwrap().is_virtual);
        assert_eq!(known(String::new(), "0x1af4", "0x4940", None), None);
        assert_eq!(known(String::new(), "0x8086", "0x0d57", None), None);
    }

    #[test]
    fn a_bus_without_devices_has_none() {
        assert_eq!(read(Path::new("/nonexistent")), []);
    }
}
