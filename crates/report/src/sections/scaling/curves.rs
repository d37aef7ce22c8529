//! The same work of one library on more and more threads.

use std::collections::BTreeMap;

use tlstax_doc::Metric;
use tlstax_spec::Contexts;
use tlstax_stats::Estimate;

use crate::ask::Item;

/// The same work of one library by several numbers of threads.
pub(super) struct Curve<'a> {
    pub library: &'a str,
    pub contexts: Contexts,
    control: bool,
    pub runs: BTreeMap<u16, Item<'a, ()>>,
    /// The measurement of one thread, which the others are held against.
    pub one: Option<Item<'a, ()>>,
}

impl Curve<'_> {
    pub fn is_control(&self) -> bool {
        self.control
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
    let mut curves: Vec<Curve<'a>> = Vec::new();
    for (item, contexts) in runs {
        let (library, threads, run) = (item.library(), item.case.threads, item.of_any_kind());
        let known = curves.iter_mut().find(|curve| curve.library == library && curve.contexts == contexts);
        match known {
            Some(curve) => drop(curve.runs.insert(threads, run)),
            None => {
                let runs = BTreeMap::from([(threads, run)]);
                curves.push(Curve { library, contexts, control: item.is_control(), runs, one: None });
            }
        }
    }
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
