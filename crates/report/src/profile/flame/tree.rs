//! [`Tree`]: stacks folded into a tree.

use std::collections::BTreeMap;

use tlstax_doc::{Cost, Profile};

/// A function called from one place, with all that it called.
#[derive(Debug, Default)]
pub struct Tree {
    pub name: String,
    pub weight: u64,
    /// Weight by cost of the stacks through it.
    costs: BTreeMap<Cost, u64>,
    /// By frame, in the order of frames, which is that of modules.
    pub children: BTreeMap<u32, Tree>,
}

impl Tree {
    pub fn of(profile: &Profile) -> Self {
        let mut root = Self { name: "all".to_owned(), ..Self::default() };
        for stack in &profile.stacks {
            let mut at = &mut root;
            at.add(stack.class.cost, stack.weight);
            for index in &stack.frames {
                at = at.children.entry(*index).or_default();
                if at.name.is_empty() {
                    at.name = name(profile, *index);
                }
                at.add(stack.class.cost, stack.weight);
            }
        }
        root
    }

    fn add(&mut self, cost: Cost, weight: u64) {
        self.weight += weight;
        *self.costs.entry(cost).or_default() += weight;
    }

    /// What all the stacks through it are for; none where that differs.
    pub fn cost(&self) -> Option<Cost> {
        let mut costs = self.costs.keys();
        costs.next().copied().filter(|_| costs.next().is_none())
    }

    /// Costs in it, the heaviest first.
    pub fn costs(&self) -> Vec<(Cost, u64)> {
        let mut costs: Vec<(Cost, u64)> = self.costs.iter().map(|(cost, weight)| (*cost, *weight)).collect();
        costs.sort_by_key(|(_, weight)| std::cmp::Reverse(*weight));
        costs
    }
}

fn name(profile: &Profile, index: u32) -> String {
    match profile.frames.get(index as usize) {
        None => "?".to_owned(),
        Some(frame) => match &frame.module {
            Some(module) => format!("{} ({module})", frame.function),
            None => frame.function.clone(),
        },
    }
}
