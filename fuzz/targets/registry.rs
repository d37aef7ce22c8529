//! The registry of libraries.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tlstax_libraries::Registry;

fuzz_target!(|text: &str| match Registry::parse(text, "workers.toml") {
    Ok(registry) => {
        let chosen = registry.choose(&[]).expect("the default libraries are there");
        assert!(chosen.len() <= registry.entries.len());
        for entry in &registry.entries {
            assert!(!entry.id.contains(['/', '@', ':']) && !entry.id.contains(char::is_control));
            assert_eq!(registry.entry(&entry.id).expect("it is there").id, entry.id);
            assert!(entry.remedy().contains(entry.id.as_str()));
        }
    }
    Err(error) => assert!(error.to_string().contains("workers.toml"), "{error}"),
});
