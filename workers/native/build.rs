//! Compiles one backend and links its library. Everything comes from the environment, as `tlstax libraries build` sets it
//! from `workers/workers.toml`; without any of it, the backend is openssl with the system's library.
//!
//! | variable | meaning |
//! | --- | --- |
//! | `TLSTAX_BACKEND` | the files `backends/NAME.c`, `backends/NAME_*.c`, and the same with `.cc` for C++; `common/*.c` is compiled with each |
//! | `TLSTAX_MODULES` | pkg-config modules of a library of the system; `none` if the backend needs no library |
//! | `TLSTAX_PREFIX` | instead of modules: where the library was installed; several with colons. Only these are searched for headers |
//! | `TLSTAX_ARCHIVES` | with a prefix: the static archives, in the order in which they need each other |
//! | `TLSTAX_LINK` | what else has to be linked, dynamically |
//! | `TLSTAX_DEFINES` | preprocessor definitions |
//! | `TLSTAX_SANITIZE` | sanitizers of the C compiler: `address,undefined` |

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

/// What is built where the environment does not say.
const BACKEND: &str = "openssl";
const MODULES: &str = "libssl libcrypto";

fn main() -> ExitCode {
    for name in ["BACKEND", "MODULES", "PREFIX", "ARCHIVES", "LINK", "DEFINES", "SANITIZE"] {
        println!("cargo::rerun-if-env-changed=TLSTAX_{name}");
    }
    println!("cargo::rerun-if-changed=backends");
    println!("cargo::rerun-if-changed=common");
    println!("cargo::rerun-if-changed=tlx.h");
    let Err(message) = build() else { return ExitCode::SUCCESS };
    for line in message.lines() {
        println!("cargo::error={line}");
    }
    ExitCode::FAILURE
}

fn build() -> Result<(), String> {
    let backend = setting("BACKEND").unwrap_or_else(|| BACKEND.to_owned());
    let library = Library::find()?;
    let [c, cpp] = [sources(&backend, "c")?, sources(&backend, "cc")?];
    if c.is_empty() && cpp.is_empty() {
        return Err(format!(
            "TLSTAX_BACKEND is '{backend}', and there is no backends/{backend}.c or backends/{backend}.cc"
        ));
    }
    compile(cpp, true, &library)?;
    // What all backends share comes after them, since they call it.
    compile([c, files("common", "c")?].concat(), false, &library)?;
    // After the backend: a linker looks for symbols in the order of its arguments.
    library.link();
    // Their runtimes by name: rustc links without the libraries that a compiler adds by itself.
    for sanitizer in setting("SANITIZE").unwrap_or_default().split(',').filter(|name| !name.is_empty()) {
        let runtime = if sanitizer == "undefined" { "ubsan" } else { "asan" };
        println!("cargo::rustc-link-lib=dylib={runtime}");
    }
    Ok(())
}

fn compile(files: Vec<PathBuf>, cpp: bool, library: &Library) -> Result<(), String> {
    if files.is_empty() {
        return Ok(());
    }
    let mut build = cc::Build::new();
    build.files(files).cpp(cpp).std(if cpp { "c++20" } else { "c11" }).opt_level(2);
    build.warnings(true).extra_warnings(true).includes(library.includes());
    // What a library calls back has the parameters that it says, wanted or not.
    build.flag("-Wno-unused-parameter");
    if !cpp {
        // A structure of a backend begins with the fields of one in `common` by naming it, without a name of its own.
        build.flag("-fms-extensions").flag_if_supported("-Wno-microsoft-anon-tag");
    }
    for definition in words("DEFINES") {
        let (name, value) = definition.split_once('=').unwrap_or((&definition, "1"));
        build.define(name, value);
    }
    if let Some(sanitizers) = setting("SANITIZE") {
        build.flag(format!("-fsanitize={sanitizers}")).flag("-fno-omit-frame-pointer");
    }
    build.try_compile(if cpp { "tlx_cc" } else { "tlx_c" }).map_err(|error| error.to_string())
}

enum Library {
    /// One of the system: its modules.
    System(Vec<pkg_config::Library>),
    /// One that was installed by itself.
    Installed(Vec<PathBuf>),
}

impl Library {
    fn find() -> Result<Self, String> {
        if let Some(prefixes) = setting("PREFIX") {
            let prefixes: Vec<_> = prefixes.split(':').map(PathBuf::from).collect();
            return match prefixes.iter().find(|prefix| !prefix.join("include").is_dir()) {
                Some(without) => {
                    Err(format!("{} has no folder include: is it an install prefix?", without.display()))
                }
                None => Ok(Self::Installed(prefixes)),
            };
        }
        let modules = modules();
        let found = modules.split_whitespace().map(|module| probe(module, false));
        Ok(Self::System(found.collect::<Result<_, _>>()?))
    }

    fn includes(&self) -> Vec<PathBuf> {
        match self {
            Self::System(modules) => modules.iter().flat_map(|module| module.include_paths.clone()).collect(),
            Self::Installed(prefixes) => prefixes.iter().map(|prefix| prefix.join("include")).collect(),
        }
    }

    fn link(&self) {
        match self {
            Self::System(_) => {
                for module in modules().split_whitespace() {
                    // It was found a moment ago; this time Cargo learns of it.
                    let _ = probe(module, true);
                }
            }
            Self::Installed(prefixes) => {
                for folder in prefixes.iter().flat_map(|prefix| [prefix.join("lib"), prefix.join("lib64")]) {
                    println!("cargo::rustc-link-search=native={}", folder.display());
                    rerun(&folder);
                }
                for archive in words("ARCHIVES") {
                    println!("cargo::rustc-link-lib=static={archive}");
                }
            }
        }
        for name in words("LINK") {
            println!("cargo::rustc-link-lib=dylib={name}");
        }
    }
}

/// A library that is built anew in its place is linked anew.
fn rerun(folder: &Path) {
    if folder.is_dir() {
        println!("cargo::rerun-if-changed={}", folder.display());
    }
}

fn modules() -> String {
    match setting("MODULES") {
        None => MODULES.to_owned(),
        Some(none) if none == "none" => String::new(),
        Some(modules) => modules,
    }
}

fn probe(module: &str, for_cargo: bool) -> Result<pkg_config::Library, String> {
    let probed = pkg_config::Config::new().cargo_metadata(for_cargo).probe(module);
    probed.map_err(|error| format!("pkg-config finds no {module}: install its development package\n{error}"))
}

fn setting(name: &str) -> Option<String> {
    env::var(format!("TLSTAX_{name}")).ok().filter(|value| !value.is_empty())
}

fn words(name: &str) -> Vec<String> {
    setting(name).unwrap_or_default().split_whitespace().map(str::to_owned).collect()
}

fn sources(backend: &str, ending: &str) -> Result<Vec<PathBuf>, String> {
    let belongs = |path: &PathBuf| {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        stem == backend || stem.strip_prefix(backend).is_some_and(|rest| rest.starts_with('_'))
    };
    Ok(files("backends", ending)?.into_iter().filter(belongs).collect())
}

fn files(folder: &str, ending: &str) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{folder}/: {error}"))?;
    let mut files: Vec<_> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == ending))
        .collect();
    files.sort();
    Ok(files)
}
