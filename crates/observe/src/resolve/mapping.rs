//! [`Mapping`]: a part of a file in a process, and what kind of code it is.

/// A part of a file, mapped into a process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mapping {
    pub start: u64,
    pub end: u64,
    /// Where in the file it begins.
    pub offset: u64,
    /// As the process sees it.
    pub path: String,
    /// In lower-case hexadecimal, where the source says it.
    pub build_id: Option<String>,
}

/// What a mapping holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    File,
    /// Memory without a file: code that was compiled at run time, where it is executed.
    Generated,
    /// What the kernel maps into every process.
    Vdso,
    Kernel,
}

/// Names that the kernel and perf give to memory that no file of the process's stands behind.
const ANONYMOUS: [&str; 5] = ["//anon", "/memfd:", "/dev/zero", "/anon_hugepage", "/SYSV"];

/// What /proc and perf write after the path of a file that has lost its name.
pub const DELETED: &str = " (deleted)";

impl Mapping {
    pub fn content(&self) -> Content {
        let path = self.path.as_str();
        if path.starts_with("[kernel") || path.starts_with("[guest.kernel") {
            Content::Kernel
        } else if path == "[vdso]" {
            Content::Vdso
        } else if !path.starts_with('/') || ANONYMOUS.iter().any(|name| path.starts_with(name)) {
            Content::Generated
        } else {
            Content::File
        }
    }

    /// The path without the word that says that it is gone, and whether that was there.
    pub fn file(&self) -> (&str, bool) {
        match self.path.strip_suffix(DELETED) {
            Some(path) => (path, true),
            None => (&self.path, false),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_told_from_files_by_its_name() {
        let content = |path: &str| {
            Mapping { start: 0, end: 1, offset: 0, path: path.to_owned(), build_id: None }.content()
        };
        assert_eq!(content("/usr/lib/libssl.so.3"), Content::File);
        assert_eq!(content("/usr/sbin/nginx (deleted)"), Content::File);
        assert_eq!(content("[vdso]"), Content::Vdso);
        assert_eq!(content("[kernel.kallsyms]_text"), Content::Kernel);
        for name in ["", "//anon", "[heap]", "[anon:v8]", "/memfd:jit (deleted)", "/dev/zero (deleted)"] {
            assert_eq!(content(name), Content::Generated, "{name}");
        }
    }

    #[test]
    fn a_deleted_file_keeps_its_path() {
        let path = "/usr/sbin/nginx (deleted)".to_owned();
        let mapping = Mapping { start: 0, end: 1, offset: 0, path, build_id: None };
        assert_eq!(mapping.file(), ("/usr/sbin/nginx", true));
    }
}
