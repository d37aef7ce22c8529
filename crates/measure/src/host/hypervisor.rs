//! Whether this is a virtual machine, and in what.

use tlstax_spec::Virtualisation;

use super::cpu;
use crate::kernel_text::word;

/// Asks the CPU, the kernel and the firmware.
pub(super) fn find(cpuinfo: &str) -> Virtualisation {
    let flagged = cpu::has_hypervisor_flag(cpuinfo);
    let signature = if flagged == Some(true) { signature() } else { None };
    let kernel = word("/sys/hypervisor/type").filter(|kind| kind == "xen").map(|_| "Xen".to_owned());
    let hypervisor = signature.or(kernel).or_else(|| {
        // arm64: the device tree of a virtual machine has a node of this name.
        word("/proc/device-tree/hypervisor/compatible").map(|name| name.replace('\0', " "))
    });
    let present = flagged.or_else(|| hypervisor.as_ref().map(|_| true));
    let firmware = |file| word(format!("/sys/class/dmi/id/{file}"));
    Virtualisation { present, hypervisor, machine: machine(firmware("sys_vendor"), firmware("product_name")) }
}

/// The maker and the product, without the placeholders that some firmware leaves in.
fn machine(vendor: Option<String>, product: Option<String>) -> Option<String> {
    const PLACEHOLDERS: [&str; 4] =
        ["To Be Filled By O.E.M.", "System Product Name", "System manufacturer", "Default string"];
    let parts: Vec<String> = [vendor, product]
        .into_iter()
        .flatten()
        .filter(|part| !PLACEHOLDERS.contains(&part.as_str()))
        .collect();
    (!parts.is_empty()).then(|| parts.join(" "))
}

/// The name for the signature of CPUID leaf 0x40000000, as hypervisors document it.
fn name_of(signature: &str) -> String {
    let name = match signature {
        "KVMKVMKVM" | "Linux KVM Hv" => "KVM",
        "Microsoft Hv" => "Hyper-V",
        "VMwareVMware" => "VMware",
        "XenVMMXenVMM" => "Xen",
        "TCGTCGTCGTCG" => "QEMU without acceleration",
        "bhyve bhyve" => "bhyve",
        "VBoxVBoxVBox" => "VirtualBox",
        "prl hyperv" | "lrpepyh vr" => "Parallels",
        "ACRNACRNACRN" => "ACRN",
        other => other,
    };
    name.to_owned()
}

/// The signature is only there if the CPU has the hypervisor flag; the caller has seen it.
#[cfg(target_arch = "x86_64")]
fn signature() -> Option<String> {
    // Newer toolchains know that the instruction is safe; the oldest supported one wants to be told.
    #[allow(unused_unsafe)]
    // SAFETY: every x86-64 CPU has the instruction, and it changes registers only.
    let leaf = unsafe { std::arch::x86_64::__cpuid(0x4000_0000) };
    let bytes = [leaf.ebx, leaf.ecx, leaf.edx].map(u32::to_le_bytes).concat();
    let text = String::from_utf8(bytes).ok()?;
    let text = text.trim_matches(['\0', ' ']);
    let printable = !text.is_empty() && text.chars().all(|letter| letter.is_ascii_graphic() || letter == ' ');
    printable.then(|| name_of(text))
}

#[cfg(not(target_arch = "x86_64"))]
fn signature() -> Option<String> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_signatures_have_names_and_others_speak_for_themselves() {
        assert_eq!(name_of("KVMKVMKVM"), "KVM");
        assert_eq!(name_of("SomethingNew"), "SomethingNew");
    }

    #[test]
    fn placeholders_of_firmware_are_no_machine() {
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(machine(text("Amazon EC2"), text("m7i.large")), text("Amazon EC2 m7i.large"));
        assert_eq!(machine(text("System manufacturer"), text("X1")), text("X1"));
        assert_eq!(machine(None, text("System Product Name")), None);
    }
}
