//! The libraries where they are counted, and what of the CPU they do not have there.

use tlstax_doc::{Library, Note, Severity};
use tlstax_libraries::{Counting, Entry};

use crate::error::RunError;
use crate::pool::Pool;

/// The libraries as they are where they are counted, with notes on what of the CPU they do not have there.
pub(super) fn counted_libraries(
    pool: &mut Pool<'_>,
    entries: &[&Entry],
    native: Vec<Library>,
) -> Result<(Vec<Library>, Vec<Note>), RunError> {
    let (mut libraries, mut notes) = (Vec::new(), Vec::new());
    for (entry, native) in entries.iter().zip(native) {
        if native.unavailable.is_some() || uncounted(entry).is_some() {
            libraries.push(native);
            continue;
        }
        let library = pool.probe(entry).map_err(|_| RunError::Interrupted)?;
        notes.extend(lost_features(&native, &library));
        libraries.push(library);
    }
    Ok((libraries, notes))
}

/// Why no case of an entry can be counted.
pub(super) fn uncounted(entry: &Entry) -> Option<String> {
    match entry.block() {
        Some(block) => Counting::check(block).err(),
        None => Some("instructions of servers and clients that people run are not counted".to_owned()),
    }
}

/// What a library does without where it is counted, as it says itself.
fn lost_features(native: &Library, counted: &Library) -> Option<Note> {
    let (native_hello, hello) = (native.hello.as_ref()?, counted.hello.as_ref()?);
    let lost: Vec<&str> = hello
        .without
        .iter()
        .filter(|feature| !native_hello.without.contains(feature))
        .map(String::as_str)
        .collect();
    if lost.is_empty() && native_hello.cpu == hello.cpu {
        return None;
    }
    let without = match lost.is_empty() {
        true => "uses the CPU in another way".to_owned(),
        false => format!("does without {}", lost.join(", ")),
    };
    Some(Note {
        severity: Severity::Warning,
        what: format!(
            "{} {without} under callgrind, whose CPU lacks what this one has: the code that is counted is not all the code that \
             runs here; it says {} there, {} here",
            native.id, hello.cpu, native_hello.cpu
        ),
        remedy: "compare counts with counts only; for what it takes here, measure without --count".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use tlstax_spec::Id;
    use tlstax_spec::wire::Hello;

    use super::*;

    #[test]
    fn what_the_other_cpu_lacks_is_said() {
        let library = |without: &[&str], cpu: &str| {
            let without = without.iter().map(|name| (*name).to_owned()).collect();
            let hello = Hello { without, cpu: cpu.to_owned(), ..Hello::default() };
            Library { hello: Some(hello), ..Library::new(Id::literal("openssl")) }
        };
        let note = lost_features(&library(&["sha"], "0xff"), &library(&["sha", "vaes"], "0x0f")).unwrap();
        assert!(note.what.contains("does without vaes under callgrind"), "{}", note.what);
        assert_eq!(lost_features(&library(&[], "0xff"), &library(&[], "0xff")), None);
    }
}
