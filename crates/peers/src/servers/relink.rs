//! A server with another OpenSSL than the distribution's: a static build of ours, made into shared objects that the server
//! loads in place of the system's.

use std::fs;
use std::path::{Path, PathBuf};

use tlstax_measure::command::{self, Run};
use tlstax_measure::folder::Folder;

/// The interface that programs of today are linked to; within it every version of OpenSSL goes.
const MAJOR: &str = "3";

/// Makes shared objects from the archives under an install prefix in a folder that is empty, and returns its path.
///
/// Programs ask for symbols of the version OPENSSL_3.0.0, so all are given it.
///
/// # Errors
/// The library is of another major version, or cannot be linked; in one sentence.
pub fn relink(prefix: &Path, folder: &Folder) -> Result<PathBuf, String> {
    let description = fs::read_to_string(prefix.join("lib/pkgconfig/libssl.pc")).unwrap_or_default();
    let version = description.lines().find_map(|line| line.strip_prefix("Version: ")).unwrap_or("unknown");
    if version.split('.').next() != Some(MAJOR) {
        return Err(format!(
            "servers here are linked to OpenSSL {MAJOR}, this is version {version}: it does not fit"
        ));
    }
    let cannot = |error: std::io::Error| format!("cannot write in {}: {error}", folder.path().display());
    folder.write("versions.map", [&b"OPENSSL_3.0.0 { global: *; };\n"[..]]).map_err(cannot)?;
    for (library, needs) in [("crypto", &["-ldl", "-lpthread"][..]), ("ssl", &["-L.", "-l:libcrypto.so.3"])] {
        let object = format!("lib{library}.so.{MAJOR}");
        let archive = prefix.join("lib").join(format!("lib{library}.a")).display().to_string();
        let name = format!("-Wl,-soname,{object}");
        let mut words = vec!["-shared", "-o", &object, &name, "-Wl,--version-script=versions.map"];
        words.extend(["-Wl,--whole-archive", &archive, "-Wl,--no-whole-archive"]);
        words.extend(needs);
        link(folder.path(), &words)?;
        folder.admit(&object).map_err(cannot)?;
    }
    Ok(folder.path().to_owned())
}

fn link(folder: &Path, words: &[&str]) -> Result<(), String> {
    let run = Run {
        program: std::env::var("CC").unwrap_or_else(|_| "cc".to_owned()),
        arguments: words.iter().map(|word| (*word).to_owned()).collect(),
        folder: folder.to_owned(),
        ..Run::default()
    };
    let output = command::answer(&run).map_err(|error| error.to_string())?;
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("cannot link {run}: {}", String::from_utf8_lossy(&output.stderr).trim())),
    }
}
