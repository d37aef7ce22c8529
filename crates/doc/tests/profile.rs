//! Profiles: merging is exact and has no order, and documents are read back as they were written.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use proptest::prelude::*;
use tlstax_doc::{
    Capture, Class, Cost, Evidence, Frame, Origin, PROFILE_VERSION, Process, Profile, Span, Stack, Tool,
    Unit, Weight, merge, parse_profile,
};

const COSTS: [Cost; 4] = [Cost::Signature, Cost::RecordCipher, Cost::Application, Cost::Unknown];

/// A stack of up to three of five functions, with one of four classes and a weight.
fn stack() -> impl Strategy<Value = (Vec<u8>, usize, u64)> {
    (prop::collection::vec(0..5u8, 0..3), 0..COSTS.len(), 1..1000u64)
}

fn profile() -> impl Strategy<Value = Profile> {
    let stacks = prop::collection::vec(stack(), 0..8);
    (stacks, 0..3u64).prop_map(|(stacks, second)| merge(&[of(&stacks, second)]).unwrap())
}

fn of(stacks: &[(Vec<u8>, usize, u64)], second: u64) -> Profile {
    let weights =
        stacks.iter().map(|(_, cost, weight)| Weight { class: COSTS[*cost].into(), weight: *weight });
    let stack = |(frames, cost, weight): &(Vec<u8>, usize, u64)| Stack {
        frames: frames.iter().map(|frame| u32::from(*frame)).collect(),
        class: Class::from(COSTS[*cost]),
        evidence: Evidence::Symbol(format!("f{cost}")),
        weight: *weight,
    };
    let frame = |number: u8| Frame { module: None, function: format!("f{number}") };
    let samples = stacks.len() as u64;
    Profile {
        schema: PROFILE_VERSION,
        document: "profile".to_owned(),
        tool: Tool { name: "tlstax".to_owned(), version: "0.1.0".to_owned(), reference_kernels: 1 },
        unit: Unit::Nanoseconds,
        captures: vec![Capture {
            origin: Origin { format: "live".to_owned(), event: None, hertz: None, stacks: None },
            target: "nginx".to_owned(),
            started: Some(format!("2026-11-22T18:00:0{second}Z")),
            duration_ns: Some(1_000_000_000),
            host: None,
            cpus: Some(2),
            processes: vec![Process { name: "nginx".to_owned(), count: 1, samples, weight: 1, cpu_ns: None }],
            lost: 0,
            own: None,
            span_ns: 1_000_000_000,
            spans: vec![Span { at_ns: 0, samples, weights: weights.collect() }],
            work: None,
            notes: Vec::new(),
        }],
        frames: (0..5).map(frame).collect(),
        stacks: stacks.iter().map(stack).collect(),
    }
}

fn total(profile: &Profile) -> u64 {
    profile.stacks.iter().map(|stack| stack.weight).sum()
}

proptest! {
    #[test]
    fn the_order_of_merging_does_not_matter(a in profile(), b in profile(), c in profile()) {
        let all = merge(&[a.clone(), b.clone(), c.clone()]).unwrap();
        let other = merge(&[c.clone(), merge(&[b.clone(), a.clone()]).unwrap()]).unwrap();
        prop_assert_eq!(serde_json::to_string(&all).unwrap(), serde_json::to_string(&other).unwrap());
        prop_assert_eq!(total(&all), total(&a) + total(&b) + total(&c));
    }

    #[test]
    fn one_profile_of_all_stacks_is_what_parts_of_it_merge_to(stacks in prop::collection::vec(stack(), 2..12), cut in 1..11usize) {
        let cut = cut.min(stacks.len() - 1);
        let parts = merge(&[of(&stacks[..cut], 0), of(&stacks[cut..], 1)]).unwrap();
        let whole = merge(&[of(&stacks, 0)]).unwrap();
        prop_assert_eq!(parts.stacks, whole.stacks);
        prop_assert_eq!(parts.frames, whole.frames);
    }

    #[test]
    fn a_profile_is_read_back_as_it_was_written(profile in profile()) {
        let text = serde_json::to_string(&profile).unwrap();
        prop_assert_eq!(parse_profile(&text, Path::new("p.json")).unwrap(), profile);
    }
}

#[test]
fn profiles_that_count_different_things_are_not_merged() {
    let (time, mut cycles) = (of(&[], 0), of(&[], 0));
    cycles.unit = Unit::Cycles;
    let error = merge(&[time, cycles]).unwrap_err().to_string();
    assert!(error.contains("nanoseconds and cycles") && error.contains("tlstax report"), "{error}");
}

#[test]
fn a_newer_cut_or_foreign_document_says_what_to_do() {
    let refused = |text: &str| parse_profile(text, Path::new("p.json")).unwrap_err().to_string();
    let newer = refused(r#"{"schema": {"major": 2, "minor": 0}, "document": "profile"}"#);
    assert!(newer.contains("a profile of schema 2.0") && newer.contains("1.0"), "{newer}");
    let text = serde_json::to_string(&of(&[], 0)).unwrap();
    let cut = refused(&text[..text.len() / 2]);
    assert!(cut.contains("cut off"), "{cut}");
    let results = refused(r#"{"schema": {"major": 1, "minor": 5}, "study": {}}"#);
    assert!(results.contains("tlstax observe"), "{results}");
}
