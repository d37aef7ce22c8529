//! Ids, and a library of the user's own: what is taken for an id is one component of a path, and what is noted comes back.
#![no_main]

use std::path::{Component, Path, PathBuf};

use libfuzzer_sys::fuzz_target;
use tlstax_libraries::{Block, Entry, Recipe, Registry, SEARCH_VARIABLE, Source, Worker};
use tlstax_spec::Id;

fuzz_target!(|texts: (&str, &str, &str)| {
    let (id, about, prefix) = texts;
    let id: Id = match id.parse() {
        Ok(id) => id,
        Err(error) => return assert!(!error.to_string().contains(char::is_control), "{error:?}"),
    };
    assert_eq!(id, Id::nearest(&id));
    assert!(!id.contains(char::is_control));
    let components: Vec<_> = Path::new(id.as_str()).components().collect();
    assert_eq!(components, [Component::Normal(id.as_str().as_ref())]);

    let env = [(SEARCH_VARIABLE.to_owned(), prefix.to_owned())].into();
    let pointed = Block { program: vec![prefix.to_owned()], env, ..Block::new(id.clone(), about) };
    let built = Block {
        source: Some(Source::Path(PathBuf::from(if prefix.is_empty() { "/" } else { prefix }))),
        recipe: Some(Recipe::Prefix),
        worker: Some(Worker::Native),
        backend: Some(about.to_owned()),
        archives: vec![prefix.to_owned()],
        ..Block::new(id, about)
    };
    for block in [pointed, built] {
        // An id that means something already is refused.
        let Ok(registry) = Registry::parse(&block.text(), "own.toml") else { continue };
        let [read] = registry.entries.as_slice() else {
            panic!("{} blocks came back", registry.entries.len())
        };
        assert_eq!(format!("{read:?}"), format!("{:?}", Entry::from(block)));
    }
});
