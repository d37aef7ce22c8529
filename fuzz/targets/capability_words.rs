//! The capability words that a library says it read from the CPU.
#![no_main]

use libfuzzer_sys::fuzz_target;

/// The reader is no part of the orchestrator's interface, so its file is compiled here.
#[path = "../../crates/run/src/checkup/capability_words.rs"]
mod capability_words;

fuzz_target!(|text: &str| {
    if let Some(features) = capability_words::ia32cap(text) {
        let unique: std::collections::HashSet<_> = features.iter().collect();
        assert_eq!(unique.len(), features.len());
    }
});
