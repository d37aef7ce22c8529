//! What was done by several numbers of threads, or with contexts shared in several ways.

use std::collections::BTreeMap;

use tlstax_doc::{Metric, UsableCpus};
use tlstax_spec::{Contexts, Handshake, Pattern, Primitive};
use tlstax_stats::Estimate;

use super::regime::Regime;
use crate::ask::{Facts, Item, distinct, grouped};
use crate::label::{KIND, Labels};
use crate::model::Quantity;
use crate::number;

/// Work that is the same but for the threads that do it and the contexts that they share.
pub(super) struct Kind<'a> {
    pub title: String,
    pub subject: String,
    pub unit: &'static str,
    /// The rate at a cost of one nanosecond.
    pub per_second: f64,
    /// By library and sharing of contexts, the control last.
    pub curves: Vec<Curve<'a>>,
}

/// Every kind of work that the section is about, and what goes without saying in their titles.
pub(super) fn kinds<'a>(facts: &'a Facts<'a>) -> (Vec<Kind<'a>>, String) {
    let (mut kinds, unsaid) = handshakes(facts);
    kinds.extend(primitives(facts));
    (kinds, unsaid)
}

impl<'a> Kind<'a> {
    pub fn rate(&self, cost: &Estimate) -> Quantity {
        Quantity::rate(self.per_second, cost, self.unit)
    }

    /// How the work of a library goes on several threads; none for the control, whose every cost is the harness's.
    pub fn regime(&self, curve: &Curve<'_>, threads: u16, cores: &UsableCpus) -> Option<Regime> {
        let speed_up = curve.speed_up(threads).filter(|_| !curve.is_control())?;
        let harness = self.harness(curve, threads).unwrap_or_default();
        Some(Regime::of(&speed_up, threads, cores, harness))
    }

    /// What the harness takes more with several threads than with one, as the control shows, as a share of the work's
    /// cost.
    fn harness(&self, curve: &Curve<'_>, threads: u16) -> Option<f64> {
        let is_it = |other: &&Curve<'_>| other.is_control() && other.contexts == curve.contexts;
        let control = self.curves.iter().find(is_it)?;
        let cost = |run: &Item<'_, ()>| Some(run.cost(Metric::Cpu).ok()?.value);
        let more = cost(control.runs.get(&threads)?)? - cost(&control.one?)?;
        Some((more / cost(curve.runs.get(&threads)?)?).clamp(0.0, 1.0))
    }

    /// The measurement of a library that shares contexts in this way.
    pub fn run(&self, library: &str, contexts: Contexts, threads: u16) -> Option<Item<'a, ()>> {
        self.of_libraries(contexts).find(|curve| curve.library == library)?.runs.get(&threads).copied()
    }

    /// The libraries that share contexts in this way, without the control.
    pub fn of_libraries(&self, contexts: Contexts) -> impl Iterator<Item = &Curve<'a>> {
        self.curves.iter().filter(move |curve| curve.contexts == contexts && !curve.is_control())
    }
}

fn handshakes<'a>(facts: &'a Facts<'a>) -> (Vec<Kind<'a>>, String) {
    let items = facts.handshakes();
    let kind = |item: &Item<'_, Handshake>| Handshake { contexts: Contexts::Shared, ..*item.work };
    let belongs = |item: &&Item<'_, Handshake>| {
        let differs = item.case.threads > 1 || item.work.contexts != Contexts::Shared;
        differs && !item.is_control()
    };
    let firsts = distinct(items.iter().filter(belongs).copied(), kind);
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
            curves: curves(runs),
        }
    };
    let kinds: Vec<Kind<'a>> = firsts.iter().map(of_kind).collect();
    let unsaid = if kinds.is_empty() { String::new() } else { format!("Handshakes: {}.", labels.unsaid()) };
    (kinds, unsaid)
}

fn primitives<'a>(facts: &'a Facts<'a>) -> Vec<Kind<'a>> {
    let items = facts.primitives();
    let several = items.iter().filter(|item| item.case.threads > 1 && !item.is_control());
    let works = distinct(several.map(|item| *item.work), |work| *work);
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
            curves: curves(runs),
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

/// The same work of one library by several numbers of threads.
pub(super) struct Curve<'a> {
    pub library: &'a str,
    pub contexts: Contexts,
    pub runs: BTreeMap<u16, Item<'a, ()>>,
    /// The measurement of one thread, which the others are held against.
    pub one: Option<Item<'a, ()>>,
}

impl Curve<'_> {
    pub fn is_control(&self) -> bool {
        self.runs.values().any(Item::is_control)
    }

    pub fn is_of_several(&self) -> bool {
        self.runs.keys().any(|&threads| threads > 1)
    }

    /// How much more so many threads do than one, computed within rounds.
    pub fn speed_up(&self, threads: u16) -> Option<Estimate> {
        let several = self.runs.get(&threads).filter(|_| threads > 1)?;
        self.one?.ratio(several, Metric::Wall)
    }
}

/// One curve for each library and sharing of contexts.
pub(super) fn curves<'a, T: 'a>(runs: impl Iterator<Item = (Item<'a, T>, Contexts)>) -> Vec<Curve<'a>> {
    let groups = grouped(runs, |(item, contexts)| (item.library(), *contexts)).into_iter();
    let curves = groups.map(|((library, contexts), runs)| {
        let runs = runs.into_iter().map(|(item, _)| (item.case.threads, item.of_any_kind())).collect();
        Curve { library, contexts, runs, one: None }
    });
    let mut curves: Vec<Curve<'a>> = curves.collect();
    let ones: Vec<_> = curves.iter().map(|curve| one(&curves, curve)).collect();
    for (curve, one) in curves.iter_mut().zip(ones) {
        curve.one = one;
    }
    curves.sort_by_key(Curve::is_control);
    curves
}

/// One thread of the same; alone it makes no difference whether a context is the thread's or all threads'.
fn one<'a>(curves: &[Curve<'a>], curve: &Curve<'a>) -> Option<Item<'a, ()>> {
    let is_it = |other: &&Curve<'_>| {
        other.library == curve.library
            && curve.contexts == Contexts::PerThread
            && other.contexts == Contexts::Shared
    };
    let own = curve.runs.get(&1);
    own.or_else(|| curves.iter().find(is_it)?.runs.get(&1)).copied()
}
