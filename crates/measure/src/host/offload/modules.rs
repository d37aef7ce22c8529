//! Whether the kernel has a module, without loading it.

use std::path::Path;

use crate::kernel_text::{text, word};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Module {
    /// Loaded, or a part of the kernel.
    Present,
    /// A file that the kernel would load.
    Loadable,
    /// The kernel was built without it.
    Absent,
    /// Its modules cannot be seen, as in a container.
    Untold,
}

/// Looks for a module, by its name with underscores.
pub(super) fn find(name: &str) -> Module {
    if Path::new("/sys/module").join(name).exists() {
        return Module::Present;
    }
    // A kernel without loadable modules has no list of them.
    if !Path::new("/proc/modules").exists() {
        return Module::Absent;
    }
    let release = word("/proc/sys/kernel/osrelease").unwrap_or_default();
    let folder = Path::new("/lib/modules").join(release);
    listed(name, text(folder.join("modules.builtin")).as_deref(), text(folder.join("modules.dep")).as_deref())
}

/// Reads `modules.builtin`, one path per line, and `modules.dep`, where a path ends at a colon.
fn listed(name: &str, built_in: Option<&str>, loadable: Option<&str>) -> Module {
    let has = |list: &str| list.lines().any(|line| module_name(line) == name);
    match (built_in, loadable) {
        (None, None) => Module::Untold,
        (Some(list), _) if has(list) => Module::Present,
        (_, Some(list)) if has(list) => Module::Loadable,
        _ => Module::Absent,
    }
}

/// `kernel/crypto/algif-aead.ko.xz: kernel/crypto/af_alg.ko.xz` is `algif_aead`.
fn module_name(line: &str) -> String {
    let path = line.split(':').next().unwrap_or_default();
    let file = path.rsplit('/').next().unwrap_or_default();
    file.split(".ko").next().unwrap_or_default().replace('-', "_")
}

#[cfg(test)]
mod tests {
    use super::*;

    const BUILT_IN: &str = "kernel/crypto/aes_generic.ko\nkernel/net/tls/tls.ko\n";
    const LOADABLE: &str = "kernel/crypto/af_alg.ko.xz:\n\
                            kernel/crypto/algif-aead.ko.xz: kernel/crypto/af_alg.ko.xz\n";

    #[test]
    fn modules_are_found_in_the_lists() {
        let find = |name| listed(name, Some(BUILT_IN), Some(LOADABLE));
        assert_eq!(find("tls"), Module::Present);
        assert_eq!(find("af_alg"), Module::Loadable);
        assert_eq!(find("algif_aead"), Module::Loadable);
        assert_eq!(find("algif_hash"), Module::Absent);
        assert_eq!(find("crypto"), Module::Absent);
        assert_eq!(find(""), Module::Absent);
    }

    #[test]
    fn where_there_are_no_lists_nothing_is_said() {
        assert_eq!(listed("tls", None, None), Module::Untold);
        assert_eq!(listed("tls", None, Some(LOADABLE)), Module::Absent);
        assert_eq!(listed("tls", Some(BUILT_IN), None), Module::Present);
    }
}
