//! The libraries that were measured: what they say of themselves, and the files that were really loaded.

use tlstax_doc::{Library, Object};

use crate::quantity::Quantity;
use crate::view::{Block, Cell, Column, Row, Table};

/// Files that every program loads; they tell nothing of the library.
const RUNTIME: &[&str] =
    &["libc.", "libm.", "libdl.", "libpthread.", "libgcc_s.", "libstdc++.", "ld-", "linux-vdso"];

/// Digits of a hash that tell builds apart in a line.
const SHORT: usize = 8;

/// What each library is in a line or two, and the whole of it for those who ask.
pub(super) fn blocks(libraries: &[Library]) -> Vec<Block> {
    if libraries.is_empty() {
        return Vec::new();
    }
    let mut blocks = vec![Block::Table(overview(libraries))];
    let details = [builds(libraries), files(libraries)].into_iter().flatten();
    blocks.extend(details.map(Block::Details));
    blocks
}

fn overview(libraries: &[Library]) -> Table {
    let row = |library: &Library| {
        let said = match &library.unavailable {
            Some(reason) => Cell::Hole { reason: reason.clone() },
            None => Cell::text(line(library)),
        };
        Row::plain(vec![Cell::text(&library.id), said])
    };
    Table {
        caption: "Libraries as they say at run time, with the main files that were loaded and their XXH3"
            .to_owned(),
        columns: vec![Column::label(""), Column::words("")],
        rows: libraries.iter().map(row).collect(),
    }
}

fn line(library: &Library) -> String {
    let mut parts = Vec::new();
    if let Some(hello) = &library.hello {
        parts.extend([hello.version.clone(), without_flags(&hello.build)]);
    }
    let objects = library.receipt.iter().flat_map(|receipt| &receipt.objects);
    let main = objects.filter(|object| !RUNTIME.iter().any(|start| object.file.starts_with(start)));
    let receipt = |object: &Object| format!("{} {:.SHORT$}", object.file, object.xxh3);
    parts.push(main.map(receipt).collect::<Vec<_>>().join(", "));
    parts.retain(|part| !part.is_empty());
    parts.join("; ")
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
        (without_flags(build) != *build)
            .then(|| Row::plain(vec![Cell::text(&library.id), Cell::text(build.clone())]))
    };
    let rows: Vec<Row> = libraries.iter().filter_map(row).collect();
    (!rows.is_empty()).then(|| Table {
        caption: "Builds in full".to_owned(),
        columns: vec![Column::label("library"), Column::words("build")],
        rows,
    })
}

/// The files that were really loaded.
fn files(libraries: &[Library]) -> Option<Table> {
    let of_one = |library: &Library| {
        let objects = library.receipt.as_ref().map(|receipt| receipt.objects.clone()).unwrap_or_default();
        let row = |object: &Object| {
            let size = Cell::Quantity(Quantity::exact(object.bytes as f64 / 1e3, "KB"));
            Row::plain(vec![
                Cell::text(&library.id),
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
