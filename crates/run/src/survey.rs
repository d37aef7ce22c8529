//! Which libraries, servers and clients there are, as each says of itself.

use tlstax_doc::{Library, LibraryKind};
use tlstax_libraries::{Entry, Home, Registry};

use crate::error::{RunError, cores};
use crate::event::{Event, Observer};
use crate::pool::Pool;

/// Starts every library of the registry, asks it who it is and what it can do, and ends it; then looks for every server and
/// client program. In the order of [`Registry::all`].
///
/// # Errors
/// No CPU may be used, or the user interrupts.
pub fn survey(home: &Home, registry: &Registry) -> Result<Vec<Library>, RunError> {
    let entries: Vec<&Entry> = registry.all().collect();
    let mut pool = Pool::new(home, cores()?, &entries);
    let libraries = entries.iter().map(|entry| pool.probe(entry)).collect::<Result<_, _>>();
    pool.end();
    libraries.map_err(|_| RunError::Interrupted)
}

/// Starts one library, asks it who it is and what it can do, and ends it.
///
/// # Errors
/// No CPU may be used, or the user interrupts.
pub fn survey_one(home: &Home, entry: &Entry) -> Result<Library, RunError> {
    let mut pool = Pool::new(home, cores()?, &[entry]);
    let library = pool.probe(entry);
    pool.end();
    library.map_err(|_| RunError::Interrupted)
}

pub(crate) fn probe(
    pool: &mut Pool<'_>,
    entries: &[&Entry],
    observer: &mut dyn Observer,
) -> Result<Vec<Library>, RunError> {
    let mut libraries = Vec::new();
    for entry in entries {
        let library = pool.probe(entry).map_err(|_| RunError::Interrupted)?;
        observer.observe(Event::Library(&library));
        libraries.push(library);
    }
    let usable = |library: &&Library| library.unavailable.is_none();
    let is_control = |library: &Library| library.kind == LibraryKind::Control;
    match libraries.iter().filter(usable).any(|library| entries.len() == 1 || !is_control(library)) {
        true => Ok(libraries),
        false => Err(RunError::NoLibrary { libraries }),
    }
}
