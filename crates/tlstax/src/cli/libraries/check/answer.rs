//! What came of the meetings, for people: the answer, the matrix, and what is missing from it.

use tlstax_doc::{Library, Measurement, Outcome};
use tlstax_run::Interop;
use tlstax_spec::Workload;

/// A server and a client, and how their combinations came out.
struct Pair<'a> {
    server: &'a str,
    client: &'a str,
    worked: usize,
    failed: usize,
    of: usize,
}

/// The pairs that had anything to try, in the order in which they were.
pub(super) struct Pairs<'a>(Vec<Pair<'a>>);

impl<'a> Pairs<'a> {
    pub(super) fn of(outcomes: &'a [Measurement]) -> Self {
        let mut pairs: Vec<Pair<'a>> = Vec::new();
        for one in outcomes {
            let (server, client) = (one.case.library.as_str(), client(one));
            let at = pairs.iter().position(|pair| (pair.server, pair.client) == (server, client));
            let at = at.unwrap_or_else(|| {
                pairs.push(Pair { server, client, worked: 0, failed: 0, of: 0 });
                pairs.len() - 1
            });
            pairs[at].of += 1;
            pairs[at].worked += usize::from(matches!(one.outcome, Outcome::Measured { .. }));
            pairs[at].failed += usize::from(matches!(one.outcome, Outcome::Failed { .. }));
        }
        Self(pairs)
    }

    /// Whether any pair understands each other, and none failed.
    pub(super) fn are_fine(&self) -> bool {
        self.failed().next().is_none() && self.0.iter().any(|pair| pair.worked > 0)
    }

    fn failed(&self) -> impl Iterator<Item = &Pair<'a>> {
        self.0.iter().filter(|pair| pair.failed > 0)
    }

    /// One line, with the pairs that failed.
    fn answer(&self) -> String {
        let sum = |of: fn(&Pair<'_>) -> usize| self.0.iter().map(of).sum::<usize>();
        let counts = format!("{} of {} combinations work", sum(|pair| pair.worked), sum(|pair| pair.of));
        let failed: Vec<_> =
            self.failed().map(|pair| format!("{} with the client {}", pair.server, pair.client)).collect();
        let (of, silent) =
            (self.0.len(), self.0.iter().filter(|pair| pair.worked + pair.failed == 0).count());
        match (of, failed.len(), silent) {
            (0, ..) => "no pair was tried: no two libraries have anything in common\n".to_owned(),
            (1, 0, 0) => format!("the one pair understands each other: {counts}\n"),
            (_, 0, 0) => format!("all {of} pairs understand each other: {counts}\n"),
            (_, 0, _) => format!(
                "{} of {of} pairs understand each other, nothing works in the others: {counts}\n",
                of - silent
            ),
            (_, 1, _) => format!("1 of {of} pairs does not understand each other: {}; {counts}\n", failed[0]),
            (_, number, _) => {
                format!(
                    "{number} of {of} pairs do not understand each other: {}; {counts}\n",
                    failed.join(", ")
                )
            }
        }
    }

    /// Servers down, clients across: how many combinations worked of those that both claim.
    fn matrix(&self) -> String {
        let (servers, clients) = (
            distinct(self.0.iter().map(|pair| pair.server)),
            distinct(self.0.iter().map(|pair| pair.client)),
        );
        let cell = |server: &str, client: &str| {
            let pair = self.0.iter().find(|pair| (pair.server, pair.client) == (server, client));
            pair.map_or_else(|| "-".to_owned(), |pair| format!("{}/{}", pair.worked, pair.of))
        };
        let column = |client: &str| servers.iter().map(|server| cell(server, client)).collect::<Vec<_>>();
        let mut lines = aligned("server \\ client", &servers, |width, text| format!("{text:width$}"));
        for client in clients {
            let cells = aligned(client, &column(client), |width, text| format!("  {text:>width$}"));
            lines.iter_mut().zip(cells).for_each(|(line, cell)| *line += &cell);
        }
        lines.join("\n") + "\n"
    }
}

/// A column with its head, each as wide as the widest of them.
fn aligned(head: &str, cells: &[impl AsRef<str>], pad: fn(usize, &str) -> String) -> Vec<String> {
    let column = || std::iter::once(head).chain(cells.iter().map(AsRef::as_ref));
    let width = column().map(str::len).max().unwrap_or_default();
    column().map(|text| pad(width, text)).collect()
}

/// The answer first; then the matrix, who took part, and what is missing.
pub(super) fn text(pairs: &Pairs<'_>, found: &Interop) -> String {
    let mut parts = vec![pairs.answer()];
    if !pairs.0.is_empty() {
        parts.push(pairs.matrix());
    }
    parts.push(found.libraries.iter().filter_map(standing).collect());
    parts.push(holes(&found.outcomes));
    parts.retain(|part| !part.is_empty());
    parts.join("\n")
}

/// Why a library is not there, or how its worker passed the conformance suite.
fn standing(library: &Library) -> Option<String> {
    if let Some(why) = &library.unavailable {
        return Some(format!("{}: not available: {why}\n", library.id));
    }
    let made = library.made.as_ref()?;
    Some(format!("{}: conformance {} passed, {} skipped\n", library.id, made.passed, made.skipped))
}

/// Each reason once, with how many combinations it struck and the first of them; failures first.
fn holes(outcomes: &[Measurement]) -> String {
    let mut reasons: Vec<(bool, String, usize, &str)> = Vec::new();
    for one in outcomes {
        let Some(why) = one.outcome.hole() else { continue };
        match reasons.iter_mut().find(|reason| reason.1 == why) {
            Some(reason) => reason.2 += 1,
            None => reasons.push((!matches!(one.outcome, Outcome::Failed { .. }), why, 1, &one.id)),
        }
    }
    reasons.sort_by_key(|(is_explained, _, count, _)| (*is_explained, std::cmp::Reverse(*count)));
    let line = |(_, why, count, first): &(bool, String, usize, &str)| match count {
        1 => format!("{why}\n    {first}\n"),
        _ => format!("{count} combinations: {why}\n    the first: {first}\n"),
    };
    reasons.iter().map(line).collect()
}

fn client(one: &Measurement) -> &str {
    match &one.case.workload {
        Workload::Load(load) => &load.client,
        _ => "",
    }
}

fn distinct<'a>(ids: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut found = Vec::new();
    for id in ids {
        if !found.contains(&id) {
            found.push(id);
        }
    }
    found
}
