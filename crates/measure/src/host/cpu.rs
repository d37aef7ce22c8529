//! `/proc/cpuinfo`, which every architecture writes in its own way.

use tlstax_spec::CpuModel;

/// Instruction set extensions that TLS libraries choose code by, as the kernel names them.
const FEATURES: &[&str] = &[
    "aes",
    "pclmulqdq",
    "vaes",
    "vpclmulqdq",
    "avx2",
    "avx512f",
    "avx512dq",
    "avx512bw",
    "avx512vl",
    "avx512ifma",
    "sha_ni",
    "bmi2",
    "adx",
    "pmull",
    "sha1",
    "sha2",
    "sha512",
    "sha3",
    "neon",
];

pub(super) fn model(cpuinfo: &str) -> CpuModel {
    let field = |name| field(cpuinfo, name);
    let number = |name| parse_number(field(name)?);
    if let Some(implementer) = field("CPU implementer") {
        let part = number("CPU part");
        return CpuModel {
            vendor: parse_number(implementer).and_then(arm_implementer).map(str::to_owned),
            name: field("model name")
                .or_else(|| arm_core(parse_number(implementer)?, part?))
                .map(str::to_owned),
            family: None,
            model: part,
            stepping: number("CPU revision"),
            microcode: None,
        };
    }
    CpuModel {
        vendor: field("vendor_id").map(str::to_owned),
        name: field("model name").map(str::to_owned),
        family: number("cpu family"),
        model: number("model"),
        stepping: number("stepping"),
        microcode: field("microcode").map(str::to_owned),
    }
}

/// The extensions of [`FEATURES`] that all CPUs have, in the order of that list.
pub(super) fn features(cpuinfo: &str) -> Vec<String> {
    let flags = |line| {
        let (name, value) = split(line)?;
        matches!(name, "flags" | "Features").then(|| value.split_ascii_whitespace().collect::<Vec<_>>())
    };
    // Big and little cores may differ: code runs on both, so only what both have is of use.
    let of_all: Vec<Vec<&str>> = cpuinfo.lines().filter_map(flags).collect();
    let kernel_name = |feature: &str| if feature == "neon" { "asimd".to_owned() } else { feature.to_owned() };
    let everywhere =
        |feature: &&&str| of_all.iter().all(|flags| flags.contains(&kernel_name(feature).as_str()));
    if of_all.is_empty() {
        return Vec::new();
    }
    FEATURES.iter().filter(everywhere).map(|feature| (*feature).to_owned()).collect()
}

/// Whether an x86 CPU says that it is virtual; none on other architectures, which do not say.
pub(super) fn has_hypervisor_flag(cpuinfo: &str) -> Option<bool> {
    field(cpuinfo, "flags").map(|flags| flags.split_ascii_whitespace().any(|flag| flag == "hypervisor"))
}

/// The value of the first line of a name.
fn field<'a>(cpuinfo: &'a str, name: &str) -> Option<&'a str> {
    let value = cpuinfo.lines().filter_map(split).find(|(found, _)| *found == name)?.1;
    (!value.is_empty()).then_some(value)
}

fn split(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once(':')?;
    Some((name.trim(), value.trim()))
}

fn parse_number(text: &str) -> Option<u32> {
    match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// The implementer codes of the Main ID Register, from the Arm Architecture Reference Manual.
fn arm_implementer(code: u32) -> Option<&'static str> {
    Some(match code {
        0x41 => "Arm",
        0x42 => "Broadcom",
        0x43 => "Cavium",
        0x46 => "Fujitsu",
        0x48 => "HiSilicon",
        0x4e => "NVIDIA",
        0x50 => "Applied Micro",
        0x51 => "Qualcomm",
        0x53 => "Samsung",
        0x61 => "Apple",
        0x6d => "Microsoft",
        0xc0 => "Ampere",
        _ => return None,
    })
}

/// The cores that servers and small boards are built with, by implementer and part number, from the kernel's
/// arch/arm64/include/asm/cputype.h.
fn arm_core(implementer: u32, part: u32) -> Option<&'static str> {
    Some(match (implementer, part) {
        (0x41, 0xd03) => "Cortex-A53",
        (0x41, 0xd05) => "Cortex-A55",
        (0x41, 0xd08) => "Cortex-A72",
        (0x41, 0xd0b) => "Cortex-A76",
        (0x41, 0xd0c) => "Neoverse-N1",
        (0x41, 0xd40) => "Neoverse-V1",
        (0x41, 0xd49) => "Neoverse-N2",
        (0x41, 0xd4f) => "Neoverse-V2",
        (0x41, 0xd84) => "Neoverse-V3",
        (0x41, 0xd8e) => "Neoverse-N3",
        (0xc0, 0xac3) => "Ampere-1",
        (0xc0, 0xac4) => "Ampere-1A",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const VIRTUAL: &str = include_str!("fixtures/x86-virtual.txt");
    const BARE_METAL: &str = include_str!("fixtures/x86-bare-metal-smt.txt");
    const ARM: &str = include_str!("fixtures/arm64.txt");

    #[test]
    fn a_virtual_x86_is_read() {
        let model = model(VIRTUAL);
        assert_eq!(model.vendor.as_deref(), Some("GenuineIntel"));
        assert_eq!((model.family, model.model, model.stepping), (Some(6), Some(85), Some(7)));
        assert_eq!(has_hypervisor_flag(VIRTUAL), Some(true));
        let features = features(VIRTUAL);
        assert_eq!(
            features,
            ["aes", "pclmulqdq", "avx2", "avx512f", "avx512dq", "avx512bw", "avx512vl", "bmi2", "adx"]
        );
    }

    #[test]
    fn a_real_x86_is_read() {
        let model = model(BARE_METAL);
        assert_eq!(model.vendor.as_deref(), Some("AuthenticAMD"));
        assert_eq!((model.family, model.model), (Some(25), Some(97)));
        assert_eq!(has_hypervisor_flag(BARE_METAL), Some(false));
        let features = features(BARE_METAL);
        for feature in ["vaes", "vpclmulqdq", "sha_ni", "avx512ifma"] {
            assert!(features.iter().any(|found| found == feature), "{feature}");
        }
    }

    #[test]
    fn an_arm_is_read_and_only_what_all_cores_have_counts() {
        let model = model(ARM);
        assert_eq!(model.vendor.as_deref(), Some("Arm"));
        assert_eq!(model.name.as_deref(), Some("Neoverse-N1"));
        assert_eq!((model.family, model.model, model.stepping), (None, Some(0xd0c), Some(1)));
        assert_eq!(has_hypervisor_flag(ARM), None);
        assert_eq!(features(ARM), ["aes", "pmull", "sha1", "sha2", "neon"]);
    }

    #[test]
    fn nothing_is_made_of_nothing() {
        assert_eq!(model(""), CpuModel::default());
        assert!(features("").is_empty());
        assert_eq!(model("model name\t:\n").name, None);
    }
}
