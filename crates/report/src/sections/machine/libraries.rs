//! The libraries that were measured: what they report of themselves, and the files that were really loaded.

use tlstax_doc::{Library, LibraryKind, Made, Object};

use crate::grid::{Grid, Measure};
use crate::model::{Block, Quantity, Table};

/// Files that every program loads; they tell nothing of the library.
const RUNTIME: &[&str] =
    &["libc.", "libm.", "libdl.", "libpthread.", "libgcc_s.", "libstdc++.", "ld-", "linux-vdso"];

/// What the names of files have in them that make TLS, or the HTTP/2 above it.
const OF_TLS: &[&str] =
    &["ssl", "libcrypto", "gnutls", "nettle", "hogweed", "nss3", "mbed", "wolf", "s2n", "nghttp2", "http2"];

/// Digits of a hash that tell builds apart in a line.
const SHORT: usize = 8;

/// What each library is in a line or two, and the whole of it for those who ask.
pub(super) fn blocks(libraries: &[Library]) -> Vec<Block> {
    let details = [builds(libraries), made(libraries), files(libraries)].into_iter().flatten();
    overview(libraries).map(Block::Table).into_iter().chain(details.map(Block::Details)).collect()
}

fn overview(libraries: &[Library]) -> Option<Table> {
    let line = |library: &&Library| match &library.unavailable {
        Some(reason) => Err(reason.clone()),
        None => Ok(line(library)),
    };
    let rows = libraries.iter().map(|library| ([library.id.to_string()], library));
    Grid::new([""], rows).measure(Measure::words("", line)).table(
        "Libraries: the version that they say at run time, what they do without, where they come from, the compiler, \
         checks of the conformance suite, the main files that were loaded and their XXH3",
    )
}

fn line(library: &Library) -> String {
    let mut parts = Vec::new();
    let made = library.made.as_ref();
    if let Some(hello) = &library.hello {
        parts.push(hello.version.clone());
        if !hello.without.is_empty() {
            parts.push(format!("without {}", hello.without.join(" and ")));
        }
        // The builder knows the compiler, whatever the library reports.
        if made.is_none_or(|made| made.compiler.is_empty()) {
            parts.push(without_flags(&hello.build));
        }
    }
    if let Some(made) = made {
        parts.extend([made.source.clone(), without_flags(&made.compiler), conformance(made)]);
    }
    let objects = library.receipt.iter().flat_map(|receipt| &receipt.objects);
    let main = objects.filter(|object| !RUNTIME.iter().any(|start| object.file.starts_with(start)));
    let receipt = |object: &Object| format!("{} {:.SHORT$}", object.file, object.xxh3);
    let (main, others): (Vec<_>, Vec<_>) = main
        .enumerate()
        .partition(|(place, object)| *place == 0 || !is_program(library) || is_of_tls(object));
    let mut files: Vec<String> = main.into_iter().map(|(_, object)| receipt(object)).collect();
    if !others.is_empty() {
        files.push(format!("{} more files", others.len()));
    }
    parts.push(files.join(", "));
    parts.retain(|part| !part.is_empty());
    parts.join("; ")
}

/// Whether this is a server or a client that people run: it loads much that has nothing to do with TLS.
fn is_program(library: &Library) -> bool {
    matches!(library.kind, LibraryKind::Server | LibraryKind::Client)
}

fn is_of_tls(object: &Object) -> bool {
    OF_TLS.iter().any(|part| object.file.contains(part))
}

fn conformance(made: &Made) -> String {
    format!("{} checks passed, {} not called for", made.passed, made.skipped)
}

/// What a library reports of its build, without the compiler's flags.
fn without_flags(build: &str) -> String {
    let part = |part: &str| {
        let words = part.split_whitespace().take_while(|word| !word.starts_with('-'));
        words.collect::<Vec<_>>().join(" ")
    };
    build.split(';').map(part).filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
}

/// The builds that the overview shortens.
fn builds(libraries: &[Library]) -> Option<Table> {
    let build = |library: &&Library| {
        let build = &library.hello.as_ref()?.build;
        let is_shortened = without_flags(build) != *build || library.made.is_some();
        (is_shortened && !build.is_empty()).then(|| build.clone())
    };
    let rows = libraries.iter().map(|library| ([library.id.to_string()], library));
    Grid::new(["library"], rows).measure(Measure::words("build", build)).table("Builds in full")
}

fn made(libraries: &[Library]) -> Option<Table> {
    let made = |library: &'_ Library| Some(([library.id.to_string()], library.made.clone()?));
    Grid::new(["library"], libraries.iter().filter_map(made))
        .measure(Measure::words("source", |made: &Made| made.source.clone()))
        .measure(Measure::words("licence", |made: &Made| made.licence.clone().unwrap_or_default()))
        .measure(Measure::words("options", |made: &Made| made.options.join(" ")))
        .measure(Measure::words("compiler", |made: &Made| made.compiler.clone()))
        .measure(Measure::plain("built in", "s", |made: &Made| {
            made.seconds.map(|seconds| Quantity::exact(seconds as f64, "s"))
        }))
        .measure(Measure::words("conformance", conformance))
        .measure(Measure::words("XXH3-128 of what it is built from", |made: &Made| made.inputs.clone()))
        .measure(Measure::words("of the worker", |made: &Made| made.program.clone()))
        .table("How the libraries came to be")
}

fn files(libraries: &[Library]) -> Option<Table> {
    let of_library = |library: &Library| {
        let objects = library.receipt.iter().flat_map(|receipt| receipt.objects.clone());
        let id = library.id.to_string();
        objects.map(|object| ([id.clone(), object.file.clone()], object)).collect::<Vec<_>>()
    };
    let size = |object: &Object| Quantity::exact(object.bytes as f64 / 1e3, "KB");
    Grid::new(["library", "file"], libraries.iter().flat_map(of_library))
        .measure(Measure::plain("size", "KB", size))
        .measure(Measure::words("XXH3-128", |object: &Object| object.xxh3.clone()))
        .table("Files that were loaded")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flags_of_the_compiler_are_left_out() {
        let build = "compiler: gcc -fPIC -O2 -DX=1; platform: debian-amd64; built on: Wed Oct 21 2026";
        assert_eq!(without_flags(build), "compiler: gcc; platform: debian-amd64; built on: Wed Oct 21 2026");
        assert_eq!(
            without_flags("rustc 1.95.0 (2026-04-14), opt-level 3"),
            "rustc 1.95.0 (2026-04-14), opt-level 3"
        );
    }
}
