//! Which findings of a run are the furthest from what is usual.

use super::finding::Finding;
use super::{algorithms, handshakes, libraries, requests, threads};
use crate::ask::{Facts, grouped};
use crate::sections::Published;

/// So many are told.
const TOLD: usize = 3;

/// What is nearer to the usual than this factor is as usual: the ranges are not sharper.
const NEAR: f64 = 1.05;

/// The furthest, in words, and how many ratios they were chosen from.
pub(in crate::brief) struct Found {
    pub furthest: Vec<String>,
    pub held: usize,
}

/// Every question that is asked of a run. A new one is a file here and an entry.
const QUESTIONS: &[fn(&Facts<'_>, &Published) -> Vec<Finding>] =
    &[algorithms::findings, handshakes::findings, libraries::findings, requests::findings, threads::findings];

/// The findings of a run. Where instructions were counted there are none: a count is no time.
pub(in crate::brief) fn found(facts: &Facts<'_>, published: &Published) -> Found {
    let of_times = QUESTIONS.iter().filter(|_| facts.results.counted.is_none());
    furthest(of_times.flat_map(|question| question(facts, published)).collect())
}

fn furthest(findings: Vec<Finding>) -> Found {
    let held = findings.len();
    let furthest_of = |(_, alike): (String, Vec<Finding>)| {
        alike.into_iter().max_by(|a, b| a.distance().total_cmp(&b.distance()))
    };
    let mut each: Vec<Finding> =
        grouped(findings, |finding| finding.kind.clone()).into_iter().filter_map(furthest_of).collect();
    each.retain(|finding| finding.distance() > NEAR);
    each.sort_by(|a, b| b.distance().total_cmp(&a.distance()));
    Found { furthest: each.iter().take(TOLD).map(Finding::sentence).collect(), held }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::brief::findings::finding::tests::finding;

    #[test]
    fn of_each_kind_the_furthest_is_told_and_never_more_than_three() {
        let usual = [1.0, 1.0];
        let found = furthest(vec![
            finding("a", [2.0, 1.9, 2.1], usual),
            finding("a", [3.0, 2.9, 3.1], usual),
            finding("b", [1.04, 1.03, 1.05], usual),
            finding("c", [1.5, 1.49, 1.51], usual),
            finding("d", [0.1, 0.099, 0.101], usual),
            finding("e", [1.2, 1.19, 1.21], usual),
        ]);
        assert_eq!(found.held, 6);
        let told: Vec<char> = found.furthest.iter().filter_map(|said| said.chars().next()).collect();
        assert_eq!(told, ['d', 'a', 'c']);
        assert_eq!(found.furthest[1], "a costs 3.00x\u{a0}±3.3% as much; usual 1.0x (somebody).");
    }

    #[test]
    fn what_the_interval_does_not_decide_is_no_finding() {
        let open = furthest(vec![finding("a", [4.0, 1.0, 7.0], [0.5, 1.0])]);
        assert_eq!((open.furthest.len(), open.held), (0, 1));
    }
}
