//! From the path of a mapped file, as profilers print it, to the name of a module.

use std::sync::Arc;

/// The name of kernel code.
pub const KERNEL: &str = "[kernel]";

/// The name of code that was compiled while the program ran.
const JIT: &str = "[jit]";

/// The file that code is in, as frames name it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Module {
    pub name: Arc<str>,
    pub is_kernel: bool,
}

impl Module {
    fn user(name: &str) -> Self {
        Self { name: name.into(), is_kernel: false }
    }

    fn kernel(name: &str) -> Self {
        Self { name: name.into(), is_kernel: true }
    }
}

/// The module of a path as perf, the pprof writers and the kernel state it; none of memory that is of no file.
pub fn module(path: &str) -> Option<Module> {
    let path = path.trim().strip_suffix(" (deleted)").unwrap_or(path.trim());
    let file = path.rsplit('/').next().unwrap_or(path);
    if file.is_empty() || path == "//anon" {
        return None;
    }
    if let Some(inner) = path.strip_prefix('[') {
        return bracketed(path, inner.split(']').next().unwrap_or(inner));
    }
    let is_perf_map = file.starts_with("perf-") && file.ends_with(".map");
    let is_jitted = file.starts_with("jitted-") && file.ends_with(".so");
    if is_perf_map || is_jitted || file == "JIT" {
        return Some(Module::user(JIT));
    }
    if file == "vmlinux" || file.starts_with("vmlinux-") {
        return Some(Module::kernel(KERNEL));
    }
    if file.starts_with("bpf_prog_") || file.starts_with("bpf_trampoline_") {
        return Some(Module::kernel("[bpf]"));
    }
    let object = [".ko", ".ko.xz", ".ko.gz", ".ko.zst"].iter().find_map(|end| file.strip_suffix(end));
    Some(object.map_or_else(|| Module::user(file), |object| Module::kernel(&format!("[{object}]"))))
}

/// What stands in brackets: parts of the kernel, and memory that is of no file.
fn bracketed(path: &str, inner: &str) -> Option<Module> {
    match inner {
        "unknown" | "heap" | "stack" | "uprobes" | "vvar" => None,
        _ if inner.starts_with("anon") || inner.starts_with("stack:") => None,
        "vdso" | "vdso32" | "vdsox32" => Some(Module::user("[vdso]")),
        "vsyscall" => Some(Module::user("[vsyscall]")),
        "jit" | "JIT" => Some(Module::user(JIT)),
        _ if inner.starts_with("guest.kernel") => Some(Module::kernel("[guest kernel]")),
        "kernel" | "kernel.vmlinux" | "kernel.kallsyms" => Some(Module::kernel(KERNEL)),
        _ if inner.starts_with("kernel.") => Some(Module::kernel(KERNEL)),
        // What else perf puts into brackets are modules of the kernel.
        _ => Some(Module::kernel(path)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_have_the_names_that_frames_have() {
        let name = |path| module(path).map(|module| (module.name.to_string(), module.is_kernel));
        let user = |name: &str| Some((name.to_owned(), false));
        let kernel = |name: &str| Some((name.to_owned(), true));
        assert_eq!(name("/usr/lib/x86_64-linux-gnu/libcrypto.so.3"), user("libcrypto.so.3"));
        assert_eq!(name("/usr/sbin/nginx (deleted)"), user("nginx"));
        assert_eq!(name("/tmp/perf-4711.map"), user("[jit]"));
        assert_eq!(name("[vdso]"), user("[vdso]"));
        assert_eq!(name("[kernel.kallsyms]_text"), kernel("[kernel]"));
        assert_eq!(name("[guest.kernel.kallsyms]"), kernel("[guest kernel]"));
        assert_eq!(name("/lib/modules/6.1.0/kernel/net/tls/tls.ko.xz"), kernel("[tls]"));
        assert_eq!(name("[nf_tables]"), kernel("[nf_tables]"));
        assert_eq!(name("[unknown]"), None);
        assert_eq!(name("//anon"), None);
        assert_eq!(name(""), None);
    }
}
