//! Instructions of a run that counts them: of an operation, of each side of a handshake, of a buffer's bytes.

use tlstax_doc::{Counted, CountedBy, Metric};
use tlstax_spec::{Bulk, Handshake, Primitive};

use crate::ask::{Facts, Item, find, libraries, works};
use crate::grid::{Cross, Measure};
use crate::label::{BULK, HANDSHAKE, Labels};
use crate::model::{Quantity, Section};
use crate::notes::notes;
use crate::number;

const UNIT: &str = "instr.";

pub(crate) fn section(facts: &Facts<'_>, counted: &Counted) -> Section {
    let (primitives, handshakes, bulks) = (facts.primitives(), facts.handshakes(), facts.bulks());
    let all = primitives.iter().map(|item| item.measurement);
    let all = all.chain(handshakes.iter().map(|item| item.measurement));
    let all = all.chain(bulks.iter().map(|item| item.measurement));
    Section::new("counts", "Instructions", intro(counted))
        .with(of_primitives(&primitives))
        .with(of_handshakes(&handshakes))
        .with(of_bulk(&bulks))
        .with(notes(all))
        .saying(agreement(facts).into_iter().collect())
}

fn intro(counted: &Counted) -> String {
    let by = match counted.by {
        CountedBy::Hardware => "",
        CountedBy::Callgrind => {
            " Its CPU has fewer features than this one: the notes on the machine say what each library does without."
        }
    };
    format!(
        "{counted}, in user space, with the library's memory management and without the harness's reading of proofs. A count is \
         no time: instructions differ in what they take. It is for telling a small change of the code from none.{by}"
    )
}

/// How far the counts of different processes reach.
fn agreement(facts: &Facts<'_>) -> Option<String> {
    let metrics = |index: usize| Metric::counted(&facts.results.measurements[index].case).iter();
    let widths = (0..facts.results.measurements.len()).flat_map(|index| {
        metrics(index).filter_map(move |metric| facts.estimate(index, *metric)).map(|found| spread(&found))
    });
    let mut widths: Vec<f64> = widths.collect();
    widths.sort_by(f64::total_cmp);
    let (middle, most) = (widths.get(widths.len() / 2)?, widths.last()?);
    let shown = |percent: f64| number::significant(percent, 2);
    Some(format!(
        "Processes that count the same differ by {} % (median of {} figures) and at most by {} %.",
        shown(*middle),
        widths.len(),
        shown(*most)
    ))
}

/// The range of an estimate in percent of it.
fn spread(found: &tlstax_stats::Estimate) -> f64 {
    (found.high - found.low) / found.value * 100.0
}

/// The count of one of so many things in an iteration.
fn each<T>(item: &Item<'_, T>, metric: Metric, things: f64) -> Result<Quantity, String> {
    let found = item.cost(metric)?;
    let [value, low, high] = [found.value, found.low, found.high].map(|count| count / things);
    Ok(Quantity::between(value, low, high, UNIT))
}

fn range<T>(item: &Item<'_, T>, metric: Metric) -> Option<Quantity> {
    let found = item.cost(metric).ok()?;
    Some(Quantity::exact(spread(&found), "%"))
}

fn of_primitives(items: &[Item<'_, Primitive>]) -> Option<crate::model::Table> {
    let name = |work: &Primitive| {
        let size =
            if work.size > 0 { format!(" {}", number::bytes(work.size.into())) } else { String::new() };
        [format!("{} {}{size} ({})", work.algorithm, work.op, work.pattern)]
    };
    let rows = works(items).into_iter().map(|item| (name(item.work), *item.work));
    let find = |library: &str, work: &Primitive| find(items, library, work);
    Cross::new("operation", rows, &libraries(items), find)
        .measure(Measure::plain("{}", UNIT, |item: &Item<'_, Primitive>| {
            each(item, Metric::Instructions, 1.0)
        }))
        .measure(Measure::plain("a byte", UNIT, |item: &Item<'_, Primitive>| {
            (item.work.size > 0).then(|| each(item, Metric::Instructions, item.work.size.into()).ok())?
        }))
        .measure(Measure::plain("range", "%", |item: &Item<'_, Primitive>| range(item, Metric::Instructions)))
        .table("Instructions of one operation")
}

fn of_handshakes(items: &[Item<'_, Handshake>]) -> Option<crate::model::Table> {
    let labels = Labels::of(HANDSHAKE, items);
    let side = |metric| move |item: &Item<'_, Handshake>| each(item, metric, 1.0);
    Cross::new("handshake", labels.rows(&works(items)), &libraries(items), |library, like| {
        like.by(library, items)
    })
    .measure(Measure::plain("{} client", UNIT, side(Metric::ClientInstructions)))
    .measure(Measure::plain("{} server", UNIT, side(Metric::ServerInstructions)))
    .measure(Measure::plain("range", "%", |item: &Item<'_, Handshake>| {
        range(item, Metric::ServerInstructions)
    }))
    .control("control", items.iter().copied().find(Item::is_control))
    .table(labels.caption("Instructions of each side of a handshake"))
}

fn of_bulk(items: &[Item<'_, Bulk>]) -> Option<crate::model::Table> {
    let labels = Labels::of(BULK, items);
    let byte = |metric| move |item: &Item<'_, Bulk>| each(item, metric, item.work.buffer.into());
    Cross::new("data", labels.rows(&works(items)), &libraries(items), |library, like| like.by(library, items))
        .measure(Measure::plain("{} client", UNIT, byte(Metric::ClientInstructions)))
        .measure(Measure::plain("{} server", UNIT, byte(Metric::ServerInstructions)))
        .measure(Measure::plain("range", "%", |item: &Item<'_, Bulk>| {
            range(item, Metric::ServerInstructions)
        }))
        .control("control", items.iter().copied().find(Item::is_control))
        .table(labels.caption("Instructions of each side for a byte of application data"))
}
