//! The libraries that were measured: what they say of themselves, and the files that were really loaded.

use tlstax_doc::{Library, LibraryKind, Made, Object};

use crate::quantity::Quantity;
use crate::view::{Block, Cell, Column, Row, Table};

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
    if libraries.is_empty() {
        return Vec::new();
    }
    let mut blocks = vec![Block::Table(overview(libraries))];
    let details = [builds(libraries), made(libraries), files(libraries)].into_iter().flatten();
    blocks.extend(details.map(Block::Details));
    blocks
}

fn overview(libraries: &[Library]) -> Table {
    let row = |library: &Library| {
        let said = match &library.unavailable {
            Some(reason) => Cell::Hole { reason: reason.clone() },
            None => Cell::text(line(library)),
        };
        Row::plain(vec![Cell::text(library.id.as_str()), said])
    };
    Table {
        caption: "Libraries: the version that they say at run time, what they do without, where they come from, the \
                  compiler, checks of the conformance suite, the main files that were loaded and their XXH3"
            .to_owned(),
        columns: vec![Column::label(""), Column::words("")],
        rows: libraries.iter().map(row).collect(),
    }
}

fn line(library: &Library) -> String {
    let mut parts = Vec::new();
    let made = library.made.as_ref();
    if let Some(hello) = &library.hello {
        parts.push(hello.version.clone());
        if !hello.without.is_empty() {
            parts.push(format!("without {}", hello.without.join(" and ")));
        }
        // The builder knows the compiler, whatever the library says.
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
    let (told, others): (Vec<_>, Vec<_>) = main
        .enumerate()
        .partition(|(place, object)| *place == 0 || !is_program(library) || is_of_tls(object));
    let mut files: Vec<String> = told.into_iter().map(|(_, object)| receipt(object)).collect();
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

/// What a library says of its build, without the compiler's flags.
fn without_flags(build: &str) -> String {
    let part = |part: &str| {
        let words = part.split_whitespace().take_while(|word| !word.starts_with('-'));
        words.collect::<Vec<_>>().join(" ")
    };
    build.split(';').map(part).filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
}

/// The builds that the overview shortens.
fn builds(libraries: &[Library]) -> Option<Table> {
    let row = |library: &Library| {
        let build = &library.hello.as_ref()?.build;
        let shortened = without_flags(build) != *build || library.made.is_some();
        (shortened && !build.is_empty())
            .then(|| Row::plain(vec![Cell::text(library.id.as_str()), Cell::text(build.clone())]))
    };
    let rows: Vec<Row> = libraries.iter().filter_map(row).collect();
    (!rows.is_empty()).then(|| Table {
        caption: "Builds in full".to_owned(),
        columns: vec![Column::label("library"), Column::words("build")],
        rows,
    })
}

/// How the libraries came to be that were built here.
fn made(libraries: &[Library]) -> Option<Table> {
    let row = |library: &Library| {
        let made = library.made.as_ref()?;
        let seconds = made.seconds.map(|seconds| Quantity::exact(seconds as f64, "s"));
        Some(Row::plain(vec![
            Cell::text(library.id.as_str()),
            Cell::text(&made.source),
            Cell::text(made.licence.clone().unwrap_or_default()),
            Cell::text(made.options.join(" ")),
            Cell::text(&made.compiler),
            Cell::maybe(seconds),
            Cell::text(conformance(made)),
            Cell::text(&made.inputs),
            Cell::text(&made.program),
        ]))
    };
    let rows: Vec<Row> = libraries.iter().filter_map(row).collect();
    let words = ["source", "licence", "options", "compiler"].map(Column::words);
    let mut columns = vec![Column::label("library")];
    columns.extend(words);
    columns.push(Column::plain("built in", "s"));
    columns.extend(["conformance", "XXH3-128 of what it is built from", "of the worker"].map(Column::words));
    (!rows.is_empty()).then(|| Table { caption: "How the libraries came to be".to_owned(), columns, rows })
}

/// The files that were really loaded.
fn files(libraries: &[Library]) -> Option<Table> {
    let of_one = |library: &Library| {
        let objects = library.receipt.as_ref().map(|receipt| receipt.objects.clone()).unwrap_or_default();
        let row = |object: &Object| {
            let size = Cell::Quantity(Quantity::exact(object.bytes as f64 / 1e3, "KB"));
            Row::plain(vec![
                Cell::text(library.id.as_str()),
                Cell::text(&object.file),
                size,
                Cell::text(&object.xxh3),
            ])
        };
        objects.iter().map(row).collect::<Vec<_>>()
    };
    let rows: Vec<Row> = libraries.iter().flat_map(of_one).collect();
    (!rows.is_empty()).then(|| Table {
        caption: "Files that were loaded".to_owned(),
        columns: vec![
            Column::label("library"),
            Column::label("file"),
            Column::plain("size", "KB"),
            Column::words("XXH3-128"),
        ],
        rows,
    })
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
