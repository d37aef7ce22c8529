//! Merging of profiles: captures side by side, weights of the same stack summed.

use std::collections::BTreeMap;

use super::capture::Capture;
use super::class::Class;
use super::document::{Frame, PROFILE_VERSION, Profile, Stack, Unit};
use super::evidence::Evidence;

/// Why profiles cannot be one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "profiles of different units cannot be one: {} and {}; merge those of one unit, and set the others beside them with \
     tlstax report",
    .0.word(), .1.word()
)]
pub struct Unlike(pub Unit, pub Unit);

/// One profile of several. It is the same in whatever order they come, and however they were merged before; a capture that occurs
/// in several of them is taken as often as it occurs.
///
/// # Errors
/// Their weights count different things.
///
/// # Panics
/// There is none to merge.
pub fn merge(profiles: &[Profile]) -> Result<Profile, Unlike> {
    let first = profiles.first().expect("the caller has at least one profile");
    if let Some(other) = profiles.iter().find(|profile| profile.unit != first.unit) {
        return Err(Unlike(first.unit, other.unit));
    }
    // Whose program wrote it must not depend on the order.
    let tool = profiles.iter().map(|profile| &profile.tool).max_by_key(|tool| (&tool.version, &tool.name));
    let mut whole = Profile {
        schema: PROFILE_VERSION,
        document: "profile".to_owned(),
        tool: tool.unwrap_or(&first.tool).clone(),
        unit: first.unit,
        captures: profiles.iter().flat_map(|profile| profile.captures.iter().cloned()).collect(),
        frames: Vec::new(),
        stacks: Vec::new(),
    };
    sort_captures(&mut whole.captures);
    let mut weights = Weights::default();
    for profile in profiles {
        profile.stacks.iter().for_each(|stack| weights.add(profile, stack));
    }
    (whole.frames, whole.stacks) = weights.in_order();
    Ok(whole)
}

/// Weights of stacks whose frames are spelled out.
#[derive(Default)]
struct Weights<'p>(BTreeMap<(Vec<&'p Frame>, Class, &'p Evidence), u64>);

impl<'p> Weights<'p> {
    fn add(&mut self, profile: &'p Profile, stack: &'p Stack) {
        let frames = stack.frames.iter().filter_map(|index| profile.frames.get(*index as usize)).collect();
        let sum = self.0.entry((frames, stack.class, &stack.evidence)).or_default();
        // A document may claim anything.
        *sum = sum.saturating_add(stack.weight);
    }

    fn in_order(self) -> (Vec<Frame>, Vec<Stack>) {
        let mut frames: Vec<&Frame> = self.0.keys().flat_map(|(frames, ..)| frames.iter().copied()).collect();
        frames.sort_unstable();
        frames.dedup();
        let index = |frame: &Frame| {
            let at = frames.binary_search(&frame).expect("the list was made of the same frames");
            u32::try_from(at).expect("a profile has fewer than 2^32 functions")
        };
        let stacks = self.0.iter().map(|((stack, class, evidence), weight)| Stack {
            frames: stack.iter().map(|frame| index(frame)).collect(),
            class: *class,
            evidence: (*evidence).clone(),
            weight: *weight,
        });
        let stacks = stacks.collect();
        (frames.into_iter().cloned().collect(), stacks)
    }
}

/// By time, then by all that they say.
fn sort_captures(captures: &mut [Capture]) {
    captures.sort_by_cached_key(|capture| {
        let text = serde_json::to_string(capture).expect("a capture has string keys");
        (capture.started.clone(), text)
    });
}
