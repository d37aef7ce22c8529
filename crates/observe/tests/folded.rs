//! Folded stacks that are written are read as they were.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::sync::LazyLock;

use proptest::collection::vec;
use proptest::prelude::*;
use tlstax_doc::{Profile, Tool};
use tlstax_observe::{Classifier, Collector, Format, Input, Surroundings, read};

static CLASSIFIER: LazyLock<Classifier> = LazyLock::new(Classifier::built_in);

fn profile(text: &str) -> Profile {
    let mut collector = Collector::new(&CLASSIFIER);
    let facts = read(Input::stream("folded", text.as_bytes()).of(Format::Folded), &mut collector).unwrap();
    let tool = Tool { name: "tlstax".to_owned(), version: "0.0.0".to_owned(), reference_kernels: 0 };
    collector.finish(facts, Surroundings::default(), tool)
}

/// The stacks of a profile with their weights.
fn stacks(profile: &Profile) -> BTreeMap<Vec<String>, u64> {
    let function = |index: &u32| profile.frames[*index as usize].function.clone();
    let mut all = BTreeMap::new();
    for stack in &profile.stacks {
        *all.entry(stack.frames.iter().map(function).collect()).or_default() += stack.weight;
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// The first frame is one that no process is called, so that all are functions.
    #[test]
    fn stacks_that_are_written_are_read_as_they_were(
        written in vec((vec("[a-zA-Z_:<>(), *~]{0,30}[a-z]", 0..30), 1_u64..1_000_000), 1..40),
        is_windows: bool,
    ) {
        let end = if is_windows { "\r\n" } else { "\n" };
        let (mut text, mut expected) = (String::new(), BTreeMap::new());
        for (frames, count) in written {
            let frames: Vec<String> = frames.iter().map(|frame| frame.trim().to_owned()).collect();
            let stack: Vec<String> = [vec!["runtime.main".to_owned()], frames].concat();
            text += &format!("{} {count}{end}", stack.join(";"));
            *expected.entry(stack).or_default() += count;
        }
        let profile = profile(&text);
        prop_assert_eq!(stacks(&profile), expected);
        prop_assert!(profile.captures[0].notes.is_empty(), "{:?}", profile.captures[0].notes);
    }

    /// Whatever the fractions are, their sum is kept.
    #[test]
    fn fractions_are_rounded_so_that_their_sum_is_kept(counts in vec(0.0_f64..1000.0, 1..200)) {
        let text: String = counts.iter().map(|count| format!("runtime.main;a {count:.3}\n")).collect();
        let sum: f64 = counts.iter().map(|count| (count * 1e3).round() / 1e3).sum();
        prop_assume!(sum >= 1.0);
        let read: u64 = stacks(&profile(&text)).values().sum();
        prop_assert!((read as f64 - sum).abs() <= 1.0, "{read} of {sum}");
    }
}
