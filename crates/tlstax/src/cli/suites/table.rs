//! A library's suites as a table: what each is, and what it costs.

use tlstax_doc::{Metric, Note, Results, Severity, Summaries};
use tlstax_report::{Block, Cell, Column, Quantity, Row, Section, Table};
use tlstax_run::{Expanded, Expansion, IdleKind, NoExpansion, SuiteFacts, Weakness};
use tlstax_spec::{Key, Suite, Workload};
use tlstax_stats::Estimate;

use super::{Asked, sentences, study};

/// What was measured, as the tables ask for it.
pub(super) struct Costs<'a> {
    results: &'a Results,
    summaries: Summaries<'a>,
}

/// Where a figure stands among the measurements; for bulk data with the bytes of an iteration.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub index: usize,
    pub bytes: f64,
}

impl<'a> Costs<'a> {
    pub fn of(results: &'a Results) -> Self {
        Self { results, summaries: Summaries::of(results) }
    }

    /// The full handshake with this suite and key.
    pub fn handshake(&self, library: &str, suite: Suite, key: Key) -> Option<Place> {
        self.find(library, |workload| match workload {
            Workload::Handshake(one) => (one.params.suite == suite && one.params.key == key).then_some(1.0),
            _ => None,
        })
    }

    /// The transfer with this suite.
    pub fn bulk(&self, library: &str, suite: Suite) -> Option<Place> {
        self.find(library, |workload| match workload {
            Workload::Bulk(one) => (one.params.suite == suite).then_some(f64::from(one.buffer)),
            _ => None,
        })
    }

    fn find(&self, library: &str, is_it: impl Fn(&Workload) -> Option<f64>) -> Option<Place> {
        self.results.measurements.iter().enumerate().find_map(|(index, one)| {
            let bytes = is_it(&one.case.workload).filter(|_| one.case.library == library)?;
            Some(Place { index, bytes })
        })
    }

    /// Nanoseconds for a handshake or, which is the same as seconds per gigabyte, for a byte.
    pub fn cost(&self, place: Place, metric: Metric) -> Option<Estimate> {
        let found = self.summaries.estimate(place.index, metric)?;
        let [value, low, high] = [found.value, found.low, found.high].map(|nanos| nanos / place.bytes);
        Some(Estimate { value, low, high, ..found })
    }

    /// The cost at one place as a multiple of that at another, within rounds.
    pub fn ratio(&self, one: Place, other: Place, metric: Metric) -> Option<Estimate> {
        self.summaries.ratio(one.index, other.index, metric)
    }

    fn cell(&self, place: Option<Place>, metric: Metric, factor: f64, unit: &'static str) -> Cell {
        let Some(place) = place else { return Cell::Empty };
        let hole = || {
            let outcome = &self.results.measurements[place.index].outcome;
            outcome.hole().unwrap_or_else(|| "too little was measured: raise --budget".to_owned())
        };
        let cost = self.cost(place, metric).map(|cost| Quantity::scaled(&cost, factor, unit));
        Cell::of(cost.ok_or_else(hole))
    }
}

/// One library's part of the report.
pub(super) fn section(asked: &Asked, (id, found): &Expanded, costs: Option<&Costs<'_>>) -> Section {
    let mut section = Section {
        id: format!("suites-{id}"),
        title: id.to_string(),
        intro: String::new(),
        blocks: Vec::new(),
        sentences: Vec::new(),
    };
    match found {
        Ok(expansion) => {
            section.intro = intro(expansion, costs.is_some());
            section.blocks.push(Block::Table(what(expansion)));
            section.blocks.extend(costs.map(|costs| Block::Table(costs_table(asked, id, expansion, costs))));
            section.blocks.extend(notes(expansion));
            section.sentences =
                costs.map(|costs| sentences::of(costs, id, &asked.keys, expansion)).unwrap_or_default();
        }
        Err(why) => section.blocks.push(Block::Notes { notes: vec![refusal(why)] }),
    }
    section
}

fn refusal(why: &NoExpansion) -> Note {
    let (severity, what) = match why {
        NoExpansion::Unsupported(reason) => (Severity::Info, format!("not expanded: {reason}")),
        NoExpansion::Missing(reason) => (Severity::Warning, format!("not there: {reason}")),
        NoExpansion::Refused(complaint) => {
            (Severity::Warning, format!("the library refuses it: {complaint}"))
        }
    };
    Note { severity, what, remedy: String::new() }
}

fn intro(expansion: &Expansion, measured: bool) -> String {
    let by = match expansion.by_library {
        true => "expanded by the library itself, in the order in which it prefers them",
        false => "of the list those that the library has, in the order of the list",
    };
    let cost = match measured {
        true => {
            ". CPU time in memory of a full handshake, and of a gigabyte that the server sends in records of 16 KiB"
        }
        false => "",
    };
    format!("{}: {by}{cost}.", expansion.version)
}

/// What each suite is.
fn what(expansion: &Expansion) -> Table {
    let mut columns = vec![Column { numeric: true, ..Column::label("#") }, Column::label("suite")];
    let facts = [
        "OpenSSL name",
        "TLS",
        "key exchange",
        "authentication",
        "forward secrecy",
        "cipher",
        "MAC",
        "weak today",
    ];
    // The last one only where it has something to say.
    let has_weak = expansion.suites.iter().any(|name| !SuiteFacts::of(name).weak.is_empty());
    let shown = facts.len() - usize::from(!has_weak);
    columns.extend(facts.into_iter().take(shown).map(Column::words));
    let rows = expansion.suites.iter().enumerate().map(|(place, name)| {
        let label = [Cell::text((place + 1).to_string()), Cell::text(name)];
        Row::plain(label.into_iter().chain(cells(name).into_iter().take(shown)).collect())
    });
    let count = expansion.suites.len();
    let caption = format!("{count} suite{}", if count == 1 { "" } else { "s" });
    Table { caption, rows: rows.collect(), columns }
}

/// What each suite costs, under the number that it has in the other table and the shorter of its names.
fn costs_table(asked: &Asked, id: &str, expansion: &Expansion, costs: &Costs<'_>) -> Table {
    let mut columns = vec![Column { numeric: true, ..Column::label("#") }, Column::label("suite")];
    columns.push(Column::words("key"));
    columns.extend(["server", "client"].map(|side| Column::quantity(format!("handshake {side}"), "µs")));
    columns.extend(["server sends", "client receives"].map(|side| Column::quantity(side, "s/GB")));
    let rows = expansion.suites.iter().enumerate().flat_map(|(place, name)| {
        let short = SuiteFacts::of(name).openssl.unwrap_or_else(|| name.clone());
        costs_of(asked, id, name, costs).into_iter().map(move |costs| {
            let label = [Cell::text((place + 1).to_string()), Cell::text(short.clone())];
            Row::plain(label.into_iter().chain(costs).collect())
        })
    });
    Table { caption: "CPU time: a full handshake, and bulk data".to_owned(), rows: rows.collect(), columns }
}

/// What a suite is.
fn cells(name: &str) -> Vec<Cell> {
    let facts = SuiteFacts::of(name);
    let secret = match facts.forward_secrecy {
        Some(true) => "yes",
        Some(false) => "no",
        None => "",
    };
    let weak = facts.weak.iter().map(|weakness| weakness.word()).collect::<Vec<_>>().join(", ");
    let words = [
        facts.openssl.unwrap_or_default(),
        if facts.tls13 { "1.3" } else { "1.2" }.to_owned(),
        facts.exchange,
        facts.authentication,
        secret.to_owned(),
        facts.cipher,
        facts.mac,
        weak,
    ];
    words.into_iter().map(Cell::text).collect()
}

/// What a suite costs: a row for each key that fits, or one that says why there is none.
fn costs_of(asked: &Asked, id: &str, name: &str, costs: &Costs<'_>) -> Vec<Vec<Cell>> {
    let hole = |reason: String| {
        let mut cells = vec![Cell::Empty];
        cells.extend(vec![Cell::Hole { reason }; 4]);
        vec![cells]
    };
    let Ok(suite) = name.parse::<Suite>() else {
        return hole("tlstax does not measure this suite: it is not in its vocabulary".to_owned());
    };
    let fitting: Result<Vec<Key>, String> = {
        let tried = asked.keys.iter().map(|key| study::params(suite, *key, asked.group));
        let (fit, not): (Vec<_>, Vec<_>) = tried.partition(Result::is_ok);
        match (fit.is_empty(), not.into_iter().find_map(Result::err)) {
            (true, Some(why)) => Err(why),
            _ => Ok(fit.into_iter().flatten().map(|params| params.key).collect()),
        }
    };
    let keys = match fitting {
        Ok(keys) => keys,
        Err(why) => return hole(why),
    };
    let row = |(nth, key): (usize, &Key)| {
        let handshake = costs.handshake(id, suite, *key);
        // Bulk data were measured once: no key matters there.
        let bulk = costs.bulk(id, suite).filter(|_| nth == 0);
        let mut cells = vec![Cell::text(key.name())];
        cells.extend([Metric::Server, Metric::Client].map(|side| costs.cell(handshake, side, 1e-3, "µs")));
        cells.extend([Metric::Server, Metric::Client].map(|side| costs.cell(bulk, side, 1.0, "s/GB")));
        cells
    };
    keys.iter().enumerate().map(row).collect()
}

fn notes(expansion: &Expansion) -> Option<Block> {
    let mut notes: Vec<Note> = expansion
        .idle
        .iter()
        .map(|idle| Note {
            severity: match idle.kind {
                IdleKind::NoObject => Severity::Info,
                _ => Severity::Warning,
            },
            what: format!("the word '{}' {}", idle.word, idle.kind.why()),
            remedy: idle.kind.remedy().to_owned(),
        })
        .collect();
    let info = |what: String| Note { severity: Severity::Info, what, remedy: String::new() };
    if !expansion.absent.is_empty() {
        let unknown = |name: &&String| !expansion.by_library && name.parse::<Suite>().is_err();
        let (unknown, absent): (Vec<_>, Vec<_>) = expansion.absent.iter().partition(unknown);
        if !absent.is_empty() {
            notes.push(info(format!("the library does not have: {}", join(&absent))));
        }
        if !unknown.is_empty() {
            let names = join(&unknown);
            notes.push(info(format!(
                "whether it has these is not known, they are not in tlstax's vocabulary: {names}"
            )));
        }
    }
    let mut weak: Vec<Weakness> =
        expansion.suites.iter().flat_map(|name| SuiteFacts::of(name).weak).collect();
    weak.sort_unstable();
    weak.dedup();
    notes.extend(weak.iter().map(|one| info(format!("{}: {}", one.word(), one.meaning()))));
    (!notes.is_empty()).then_some(Block::Notes { notes })
}

fn join(names: &[&String]) -> String {
    names.iter().map(|name| name.as_str()).collect::<Vec<_>>().join(", ")
}
