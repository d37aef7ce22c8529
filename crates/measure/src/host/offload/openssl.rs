//! Where the system's OpenSSL looks for engines and providers, and what is there.

use std::path::{Path, PathBuf};

use crate::command::{self, Run};
use crate::kernel_text::names;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folder {
    pub path: PathBuf,
    /// The modules in it: `legacy.so`.
    pub modules: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenSsl {
    /// Its first words: `OpenSSL 3.0.19`.
    pub version: String,
    /// Engines; none in a build without them.
    pub engines: Option<Folder>,
    /// Providers; none before 3.0.
    pub providers: Option<Folder>,
}

/// Asks the program `openssl`, without its configuration, and for a few seconds at most.
pub(super) fn read() -> Option<OpenSsl> {
    let run = Run {
        program: "timeout".to_owned(),
        arguments: ["5", "openssl", "version", "-a"].map(str::to_owned).to_vec(),
        folder: PathBuf::from("/"),
        environment: vec![("OPENSSL_CONF".to_owned(), "/dev/null".to_owned())],
        ..Run::default()
    };
    let output = command::answer(&run).ok().filter(|output| output.status.success())?;
    let text = String::from_utf8_lossy(&output.stdout);
    let folder = |name| place(&text, name).map(|path| Folder { modules: modules(&path), path });
    Some(OpenSsl { version: version(&text)?, engines: folder("ENGINESDIR"), providers: folder("MODULESDIR") })
}

/// The first two words of the first line.
fn version(text: &str) -> Option<String> {
    let mut words = text.lines().next()?.split_whitespace();
    Some(format!("{} {}", words.next()?, words.next()?))
}

/// The folder in a line `MODULESDIR: "/usr/lib/x86_64-linux-gnu/ossl-modules"`.
fn place(text: &str, name: &str) -> Option<PathBuf> {
    let found = text.lines().filter_map(|line| line.split_once(':')).find(|(found, _)| *found == name)?.1;
    Some(PathBuf::from(found.trim().trim_matches('"'))).filter(|path| path.is_absolute())
}

fn modules(folder: &Path) -> Vec<String> {
    names(folder).into_iter().filter(|name| name.ends_with(".so")).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const THREE: &str = "OpenSSL 3.0.19 27 Jan 2026 (Library: OpenSSL 3.0.19 27 Jan 2026)\nplatform: debian-amd64\n\
                         ENGINESDIR: \"/usr/lib/x86_64-linux-gnu/engines-3\"\n\
                         MODULESDIR: \"/usr/lib/x86_64-linux-gnu/ossl-modules\"\n";

    #[test]
    fn folders_are_named_by_the_program() {
        assert_eq!(version(THREE).unwrap(), "OpenSSL 3.0.19");
        assert_eq!(place(THREE, "ENGINESDIR").unwrap(), Path::new("/usr/lib/x86_64-linux-gnu/engines-3"));
        assert_eq!(place(THREE, "MODULESDIR").unwrap(), Path::new("/usr/lib/x86_64-linux-gnu/ossl-modules"));
        let before = "OpenSSL 1.1.1w  11 Sep 2023\nENGINESDIR: \"/usr/lib/engines-1.1\"\n";
        assert_eq!(version(before).unwrap(), "OpenSSL 1.1.1w");
        assert_eq!(place(before, "MODULESDIR"), None);
        for rubbish in ["", "x", "MODULESDIR:", "MODULESDIR: \"\"", "MODULESDIR: \"relative\""] {
            assert_eq!(place(rubbish, "MODULESDIR"), None, "{rubbish}");
        }
    }
}
