//! What has to be known of loads as a whole: what clients leave out, and whether two accounts of a server agree.

use tlstax_doc::{Measurement, Note, Severity};
use tlstax_stats::{Ratio, median};

use super::item::Found;
use crate::ask::distinct;
use crate::grid::{Grid, Measure};
use crate::model::{Block, Table};
use crate::notes::{gathered, note, sorted_notes};
use crate::number;

/// Two accounts of one server that differ by more than this are worth a warning.
const AGREE: Ratio = Ratio(0.01);

/// Smaller differences are not given a number.
const LEAST: Ratio = Ratio(0.001);

/// If fewer windows are left out, nobody needs to know.
const NEARLY_ALL: f64 = 0.95;

/// The client of whose omissions the documentation speaks.
const LEAN: &str = "lean";

/// The notes of these loads and on them, the most severe first, and in detail what clients leave out.
pub(crate) fn remarks(items: &[Found<'_>]) -> Vec<Block> {
    let omissions = omissions(items);
    let mut notes = gathered(items.iter().map(|item| item.measurement));
    notes.extend(omissions.iter().map(|(client, omits)| pointer(client, omits.len())));
    notes.extend(accounts(items));
    notes.extend(apart(items));
    notes.extend(items.iter().filter_map(sizes));
    let mut blocks: Vec<Block> = sorted_notes(notes).into_iter().collect();
    blocks.extend(in_full(&omissions).map(Block::Details));
    blocks
}

/// What clients leave out that others do, once for each client.
fn omissions<'f>(items: &[Found<'f>]) -> Vec<(&'f str, &'f [String])> {
    let omits = |item: Found<'f>| {
        let hello = item.facts.results.library(&item.work.client)?.hello.as_ref()?;
        (!hello.omits.is_empty()).then_some((item.work.client.as_str(), hello.omits.as_slice()))
    };
    let firsts = distinct(items.iter().copied(), |item| item.work.client.as_str());
    firsts.into_iter().filter_map(omits).collect()
}

/// That a client leaves something out, in a line, and where to read what.
fn pointer(client: &str, omissions: usize) -> Note {
    let documented = if client == LEAN { "docs/method.md#the-lean-client, and " } else { "" };
    let what = format!(
        "the client {client} leaves out {omissions} things that a full client does: its own CPU time is no figure of a \
         TLS client; the server's is one"
    );
    let remedy = format!("to read what it leaves out: {documented}the details in the HTML report");
    note(Severity::Info, what, remedy)
}

fn in_full(omissions: &[(&str, &[String])]) -> Option<Table> {
    let rows = omissions
        .iter()
        .flat_map(|(client, omits)| omits.iter().map(|omitted| ([(*client).to_owned()], sentence(omitted))));
    Grid::new(["client"], rows)
        .measure(Measure::words("leaves out", String::clone))
        .table("What clients leave out that a full client does")
}

/// That the bodies of a server were not all as long as the case says, whose length is that of one answer.
fn sizes(item: &Found<'_>) -> Option<Note> {
    let samples = item.measurement.batches().iter().map(|batch| &batch.sample);
    let (bytes, requests) = samples.fold((0_u64, 0_u64), |(bytes, requests), one| {
        (bytes.saturating_add(one.bytes.0), requests.saturating_add(one.iterations))
    });
    let wanted = u64::from(item.work.body);
    // Of a client that does not count bytes nothing is known.
    (requests > 0 && bytes > 0 && bytes != requests.saturating_mul(wanted)).then(|| {
        let (library, average) = (item.library(), bytes / requests);
        let what = format!(
            "the bodies of {library} vary in size: {average} bytes on average, and not {wanted} as the row says"
        );
        note(Severity::Warning, what, "ask for something that does not change, with --path")
    })
}

fn sentence(words: &str) -> String {
    format!("{}.", words.trim().trim_end_matches('.'))
}

/// How far the scheduler's account of the server and its control group's differ.
fn accounts(items: &[Found<'_>]) -> Option<Note> {
    let mut found: Vec<(Ratio, &str)> = items
        .iter()
        .filter_map(|item| Some((difference(item.measurement)?, item.measurement.id.as_str())))
        .collect();
    found.sort_by(|a, b| a.0.0.total_cmp(&b.0.0));
    let (worst, id) = *found.last()?;
    let differences: Vec<f64> = found.iter().map(|(difference, _)| difference.0).collect();
    let median = shown(Ratio(median(&differences)?));
    let loads = match found.len() {
        1 => "in the one load that has both".to_owned(),
        many => {
            let name = if worst > AGREE { format!(", {id}") } else { String::new() };
            format!("in the median of {many} loads, by {} in the worst{name}", shown(worst))
        }
    };
    let what =
        format!("the server's CPU time by the scheduler and by its control group differ by {median} {loads}");
    if worst <= AGREE {
        return Some(note(Severity::Info, what, ""));
    }
    let remedy = format!(
        "beyond {} one of them counts work that the other does not: take the server's figures of that load with care, \
         and give it more time with --budget",
        number::percent(AGREE)
    );
    Some(note(Severity::Warning, what, remedy))
}

/// That the ends of loads were not always as far apart; nothing where they nearly were.
fn apart(items: &[Found<'_>]) -> Option<Note> {
    let facts = items.first()?.facts;
    let found = facts.summaries.apart()?;
    let slices = &facts.results.slices;
    let mixed: Vec<&str> = items
        .iter()
        .filter(|item| found.is_mixed(item.measurement.batches(), slices))
        .map(|item| item.measurement.id.as_str())
        .collect();
    let what = format!(
        "in {:.0}% of the windows of loads a cache line went from the server's core to the client's and back in {:.0} ns, and the figures \
         are of these; in the others it took another time, as when a hypervisor moves a virtual CPU",
        found.share * 100.0,
        found.usual
    );
    if mixed.is_empty() {
        return (found.share < NEARLY_ALL).then(|| note(Severity::Info, what, ""));
    }
    let what =
        format!("{what}. Too few of them had these: {}; their figures are of all windows", mixed.join(", "));
    Some(note(Severity::Warning, what, "give them more time with --budget"))
}

fn shown(ratio: Ratio) -> String {
    if ratio < LEAST { format!("less than {}", number::percent(LEAST)) } else { number::percent(ratio) }
}

/// The difference of both accounts as a part of the larger, over the whole run.
fn difference(measurement: &Measurement) -> Option<Ratio> {
    let both = measurement
        .batches()
        .iter()
        .filter_map(|batch| Some((batch.sample.server?.total.0 as f64, batch.observed_server?.0 as f64)));
    let (scheduler, group) = both.fold((0.0, 0.0), |sum, both| (sum.0 + both.0, sum.1 + both.1));
    let larger = f64::max(scheduler, group);
    (larger > 0.0).then(|| Ratio((scheduler - group).abs() / larger))
}
