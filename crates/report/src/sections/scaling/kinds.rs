//! What was done by several numbers of threads, or with contexts shared in several ways.

use std::collections::BTreeMap;

use tlstax_doc::Metric;
use tlstax_spec::{Contexts, Handshake, Pattern, Primitive};
use tlstax_stats::Estimate;

use super::regime::{Cores, Regime};
use crate::facts::{Facts, Item};
use crate::label::{KIND, Labels};
use crate::number;
use crate::quantity::Quantity;

/// Every kind of work that the section is about.
pub(super) struct Kinds<'a> {
    pub kinds: Vec<Kind<'a>>,
    /// What goes without saying in the titles.
    pub unsaid: String,
}

/// Work that is the same but for the threads that do it and the contexts that they share.
pub(super) struct Kind<'a> {
    /// What stands above its tables.
    pub title: String,
    /// The work as the subject of a sentence.
    pub subject: String,
    /// The unit of its rate.
    pub unit: &'static str,
    /// The rate at a cost of one nanosecond.
    pub per_second: f64,
    /// By library and sharing of contexts, the control last.
    pub climbs: Vec<Climb<'a>>,
}

/// The same work of one library by several numbers of threads.
pub(super) struct Climb<'a> {
    pub library: &'a str,
    pub contexts: Contexts,
    /// Whether it is the row without crypto.
    control: bool,
    /// The measurement of each number of threads.
    pub runs: BTreeMap<u16, usize>,
    /// What the others are held against.
    one: Option<usize>,
}

impl<'a> Kinds<'a> {
    pub fn of(facts: &Facts<'a>) -> Self {
        let (mut kinds, unsaid) = handshakes(facts);
        kinds.extend(primitives(facts));
        Self { kinds, unsaid }
    }
}

impl<'a> Kind<'a> {
    /// The rate at a cost.
    pub fn rate(&self, cost: &Estimate) -> Quantity {
        Quantity::rate(self.per_second, cost, self.unit)
    }

    /// How the work of a library goes on several threads; none for the control, whose every cost is the harness's.
    pub fn regime(
        &self,
        facts: &Facts<'_>,
        climb: &Climb<'_>,
        threads: u16,
        cores: &Cores,
    ) -> Option<Regime> {
        let speed_up = climb.speed_up(facts, threads).filter(|_| !climb.is_control())?;
        let harness = self.harness(facts, climb, threads).unwrap_or_default();
        Some(Regime::of(&speed_up, threads, cores, harness))
    }

    /// What the harness takes more with several threads than with one, as the control shows, as a share of the work's
    /// cost.
    fn harness(&self, facts: &Facts<'_>, climb: &Climb<'_>, threads: u16) -> Option<f64> {
        let is_it = |other: &&Climb<'_>| other.is_control() && other.contexts == climb.contexts;
        let control = self.climbs.iter().find(is_it)?;
        let cost = |run: usize| Some(facts.cost(run, Metric::Cpu).ok()?.value);
        let more = cost(*control.runs.get(&threads)?)? - cost(control.one?)?;
        Some((more / cost(*climb.runs.get(&threads)?)?).clamp(0.0, 1.0))
    }

    /// The libraries that share contexts in this way, without the control.
    pub fn of_libraries(&self, contexts: Contexts) -> impl Iterator<Item = &Climb<'a>> {
        self.climbs.iter().filter(move |climb| climb.contexts == contexts && !climb.is_control())
    }
}

impl Climb<'_> {
    pub fn is_control(&self) -> bool {
        self.control
    }

    pub fn is_of_several(&self) -> bool {
        self.runs.keys().any(|&threads| threads > 1)
    }

    /// How much more so many threads do than one, computed within rounds.
    pub fn speed_up(&self, facts: &Facts<'_>, threads: u16) -> Option<Estimate> {
        let several = self.runs.get(&threads).filter(|_| threads > 1)?;
        facts.ratio(self.one?, *several, Metric::Wall)
    }
}

fn handshakes<'a>(facts: &Facts<'a>) -> (Vec<Kind<'a>>, String) {
    let items = facts.handshakes();
    let kind = |item: &Item<'_, Handshake>| Handshake { contexts: Contexts::Shared, ..*item.work };
    let belongs = |item: &&Item<'_, Handshake>| {
        let differs = item.case.threads > 1 || item.work.contexts != Contexts::Shared;
        differs && !item.is_control()
    };
    let mut firsts: Vec<Item<'_, Handshake>> = Vec::new();
    for item in items.iter().filter(belongs) {
        if !firsts.iter().any(|known| kind(known) == kind(item)) {
            firsts.push(*item);
        }
    }
    let labels = Labels::of(KIND, &firsts);
    let of_kind = |first: &Item<'a, Handshake>| {
        let own: Vec<_> = items.iter().filter(|item| kind(item) == kind(first)).collect();
        let runs = own.iter().map(|item| (**item, item.work.contexts));
        let name = labels.name(first);
        Kind {
            title: format!("Handshakes: {name}"),
            subject: format!("a {name} handshake"),
            unit: "1/s",
            per_second: 1e9,
            climbs: climbs(runs),
        }
    };
    let kinds: Vec<Kind<'a>> = firsts.iter().map(of_kind).collect();
    let unsaid = if kinds.is_empty() { String::new() } else { format!("Handshakes: {}.", labels.unsaid()) };
    (kinds, unsaid)
}

fn primitives<'a>(facts: &Facts<'a>) -> Vec<Kind<'a>> {
    let items = facts.primitives();
    let mut works: Vec<Primitive> = Vec::new();
    for item in items.iter().filter(|item| item.case.threads > 1 && !item.is_control()) {
        if !works.contains(item.work) {
            works.push(*item.work);
        }
    }
    let of_work = |work: &Primitive| {
        let own = items.iter().filter(|item| item.work == work);
        let runs = own.map(|item| (*item, Contexts::Shared));
        let sized = work.algorithm.class().is_sized();
        let name = name(work);
        Kind {
            title: name.clone(),
            subject: name,
            unit: if sized { "MB/s" } else { "1/s" },
            per_second: if sized { f64::from(work.size) * 1e3 } else { 1e9 },
            climbs: climbs(runs),
        }
    };
    works.iter().map(of_work).collect()
}

fn name(work: &Primitive) -> String {
    let mut name = format!("{} {}", work.algorithm, work.op);
    if work.algorithm.class().is_sized() {
        name += &format!(" of {}", number::bytes(work.size.into()));
    }
    if work.pattern == Pattern::Speed {
        name += " (speed)";
    }
    name
}

/// One climb for each library and sharing of contexts.
fn climbs<'a, T: 'a>(runs: impl Iterator<Item = (Item<'a, T>, Contexts)>) -> Vec<Climb<'a>> {
    let mut climbs: Vec<Climb<'a>> = Vec::new();
    for (item, contexts) in runs {
        let (library, threads, index) = (item.library(), item.case.threads, item.index);
        let known = climbs.iter_mut().find(|climb| climb.library == library && climb.contexts == contexts);
        match known {
            Some(climb) => drop(climb.runs.insert(threads, index)),
            None => {
                let runs = BTreeMap::from([(threads, index)]);
                climbs.push(Climb { library, contexts, control: item.is_control(), runs, one: None });
            }
        }
    }
    let ones: Vec<Option<usize>> = climbs.iter().map(|climb| one(&climbs, climb)).collect();
    for (climb, one) in climbs.iter_mut().zip(ones) {
        climb.one = one;
    }
    climbs.sort_by_key(Climb::is_control);
    climbs
}

/// One thread of the same; alone it makes no difference whether a context is the thread's or all threads'.
fn one(climbs: &[Climb<'_>], climb: &Climb<'_>) -> Option<usize> {
    let is_it = |other: &&Climb<'_>| {
        other.library == climb.library
            && climb.contexts == Contexts::PerThread
            && other.contexts == Contexts::Shared
    };
    let own = climb.runs.get(&1);
    own.or_else(|| climbs.iter().find(is_it)?.runs.get(&1)).copied()
}
