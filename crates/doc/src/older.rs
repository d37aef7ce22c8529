//! Documents of an older minor version: what later versions state is derived from what those had, once, on reading.

use tlstax_spec::{Id, Switch};

use crate::library::{LIBRARY_MARK, Library, LibraryKind};
use crate::results::Results;
use crate::version::SchemaVersion;

/// The first version that states what a library is. Before, its id and the family of its worker did.
const STATES_KINDS: SchemaVersion = SchemaVersion { major: 1, minor: 4 };

/// What stood in an id between a library and what it does without.
const WITHOUT: &str = "-without-";

/// The results as a program of this version would have written them.
pub(crate) fn brought_up(mut results: Results) -> Results {
    if results.schema.minor < STATES_KINDS.minor {
        results.libraries = results.libraries.into_iter().map(stated).collect();
    }
    results
}

fn stated(library: Library) -> Library {
    let (base, without, uses) = variant(&library.id);
    let family = library.hello.as_ref().map(|hello| hello.family.as_str());
    Library { kind: LibraryKind::derived(&library.id, family), base, without, uses, ..library }
}

/// What the id is a variant of: its base, what it does without, and the TLS library that it uses.
fn variant(id: &Id) -> (Option<Id>, Vec<Switch>, Option<Id>) {
    let usual = (None, Vec::new(), None);
    if let Some((server, library)) = id.split_once(LIBRARY_MARK) {
        return (server.parse().ok(), Vec::new(), library.parse().ok());
    }
    // From the end: a build without something may be told to do without something else.
    let Some((base, names)) = id.rsplit_once(WITHOUT) else { return usual };
    let without: Result<Vec<Switch>, _> = names.split('-').map(str::parse).collect();
    match (base.parse(), without) {
        (Ok(base), Ok(without)) => (Some(base), without, None),
        _ => usual,
    }
}

#[cfg(test)]
mod tests {
    use tlstax_spec::wire::Hello;

    use super::*;

    fn derived(id: &'static str, family: &str) -> Library {
        let hello = Hello { family: family.to_owned(), ..Hello::default() };
        stated(Library { hello: Some(hello), ..Library::new(Id::literal(id)) })
    }

    #[test]
    fn what_a_library_is_was_in_its_family_and_its_id() {
        for (id, family, kind) in [
            ("openssl", "openssl", LibraryKind::Library),
            ("control", "control", LibraryKind::Control),
            ("lean", "lean", LibraryKind::Client),
            ("curl", "client", LibraryKind::Client),
            ("nginx@openssl-3.6", "server", LibraryKind::Server),
            ("external", "server", LibraryKind::Server),
        ] {
            assert_eq!(derived(id, family).kind, kind, "{id}");
        }
    }

    #[test]
    fn the_base_is_what_stands_before_the_switch_or_the_library() {
        let of = |id| {
            let Library { base, without, uses, .. } = derived(id, "");
            let id = |id: Option<Id>| id.map(|id| id.to_string()).unwrap_or_default();
            (id(base), without, id(uses))
        };
        let expected =
            |base: &str, without: &[Switch], uses: &str| (base.to_owned(), without.to_vec(), uses.to_owned());
        assert_eq!(of("openssl-without-aes-sha"), expected("openssl", &[Switch::Aes, Switch::Sha], ""));
        let twice = expected("openssl-3.6-without-asm", &[Switch::Aes], "");
        assert_eq!(of("openssl-3.6-without-asm-without-aes"), twice);
        assert_eq!(of("nginx@openssl-3.6"), expected("nginx", &[], "openssl-3.6"));
        assert_eq!(of("made-without-care"), expected("", &[], ""));
        assert_eq!(of("openssl"), expected("", &[], ""));
    }
}
