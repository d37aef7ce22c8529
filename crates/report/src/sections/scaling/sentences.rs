//! Sentences on several threads: who scales, who does not, and what contexts of one's own cost.

use tlstax_doc::{Metric, UsableCpus};
use tlstax_spec::Contexts;

use super::contexts::{compared_at, in_words};
use super::kinds::Kind;
use super::regime::Regime;
use crate::phrase::{self, LISTED, listed};
use crate::told::two_each;

/// What one thread does in a second, and as many as have a core each, of the first work that both did.
pub(super) fn answers(kinds: &[Kind<'_>], cores: &UsableCpus) -> Option<String> {
    let answer = |kind: &Kind<'_>| {
        let threads = most(kind, cores)?;
        let rates = kind.of_libraries(Contexts::Shared).filter_map(|curve| {
            let rate = |threads| Some(kind.rate(&curve.runs.get(&threads)?.cost(Metric::Wall).ok()?));
            Some((curve.library.to_owned(), [rate(1)?, rate(threads)?]))
        });
        let said = two_each(rates.collect(), ["one thread", &format!("{threads} threads")])?;
        Some(format!("{}: {said}.", kind.title))
    };
    kinds.iter().find_map(answer)
}

/// At most four.
pub(super) fn sentences(kinds: &[Kind<'_>], cores: &UsableCpus) -> Vec<String> {
    let mut sentences: Vec<String> = kinds.iter().find_map(|kind| regimes(kind, cores)).into_iter().collect();
    sentences.extend(kinds.iter().find_map(|kind| turns(kind, cores)));
    sentences.extend(kinds.iter().find_map(|kind| own_contexts(kind, cores)));
    sentences.extend(kinds.iter().find_map(|kind| shared_contexts(kind, cores)));
    sentences
}

/// The most threads that have a core each.
fn most(kind: &Kind<'_>, cores: &UsableCpus) -> Option<u16> {
    let threads = kind.of_libraries(Contexts::Shared).flat_map(|curve| curve.runs.keys().copied());
    threads.filter(|&threads| threads > 1 && cores.are_enough_for(threads)).max()
}

/// Who scales and who does not, on as many threads as have a core each.
fn regimes(kind: &Kind<'_>, cores: &UsableCpus) -> Option<String> {
    let threads = most(kind, cores)?;
    let (mut scaling, mut losing, mut open) = (Vec::new(), Vec::new(), Vec::new());
    for curve in kind.of_libraries(Contexts::Shared) {
        let Some(regime) = kind.regime(curve, threads, cores) else { continue };
        match regime {
            Regime::Scales => scaling.push(curve.library),
            Regime::Contended(lost) => losing.push((curve.library, lost)),
            _ => open.push(curve.library),
        }
    }
    let all = scaling.len() + losing.len() + open.len();
    losing.sort_by(|a, b| b.1.value.total_cmp(&a.1.value));
    let lost = losing.iter().take(LISTED).enumerate().map(|(place, (library, lost))| match place {
        0 => format!("{library} ({} % of each thread is lost)", lost.percent()),
        _ => format!("{library} ({} %)", lost.percent()),
    });
    let mut contended = lost.collect::<Vec<_>>().join(", ");
    if losing.len() > LISTED {
        contended += &format!(" and {} others", losing.len() - LISTED);
    }
    let parts = [
        (!scaling.is_empty()).then(|| format!("scales in {}", listed(&scaling, all))),
        (!losing.is_empty()).then(|| format!("is contended in {contended}")),
        (!open.is_empty()).then(|| format!("cannot be told to scale or not in {}", listed(&open, all))),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| format!("With {threads} threads, {} {}.", kind.subject, parts.join("; ")))
}

fn turns(kind: &Kind<'_>, cores: &UsableCpus) -> Option<String> {
    let logical = cores.logical?;
    let mut threads: Vec<u16> = kind.curves.iter().flat_map(|curve| curve.runs.keys().copied()).collect();
    threads.retain(|&threads| threads > logical);
    threads.sort_unstable();
    threads.dedup();
    let threads: Vec<String> = threads.iter().map(u16::to_string).collect();
    let what = if cores.cores == cores.logical { "core(s)" } else { "hardware threads of all cores" };
    (!threads.is_empty()).then(|| {
        format!("{} threads are more than the {logical} {what}: they take turns.", threads.join(" and "))
    })
}

/// What a context for each connection costs beside a shared one.
fn own_contexts(kind: &Kind<'_>, cores: &UsableCpus) -> Option<String> {
    let (own, shared) = ("with a context of its own", "with a shared context");
    let threads = compared_at(kind, cores)?;
    let made = |library: &str, contexts| kind.run(library, contexts, threads);
    let ratio = |library: &str| {
        made(library, Contexts::PerConnection)?.ratio(&made(library, Contexts::Shared)?, Metric::Cpu)
    };
    phrase::by_library(&libraries(kind), ratio, own, shared, |dear, multiple, cheap| {
        format!("With {} a handshake {dear} costs {multiple} one {cheap}", in_words(threads))
    })
}

/// What threads that share a context lose beside threads that have one each.
fn shared_contexts(kind: &Kind<'_>, cores: &UsableCpus) -> Option<String> {
    let (shared, own) = ("that share a context", "that have one each");
    let threads = compared_at(kind, cores).filter(|&threads| threads > 1)?;
    let made = |library: &str, contexts| kind.run(library, contexts, threads);
    let ratio = |library: &str| {
        made(library, Contexts::Shared)?.ratio(&made(library, Contexts::PerThread)?, Metric::Wall)
    };
    phrase::by_library(&libraries(kind), ratio, shared, own, |dear, multiple, cheap| {
        format!("A handshake of {threads} threads {dear} takes {multiple} one of threads {cheap}")
    })
}

fn libraries<'a>(kind: &Kind<'a>) -> Vec<&'a str> {
    kind.of_libraries(Contexts::Shared).map(|curve| curve.library).collect()
}
