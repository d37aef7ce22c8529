//! Compiles the one backend that `TLSTAX_BACKEND` names (default: openssl) and links its library, which `pkg-config`
//! finds. For a library that you built yourself set `PKG_CONFIG_PATH` to its `lib/pkgconfig`, and if it is a static
//! one, `PKG_CONFIG_ALL_STATIC=1`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::{env, fs};

/// What a backend needs: its files are `backends/NAME.c` and `backends/NAME_*.c`.
struct Backend {
    name: &'static str,
    /// The pkg-config modules of the library.
    modules: &'static [&'static str],
    /// The oldest version of the first module that has every call the backend makes.
    oldest: &'static str,
    /// The Debian packages that hold headers and pkg-config files.
    debian: &'static str,
}

const BACKENDS: &[Backend] = &[Backend {
    name: "openssl",
    modules: &["libssl", "libcrypto"],
    oldest: "1.1.1",
    debian: "libssl-dev pkg-config",
}];

fn main() -> ExitCode {
    println!("cargo::rerun-if-env-changed=TLSTAX_BACKEND");
    println!("cargo::rerun-if-changed=backends");
    println!("cargo::rerun-if-changed=tlx.h");
    let Err(message) = build() else { return ExitCode::SUCCESS };
    for line in message.lines() {
        println!("cargo::error={line}");
    }
    ExitCode::FAILURE
}

fn build() -> Result<(), String> {
    let name = env::var("TLSTAX_BACKEND").unwrap_or_else(|_| "openssl".to_owned());
    let backend = BACKENDS.iter().find(|backend| backend.name == name).ok_or_else(|| {
        let known: Vec<_> = BACKENDS.iter().map(|backend| backend.name).collect();
        format!("TLSTAX_BACKEND is '{name}'; known backends: {}", known.join(", "))
    })?;
    let mut build = cc::Build::new();
    build.files(sources(backend.name)?).std("c11").opt_level(2).warnings(true).extra_warnings(true);
    for module in backend.modules {
        build.includes(backend.probe(module, false)?.include_paths);
    }
    build.compile("tlx_backend");
    // After the backend: a linker looks for symbols in the order of its arguments.
    backend.modules.iter().try_for_each(|module| backend.probe(module, true).map(drop))
}

impl Backend {
    fn probe(&self, module: &str, link: bool) -> Result<pkg_config::Library, String> {
        let mut config = pkg_config::Config::new();
        config.atleast_version(self.oldest).cargo_metadata(link).probe(module).map_err(|error| {
            let Self { oldest, debian, .. } = self;
            format!("no headers of {module} {oldest} or newer; on Debian: apt-get install {debian}\n{error}")
        })
    }
}

fn sources(backend: &str) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir("backends").map_err(|error| format!("backends/: {error}"))?;
    let mut files: Vec<_> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .filter(|path| {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            stem == backend || stem.strip_prefix(backend).is_some_and(|rest| rest.starts_with('_'))
        })
        .collect();
    files.sort();
    Ok(files)
}
