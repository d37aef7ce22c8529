//! How sure the classes are: by what evidence, and what has none.

use std::collections::BTreeMap;

use tlstax_doc::{Cost, Evidence, Profile, Stack};

use super::name::class_name;
use crate::grid::{Grid, Measure};
use crate::model::{Quantity, Table};

/// So many stacks and reasons are listed.
const LISTED: usize = 20;

/// Weight within TLS by the evidence for its class, the strongest first.
pub(super) fn table(profile: &Profile) -> Option<Table> {
    let whole: u64 = within_tls(profile).map(|stack| stack.weight).sum();
    let mut kinds: BTreeMap<&Evidence, u64> = BTreeMap::new();
    let mut weights: Vec<(&'static str, u64)> = Vec::new();
    for stack in within_tls(profile) {
        *kinds.entry(&stack.evidence).or_default() += stack.weight;
    }
    // Evidence is ordered by its strength.
    for (evidence, weight) in kinds {
        match weights.last_mut() {
            Some((word, sum)) if *word == evidence.word() => *sum += weight,
            _ => weights.push((evidence.word(), weight)),
        }
    }
    let rows = weights.into_iter().map(|(word, weight)| ([word.to_owned()], weight));
    Grid::new(["evidence"], rows)
        .measure(Measure::plain("of TLS", "%", move |weight: &u64| percent(*weight, whole)))
        .table("By what the samples within TLS were given their class, the strongest first")
}

/// The part of TLS whose class stands on more than the name of a file, 0 to 1; none without TLS.
pub(super) fn told_apart(profile: &Profile) -> Option<f64> {
    let sum = |is: &dyn Fn(&Stack) -> bool| -> u64 {
        within_tls(profile).filter(|stack| is(stack)).map(|stack| stack.weight).sum()
    };
    let (known, all) = (sum(&|stack| is_known(stack)), sum(&|_| true));
    (all > 0).then(|| known as f64 / all as f64)
}

fn is_known(stack: &Stack) -> bool {
    !matches!(stack.evidence, Evidence::Module(_) | Evidence::Nothing(_))
}

/// What is unknown, or TLS that is not told apart, by its reason.
pub(super) fn reasons(profile: &Profile) -> Option<Table> {
    let whole: u64 = profile.stacks.iter().map(|stack| stack.weight).sum();
    let is_open =
        |stack: &&Stack| stack.class.cost == Cost::Unknown || (stack.class.cost.is_tls() && !is_known(stack));
    let mut reasons: BTreeMap<(Cost, &Evidence), u64> = BTreeMap::new();
    for stack in profile.stacks.iter().filter(is_open) {
        *reasons.entry((stack.class.cost, &stack.evidence)).or_default() += stack.weight;
    }
    let mut reasons: Vec<_> = reasons.into_iter().collect();
    reasons.sort_by_key(|(_, weight)| std::cmp::Reverse(*weight));
    let rows = reasons.into_iter().take(LISTED).map(|((cost, evidence), weight)| {
        ([cost.title().to_owned(), format!("{}: {}", evidence.word(), evidence.what())], weight)
    });
    Grid::new(["class", "why no more is known"], rows)
        .measure(Measure::plain("of all", "%", move |weight: &u64| percent(*weight, whole)))
        .table("What is not told apart, and why")
}

/// The heaviest stacks with class and evidence.
pub(super) fn heaviest(profile: &Profile) -> Option<Table> {
    let whole: u64 = profile.stacks.iter().map(|stack| stack.weight).sum();
    let mut stacks: Vec<&Stack> = profile.stacks.iter().collect();
    stacks.sort_by_key(|stack| std::cmp::Reverse(stack.weight));
    let rows = stacks.into_iter().take(LISTED).map(|stack| {
        let evidence = format!("{}: {}", stack.evidence.word(), stack.evidence.what());
        ([class_name(stack.class), evidence, innermost(profile, stack)], stack.weight)
    });
    Grid::new(["class", "evidence", "innermost function"], rows)
        .measure(Measure::plain("of all", "%", move |weight: &u64| percent(*weight, whole)))
        .table("The heaviest stacks")
}

fn innermost(profile: &Profile, stack: &Stack) -> String {
    let frame = stack.frames.last().and_then(|index| profile.frames.get(*index as usize));
    frame.map_or("no stack".to_owned(), |frame| match &frame.module {
        Some(module) => format!("{} ({module})", frame.function),
        None => frame.function.clone(),
    })
}

fn within_tls(profile: &Profile) -> impl Iterator<Item = &Stack> {
    profile.stacks.iter().filter(|stack| stack.class.cost.is_tls())
}

fn percent(weight: u64, whole: u64) -> Quantity {
    Quantity::exact(weight as f64 / whole.max(1) as f64 * 100.0, "%")
}
