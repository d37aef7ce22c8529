//! Large files: how fast they move, what a gigabyte costs each side, and what that is beside plain HTTP.

mod sentences;

use tlstax_doc::Metric;
use tlstax_spec::{Load, Suite};
use tlstax_stats::{Estimate, Ratio};

use super::load::{Found, NOT_THE_SERVER, Side, bound, client, plain, remarks, server, user};
use crate::ask::Facts;
use crate::label::{Labels, TRANSFER};
use crate::model::{Block, Cell, Chart, Column, Quantity, Row, Section, Series, Table};

/// Bytes from which on a body is a large file.
const LARGE: u32 = 1 << 20;

/// Bytes from which on a request is told by its bytes alone, and not among the requests.
const HUGE: u32 = 16 << 20;

const MEBIBYTE: f64 = 1_048_576.0;

/// Whether a load moves a large file over a connection that is kept, or one file at a time.
fn is_transfer(work: &Load) -> bool {
    work.body >= LARGE
        && work.rate == 0
        && work.work_us == 0
        && (work.requests_per_connection == 0 || work.connections == 1)
}

/// Whether a load is told among the transfers and nowhere else.
pub(super) fn is_only_a_transfer(work: &Load) -> bool {
    is_transfer(work) && work.body >= HUGE
}

pub(crate) fn section(facts: &Facts<'_>) -> Option<Section> {
    let mut items = facts.loads();
    items.retain(|item| is_transfer(item.work));
    let only: Vec<Found<'_>> = items.iter().filter(|item| is_only_a_transfer(item.work)).copied().collect();
    if items.is_empty() {
        return None;
    }
    let labels = Labels::of(TRANSFER, &items);
    let mut blocks = Vec::new();
    for server in facts.libraries(&items) {
        let own: Vec<Found<'_>> = items.iter().filter(|item| item.library() == server).copied().collect();
        blocks.push(Block::Table(speeds(facts, &own, &labels, server)));
        blocks.push(Block::Table(costs(facts, &own, &labels, server)));
        blocks.push(Block::Chart(chart(facts, &own, &labels, server)));
    }
    // The notes of the others stand below the requests.
    if !only.is_empty() {
        blocks.extend(remarks(facts, &only));
    }
    Some(Section {
        id: "transfers".to_owned(),
        title: "Large files".to_owned(),
        intro: intro(&items, &labels),
        blocks,
        sentences: sentences::sentences(facts, &items),
    })
}

fn intro(items: &[Found<'_>], labels: &Labels<Load>) -> String {
    let mut said = format!(
        "Over loopback: {}. Transfer: MiB in a second of elapsed time. CPU speed: MiB in a second of CPU time of one \
         side, in user space alone, and with the kernel's part: the speed at which that side is a whole core busy. \
         s/GB: CPU seconds for a decimal gigabyte. Busy: server's / client's share of the elapsed time, * for the \
         limit.",
        labels.unsaid()
    );
    if items.iter().any(|item| !item.work.tuning.sendfile) {
        said += " With sendfile the kernel sends a file without copying it into the server; encryption in the server \
                 cannot use it, so HTTP stands here with it and without.";
    }
    if items.iter().any(|item| is_null(item.work)) {
        said += " NULL suites encrypt nothing and still hash every byte: a baseline of a MAC, not TLS without crypto.";
    }
    said
}

/// Whether the suite encrypts nothing.
fn is_null(work: &Load) -> bool {
    work.params.is_some_and(|params| is_null_suite(params.suite))
}

fn is_null_suite(suite: Suite) -> bool {
    suite.name().contains("_WITH_NULL_")
}

/// MiB in a second, by the clock and by the CPU time of each side.
fn speeds(facts: &Facts<'_>, items: &[Found<'_>], labels: &Labels<Load>, server_id: &str) -> Table {
    let columns = vec![
        Column::label("transfer"),
        Column::quantity("transfer", "MiB/s"),
        Column { numeric: true, unit: "% s/c", ..Column::words("busy") },
        Column::plain("client, user", "MiB/s"),
        Column::plain("client, all", "MiB/s"),
        Column::plain("server, user", "MiB/s"),
        Column::plain("server, all", "MiB/s"),
    ];
    let row = |item: &Found<'_>| {
        let busy = bound(facts, item).map_or(Cell::Empty, |bound| Cell::text(bound.shown()));
        Row::plain(vec![
            Cell::text(labels.name(item)),
            Cell::of(speed(facts, item, Metric::Wall)),
            busy,
            Cell::of(in_user_space(facts, item, Metric::Client, client)),
            Cell::of(speed(facts, item, Metric::Client)),
            Cell::of(in_user_space(facts, item, Metric::Server, server)),
            Cell::of(speed(facts, item, Metric::Server)),
        ])
    };
    Table {
        caption: format!(
            "{server_id} as the server: speed of the transfer, and CPU speed of each side in user space and in all"
        ),
        columns,
        rows: items.iter().map(row).collect(),
    }
}

/// MiB of body in a second of this.
fn speed(facts: &Facts<'_>, item: &Found<'_>, metric: Metric) -> Result<Quantity, String> {
    let cost = facts.cost(item.index, metric)?;
    Ok(Quantity::rate(f64::from(item.work.body) / MEBIBYTE * 1e9, &cost, "MiB/s"))
}

/// MiB of body in a second of one side's CPU time in user space.
fn in_user_space(
    facts: &Facts<'_>,
    item: &Found<'_>,
    metric: Metric,
    side: Side,
) -> Result<Quantity, String> {
    let speed = speed(facts, item, metric)?;
    let Ratio(share) = user(item.measurement.batches(), side)?;
    Ok(Quantity { value: speed.value / share, low: speed.low / share, high: speed.high / share, ..speed })
}

/// CPU seconds for a gigabyte, and what that is beside plain HTTP.
fn costs(facts: &Facts<'_>, items: &[Found<'_>], labels: &Labels<Load>, server: &str) -> Table {
    let of = |sendfile: bool| items.iter().any(|item| base(items, item, sendfile).is_some());
    let bases: Vec<(bool, &str)> = [(true, "HTTP"), (false, "HTTP, no sendfile")]
        .into_iter()
        .filter(|(sendfile, _)| of(*sendfile))
        .collect();
    let mut columns = vec![
        Column::label("transfer"),
        Column::quantity("client", "s/GB"),
        Column::quantity("server", "s/GB"),
    ];
    if of(true) {
        columns.push(Column::quantity("client: of HTTP", "x"));
    }
    columns.extend(bases.iter().map(|(_, name)| Column::quantity(format!("server: of {name}"), "x")));
    let row = |item: &Found<'_>| {
        let factor = |sendfile: bool, metric: Metric| {
            let base = base(items, item, sendfile)?;
            let ratio = facts.ratio(item.index, base.index, metric)?;
            let limited = [item, &base].into_iter().any(|one| is_not_the_servers(facts, one));
            let factor = Quantity::scaled(&ratio, 1.0, "x");
            Some(if limited && metric == Metric::Server { factor.remarked(NOT_THE_SERVER) } else { factor })
        };
        let mut cells = vec![Cell::text(labels.name(item))];
        cells.extend(
            [Metric::Client, Metric::Server].map(|metric| Cell::of(per_gigabyte(facts, item, metric))),
        );
        if of(true) {
            cells.push(Cell::maybe(factor(true, Metric::Client)));
        }
        cells.extend(bases.iter().map(|(sendfile, _)| Cell::maybe(factor(*sendfile, Metric::Server))));
        Row::plain(cells)
    };
    Table {
        caption: format!(
            "{server} as the server: CPU seconds for a gigabyte, and as a multiple of plain HTTP"
        ),
        columns,
        rows: items.iter().map(row).collect(),
    }
}

fn is_not_the_servers(facts: &Facts<'_>, item: &Found<'_>) -> bool {
    bound(facts, item).is_some_and(|bound| bound.is_not_the_server())
}

/// The plain transfer that another is a multiple of; none for itself.
fn base<'a>(items: &[Found<'a>], item: &Found<'_>, sendfile: bool) -> Option<Found<'a>> {
    plain(items, item, sendfile).filter(|base| base.index != item.index)
}

/// Nanoseconds per byte of body, which is the same as seconds per gigabyte.
fn per_byte(facts: &Facts<'_>, item: &Found<'_>, metric: Metric) -> Result<Estimate, String> {
    let body = f64::from(item.work.body);
    let cost = facts.cost(item.index, metric)?;
    Ok(Estimate { value: cost.value / body, low: cost.low / body, high: cost.high / body, ..cost })
}

fn per_gigabyte(facts: &Facts<'_>, item: &Found<'_>, metric: Metric) -> Result<Quantity, String> {
    per_byte(facts, item, metric).map(|cost| Quantity::scaled(&cost, 1.0, "s/GB"))
}

fn chart(facts: &Facts<'_>, items: &[Found<'_>], labels: &Labels<Load>, server_id: &str) -> Chart {
    type Speed = fn(&Facts<'_>, &Found<'_>) -> Result<Quantity, String>;
    let all: [(&str, Speed); 4] = [
        ("transfer", |facts, item| speed(facts, item, Metric::Wall)),
        ("client, user", |facts, item| in_user_space(facts, item, Metric::Client, client)),
        ("client, all", |facts, item| speed(facts, item, Metric::Client)),
        ("server, all", |facts, item| speed(facts, item, Metric::Server)),
    ];
    let series = all.into_iter().map(|(name, speed)| Series {
        name: name.to_owned(),
        points: items.iter().map(|item| Cell::of(speed(facts, item))).collect(),
    });
    Chart {
        title: format!(
            "{server_id} as the server: speed of the transfer, and CPU speed of each side in user space and in all"
        ),
        unit: "MiB/s",
        log: true,
        labels: items.iter().map(|item| labels.name(item)).collect(),
        series: series.collect(),
    }
}
