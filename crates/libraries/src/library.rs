//! The receipt of a library: what it says it is, and which files were really loaded. No receipt, no measurement.

use std::io;
use std::path::{Path, PathBuf};

use tlstax_doc::{Library, LibraryKind, Object, Receipt};
use tlstax_measure::objects::loaded;
use tlstax_peers::Refused;
use tlstax_peers::servers::Owner;
use tlstax_spec::Id;
use tlstax_spec::wire::Hello;

use crate::Home;
use crate::build::record;
use crate::registry::Entry;
use crate::session::Session;

/// A library whose worker runs.
pub fn found(entry: &Entry, home: &Home, session: &Session) -> Library {
    let mut made = entry.program_path(home).and_then(|program| record(home, &program));
    if let (Some(made), Some(folders)) = (&mut made, entry.pointed_at()) {
        // The worker was built for another library than the one that it was pointed at.
        (made.source, made.licence) = (format!("path:{folders}"), None);
    }
    let receipt = receipt(session.pid()).map(Some);
    Library { made, ..with(entry, session.hello.clone(), receipt, "its worker has loaded") }
}

/// A library whose worker does not run.
pub fn missing(entry: &Entry, refused: &Refused) -> Library {
    let why = match refused {
        Refused::Failed(failure) | Refused::Lost(failure, _) if failure.stderr.is_empty() => {
            failure.message.clone()
        }
        Refused::Failed(failure) | Refused::Lost(failure, _) => {
            format!("{}; it said: {}", failure.message, failure.stderr)
        }
        Refused::Unsupported(reason) => reason.clone(),
        Refused::Interrupted => "interrupted before it was asked".to_owned(),
    };
    Library { unavailable: Some(why), ..entry.library() }
}

/// A server or client program that is there, with the files that are loaded for it as the dynamic linker says: it is not
/// started to be asked.
pub fn program(entry: &Entry, version: &str, files: io::Result<Vec<PathBuf>>) -> Library {
    let family = if entry.kind == LibraryKind::Client { "client" } else { "server" };
    let hello = Hello { family: family.to_owned(), version: version.to_owned(), ..Hello::default() };
    let objects = files.and_then(|paths| paths.iter().map(|path| object(path)).collect());
    with(entry, hello, objects.map(|objects| Some(Receipt::of(objects))), "it loads")
}

/// A server that the user runs; where its processes are not known, nothing is known of it but why.
pub fn external(entry: &Entry, owner: Result<&Owner, &str>) -> Library {
    let version = owner.map_or_else(|reason| format!("unknown: {reason}"), ToString::to_string);
    let hello = Hello { family: "server".to_owned(), version, ..Hello::default() };
    let receipt = owner.ok().map(|owner| receipt(owner.pid())).transpose();
    with(entry, hello, receipt, "its process has loaded")
}

/// A library with what it says of itself and its receipt, or why that cannot be had.
fn with(entry: &Entry, hello: Hello, receipt: io::Result<Option<Receipt>>, files: &str) -> Library {
    let (receipt, unavailable) = match receipt {
        Ok(receipt) => (receipt, None),
        Err(error) => (None, Some(format!("cannot read which files {files}: {error}"))),
    };
    Library { unavailable, hello: Some(hello), receipt, ..entry.library() }
}

fn receipt(pid: u32) -> io::Result<Receipt> {
    Ok(Receipt::of(loaded(pid)?.iter().map(|one| object(&one.path)).collect::<Result<_, _>>()?))
}

fn object(path: &Path) -> io::Result<Object> {
    let contents = std::fs::read(path)?;
    Ok(Object {
        file: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        bytes: contents.len() as u64,
        xxh3: format!("{:032x}", xxhash_rust::xxh3::xxh3_128(&contents)),
    })
}

/// What makes the libraries of a run other ones than those that it was begun with, in one sentence; none where they are the same.
pub fn difference(before: &[Library], now: &[Library]) -> Option<String> {
    let of = |id: &Id| now.iter().find(|library| library.id == *id);
    let gone = before.iter().find(|library| of(&library.id).is_none());
    let come = now.iter().find(|library| before.iter().all(|one| one.id != library.id));
    if let Some(gone) = gone {
        return Some(format!("{} takes no part any more", gone.id));
    }
    if let Some(come) = come {
        return Some(format!("{} took no part when it was begun", come.id));
    }
    before
        .iter()
        .find_map(|one| Some(format!("{} is not as it was: {}", one.id, changed(one, of(&one.id)?)?)))
}

fn changed(before: &Library, now: &Library) -> Option<String> {
    let version = |library: &Library| library.hello.as_ref().map(|hello| hello.version.clone());
    if before == now {
        return None;
    }
    if before.unavailable != now.unavailable {
        let state =
            |library: &Library| library.unavailable.clone().unwrap_or_else(|| "it could be used".to_owned());
        return Some(format!("before: {}; now: {}", state(before), state(now)));
    }
    if version(before) != version(now) {
        let named = |library: &Library| version(library).unwrap_or_default();
        return Some(format!("it was {}, and is {}", named(before), named(now)));
    }
    if before.receipt != now.receipt {
        let objects =
            |library: &Library| library.receipt.clone().map_or_else(Vec::new, |receipt| receipt.objects);
        let (was, is) = (objects(before), objects(now));
        let other = was.iter().find(|one| !is.contains(one)).or(is.iter().find(|one| !was.contains(one)));
        return Some(format!("{} is another file", other?.file));
    }
    Some("what it says of itself, or its record of how it was built, is another".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn library(files: &[(&str, &str)]) -> Library {
        let object = |(file, xxh3): &(&str, &str)| Object {
            file: (*file).to_owned(),
            bytes: 1,
            xxh3: (*xxh3).to_owned(),
        };
        let receipt = Some(Receipt { objects: files.iter().map(object).collect() });
        let hello = Some(Hello { version: "1.0".to_owned(), ..Hello::default() });
        Library { hello, receipt, ..Library::new(Id::literal("mock")) }
    }

    #[test]
    fn d09_the_order_of_the_memory_map_makes_no_other_library() {
        let files = [("libssl.so.3", "1"), ("libc.so.6", "2")];
        let turned = [files[1], files[0]];
        assert_eq!(difference(&[library(&files)], &[library(&turned)]), None);
    }

    #[test]
    fn d09_what_differs_is_named_with_its_library() {
        let before = [library(&[("libssl.so.3", "1"), ("libc.so.6", "2")])];
        let rebuilt = difference(&before, &[library(&[("libssl.so.3", "9"), ("libc.so.6", "2")])]);
        assert_eq!(rebuilt.as_deref(), Some("mock is not as it was: libssl.so.3 is another file"));
        let gone = difference(&before, &[]);
        assert_eq!(gone.as_deref(), Some("mock takes no part any more"));
    }
}
