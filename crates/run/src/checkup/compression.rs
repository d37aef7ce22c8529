//! Who would compress in TLS: that can fill a core, and tells of secrets.

use tlstax_doc::{Library, Note};
use tlstax_libraries::{Entry, Peer};

use super::findings::{info, warning};

/// A finding where the library, or the TLS library of the server, compresses: by itself, or if it is told to.
pub(super) fn of_compression(entry: &Entry, library: &Library) -> Option<Note> {
    let hello = library.hello.as_ref().filter(|hello| !hello.compressions.is_empty())?;
    let (id, version, methods) = (&library.id, &hello.version, hello.compressions.join(", "));
    if let Some(Peer::Server(server)) = entry.peer() {
        let setting = server.compression?;
        return Some(info(
            format!("{id} is {version}: with `{setting}` its TLS library compresses ({methods}), {HARM}"),
            &format!("leave the setting off, as it is by default: no line `{setting}` in its configuration"),
        ));
    }
    let measured = format!("tlstax bulk --compression none,deflate --library {id} measures it");
    Some(match hello.compresses {
        true => warning(
            format!(
                "{id} is {version}: it compresses ({methods}) unless a program forbids it, {HARM}; {measured}"
            ),
            "set SSL_OP_NO_COMPRESSION in every context, or build it without zlib (./config no-zlib)",
        ),
        false => info(
            format!(
                "{id} is {version}: it compresses ({methods}) where a program asks for it, {HARM}; {measured}"
            ),
            "leave SSL_OP_NO_COMPRESSION set, as it is by default, or build it without zlib (./config no-zlib)",
        ),
    })
}

const HARM: &str = "which can fill a core and gives secrets away by the length of what is sent (CRIME)";

#[cfg(test)]
mod tests {
    use tlstax_doc::Severity;
    use tlstax_libraries::Block;
    use tlstax_spec::Id;
    use tlstax_spec::wire::Hello;

    use super::*;

    fn said(compressions: &[&str], compresses: bool) -> Option<(Severity, String)> {
        let entry = Block::new(Id::literal("old"), "a script").into();
        let compressions = compressions.iter().map(ToString::to_string).collect();
        let hello = Hello { version: "Old 1.0".to_owned(), compressions, compresses, ..Hello::default() };
        let library = Library { hello: Some(hello), ..Library::new(Id::literal("old")) };
        of_compression(&entry, &library).map(|note| (note.severity, note.what))
    }

    #[test]
    fn who_compresses_by_itself_is_warned_of_and_who_could_is_named() {
        assert_eq!(said(&[], false), None);
        let (severity, what) = said(&["deflate"], false).unwrap();
        assert_eq!(severity, Severity::Info);
        assert!(what.starts_with("old is Old 1.0: it compresses (deflate) where a program asks"), "{what}");
        let (severity, what) = said(&["deflate"], true).unwrap();
        assert_eq!(severity, Severity::Warning);
        assert!(what.contains("unless a program forbids it") && what.contains("--library old"), "{what}");
    }
}
