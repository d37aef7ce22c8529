//! `/proc/crypto`: what the kernel's crypto consists of.

/// A driver of one algorithm.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Driver {
    /// The algorithm: `gcm(aes)`.
    pub algorithm: String,
    /// The driver: `generic-gcm-aesni`.
    pub name: String,
    /// Of several drivers the kernel takes the one with the most.
    pub priority: i32,
}

/// Words of names that belong to devices, as the drivers in the kernel's drivers/crypto register them. Instructions of
/// the CPU (`aesni`, `neon`, `ce`, `s390`) are no devices.
const DEVICES: [&str; 34] = [
    "artpec6",
    "aspeed",
    "atmel",
    "caam",
    "ccp",
    "ccree",
    "chcr",
    "cpt",
    "crypto4xx",
    "dcp",
    "eip93",
    "exynos",
    "gxl",
    "hisi",
    "hpre",
    "iproc",
    "keembay",
    "mtk",
    "mv",
    "n2",
    "nx",
    "octeontx",
    "omap",
    "qat",
    "qce",
    "rk",
    "s5p",
    "safexcel",
    "starfive",
    "stm32",
    "sun4i",
    "sun8i",
    "talitos",
    "virtio",
];

impl Driver {
    pub fn is_device(&self) -> bool {
        let mut words = self.name.split(|letter: char| !letter.is_ascii_alphanumeric());
        words.any(|word| DEVICES.contains(&word))
    }
}

/// Reads the blocks of `/proc/crypto`, which are separated by empty lines.
pub(super) fn parse(text: &str) -> Vec<Driver> {
    text.split("\n\n").filter_map(driver).collect()
}

fn driver(block: &str) -> Option<Driver> {
    let value = |name: &str| {
        let mut lines = block.lines().filter_map(|line| line.split_once(':'));
        lines.find(|(found, _)| found.trim() == name).map(|(_, value)| value.trim().to_owned())
    };
    Some(Driver {
        algorithm: value("name")?,
        name: value("driver")?,
        priority: value("priority").and_then(|number| number.parse().ok()).unwrap_or_default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const CRYPTO: &str = "\
name         : gcm(aes)
driver       : generic-gcm-aesni
module       : aesni_intel
priority     : 400
refcnt       : 1

name         : gcm(aes)
driver       : gcm-aes-ccp
module       : ccp_crypto
priority     : 300

name         : sha256
driver       : sha256-generic
module       : kernel
";

    #[test]
    fn blocks_are_read() {
        let drivers = parse(CRYPTO);
        assert_eq!(drivers.len(), 3);
        let first = Driver { algorithm: "gcm(aes)".into(), name: "generic-gcm-aesni".into(), priority: 400 };
        assert_eq!(drivers[0], first);
        assert_eq!(drivers[2].priority, 0);
        for rubbish in ["", "\n\n\n", "name : x", "driver : y\n\nname : z", ":::\n::"] {
            assert_eq!(parse(rubbish), [], "{rubbish:?}");
        }
    }

    #[test]
    fn devices_are_told_from_instructions() {
        let is_device =
            |name: &str| Driver { algorithm: String::new(), name: name.to_owned(), priority: 0 }.is_device();
        for name in [
            "gcm-aes-ccp",
            "gcm-aes-caam",
            "qat_aes_gcm",
            "safexcel-gcm-aes",
            "virtio_crypto_aes_cbc",
            "gcm-aes-chcr",
            "hisi_sec_gcm_aes",
            "mv-cbc-aes",
            "cpt_cbc_aes",
            "stm32-gcm-aes",
            "gcm-aes-omap",
            "hpre-rsa",
            "cbc-aes-qce",
        ] {
            assert!(is_device(name), "{name}");
        }
        for name in [
            "generic-gcm-aesni",
            "gcm_base(ctr(aes-generic),ghash-generic)",
            "sha256-ni",
            "gcm-aes-ce",
            "sha512-lib",
            "blake2b-512-generic",
            "jitterentropy_rng",
            "cryptd(__generic-gcm-aesni)",
            "sha256-s390",
            "lzo-scomp",
            "aes-fixed-time",
            "ecdh-nist-p256-generic",
            "drbg_nopr_ctr_aes256",
            "rsa-generic",
            "xxhash64-generic",
        ] {
            assert!(!is_device(name), "{name}");
        }
    }
}
