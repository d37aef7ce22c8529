//! The receipt of a library: what it says it is, and which files were really loaded. No receipt, no measurement.

use std::path::{Path, PathBuf};

use tlstax_doc::{Library, Object, Receipt};
use tlstax_measure::objects::mapped_code;
use tlstax_spec::Id;
use tlstax_spec::wire::Hello;

use crate::Home;
use crate::build::record;
use crate::registry::Entry;
use crate::servers::Owner;
use crate::session::{Refused, Session};

/// A library whose worker runs.
pub fn found(entry: &Entry, home: &Home, session: &Session) -> Library {
    let (receipt, unavailable) = match receipt(session.pid()) {
        Ok(receipt) => (Some(receipt), None),
        Err(error) => (None, Some(format!("cannot read which files its worker has loaded: {error}"))),
    };
    let (id, made) = (entry.id.clone(), record(&entry.program_path(home)));
    Library { id, unavailable, hello: Some(session.hello.clone()), receipt, made }
}

/// A library whose worker does not run.
pub fn missing(id: &Id, refused: &Refused) -> Library {
    let why = match refused {
        Refused::Failed(failure) | Refused::Lost(failure) if failure.stderr.is_empty() => {
            failure.message.clone()
        }
        Refused::Failed(failure) | Refused::Lost(failure) => {
            format!("{}; it said: {}", failure.message, failure.stderr)
        }
        Refused::Unsupported(reason) => reason.clone(),
        Refused::Interrupted => "interrupted before it was asked".to_owned(),
    };
    Library { id: id.clone(), unavailable: Some(why), hello: None, receipt: None, made: None }
}

/// A server or client program that is there, with the files that are loaded for it as the dynamic linker says: it is not
/// started to be asked.
pub fn program(id: &Id, hello: Hello, files: std::io::Result<Vec<PathBuf>>) -> Library {
    let objects = files.and_then(|paths| paths.iter().map(|path| object(path)).collect());
    let (receipt, unavailable) = match objects {
        Ok(objects) => (Some(Receipt { objects }), None),
        Err(error) => (None, Some(format!("cannot read which files it loads: {error}"))),
    };
    Library { id: id.clone(), unavailable, hello: Some(hello), receipt, made: None }
}

/// A server that the user runs; where its processes are not known, nothing is known of it but why.
pub fn external(id: &Id, owner: Result<&Owner, &str>) -> Library {
    let version = owner.map_or_else(|reason| format!("unknown: {reason}"), ToString::to_string);
    let hello = Hello { family: "server".to_owned(), version, ..Hello::default() };
    let (receipt, unavailable) = match owner.ok().map(|owner| receipt(owner.pid())).transpose() {
        Ok(receipt) => (receipt, None),
        Err(error) => (None, Some(format!("cannot read which files its process has loaded: {error}"))),
    };
    Library { id: id.clone(), unavailable, hello: Some(hello), receipt, made: None }
}

fn receipt(pid: u32) -> std::io::Result<Receipt> {
    let objects = mapped_code(pid)?.iter().map(|path| object(path)).collect::<Result<_, _>>()?;
    Ok(Receipt { objects })
}

fn object(path: &Path) -> std::io::Result<Object> {
    let contents = std::fs::read(path)?;
    Ok(Object {
        file: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        bytes: contents.len() as u64,
        xxh3: format!("{:032x}", xxhash_rust::xxh3::xxh3_128(&contents)),
    })
}
