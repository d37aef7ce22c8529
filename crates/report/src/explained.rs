//! What changes of the traffic explain of a rise of CPU time, as a view.

use tlstax_doc::model::{Bounds, Model};
use tlstax_doc::plan::{Explained, Explanation, Risen};
use tlstax_doc::{Note, Severity};

use crate::model::{Block, Cell, Column, Quantity, Role, Row, Section, Table, View};
use crate::notes::{doubts, note};
use crate::number::three_digits;

/// What changes of the traffic explain, by a model; `assumed` is what had to be assumed of the traffic, a sentence each, and `before` what
/// has to be known first.
pub fn explanation_view(found: &Explanation, model: &Model, assumed: &[String], before: &[Note]) -> View {
    let unit = Unit::of(found);
    let notes = notes(found, assumed);
    let section = Section::new("explained", "What explains the rise", INTRO)
        .with([table(found, unit)])
        .with((!notes.is_empty()).then_some(Block::Notes { notes }))
        .saying(said(found, unit));
    let sections = doubts(before).into_iter().chain([section]).collect();
    View::of_sections("What changes of the traffic explain", about(model), sections)
}

const INTRO: &str = "\
    One change after the other turns the traffic before into that after. What a change explains is the mean over all orders; beside it \
    stands what the orders make of it. Intervals are those of the model's costs.";

/// Whose costs these are, in one line.
pub(crate) fn about(model: &Model) -> String {
    let server = model.server_version.as_deref().unwrap_or(model.server.as_str());
    let machine = model.host.cpu.name.as_deref().unwrap_or("a machine that does not tell its name");
    format!("{server} on {machine}, calibrated {}", model.measured)
}

/// What CPU time is shown in: percent of a core, or cores where there is one or more.
#[derive(Clone, Copy)]
struct Unit {
    name: &'static str,
    factor: f64,
}

impl Unit {
    fn of(found: &Explanation) -> Self {
        let rise = found.rise.map_or(0.0, |rise| rise.cores.abs());
        match found.before.value.max(found.after.value).max(rise) < 1.0 {
            true => Self { name: "% of a core", factor: 100.0 },
            false => Self { name: "cores", factor: 1.0 },
        }
    }

    fn quantity(self, Bounds { value, low, high }: Bounds) -> Quantity {
        Quantity::between(value * self.factor, low * self.factor, high * self.factor, self.name)
    }

    fn exact(self, value: f64) -> Quantity {
        Quantity::exact(value * self.factor, self.name)
    }

    fn shown(self, value: f64) -> String {
        format!("{} {}", three_digits(value * self.factor), self.name)
    }
}

fn table(found: &Explanation, unit: Unit) -> Table {
    let mut columns = vec![
        Column::label("change"),
        Column::words("before"),
        Column::words("after"),
        Column::quantity("explains", unit.name),
        Column::quantity("of the CPU before", "%"),
    ];
    if found.rise.is_some() {
        columns.push(Column::plain("of the rise", "%"));
    }
    columns.push(Column::words("by the order of changes").ranked(1));
    let mut rows: Vec<Row> = found.parts.iter().map(|part| row(part, found, unit)).collect();
    rows.extend(sums(found, unit));
    Table { caption: "CPU time of the server that each change explains".to_owned(), columns, rows }
}

fn row(part: &Explained, found: &Explanation, unit: Unit) -> Row {
    let Bounds { value, low, high } = part.of_before;
    let mut cells = vec![
        Cell::text(part.what.as_str()),
        Cell::text(part.before.as_str()),
        Cell::text(part.after.as_str()),
        unit.quantity(part.cores).into(),
        Quantity::between(value * 100.0, low * 100.0, high * 100.0, "%").into(),
    ];
    cells.extend(found.rise.map(|rise| of_rise(part.cores.value, rise)));
    let [least, most] = [part.least, part.most].map(|end| three_digits(end * unit.factor));
    cells.push(Cell::text(if least == most { least } else { format!("{least} to {most}") }));
    Row::plain(cells)
}

/// All changes together, and beside a rise that was measured what is left of it.
fn sums(found: &Explanation, unit: Unit) -> Vec<Row> {
    let before = found.before.value;
    let sum = |name: &str, cores: Quantity, value: f64| {
        let mut cells = vec![Cell::text(name), Cell::Empty, Cell::Empty, cores.into()];
        cells.push(Quantity::exact(value / before * 100.0, "%").into());
        cells.extend(found.rise.map(|rise| of_rise(value, rise)));
        cells.push(Cell::Empty);
        Row { role: Role::Ratio, cells }
    };
    let mut rows = vec![sum("all changes", unit.quantity(found.explained), found.explained.value)];
    if let Some(rise) = found.rise {
        rows.push(sum("left", unit.quantity(rise.left), rise.left.value));
        rows.push(sum("the rise", unit.exact(rise.cores), rise.cores));
    }
    rows
}

fn of_rise(cores: f64, rise: Risen) -> Cell {
    let is_rise = rise.cores > 0.0;
    is_rise.then(|| Quantity::exact(cores / rise.cores * 100.0, "%")).into()
}

fn said(found: &Explanation, unit: Unit) -> Vec<String> {
    let [before, after] = [found.before, found.after].map(|cost| unit.shown(cost.value));
    let mut said =
        vec![format!("By the model the traffic costs the server {before} before and {after} after.")];
    if found.parts.is_empty() {
        said.push(
            "The two workloads do not differ in anything that the model has a cost of: nothing is explained."
                .to_owned(),
        );
    }
    let Some(rise) = found.rise else { return said };
    if rise.cores > 0.0 {
        said.extend(found.parts.iter().map(|part| of_part(part, rise)));
    }
    said.push(left(rise, unit));
    if let Some(measured) = rise.before {
        said.push(format!(
            "Of the {} that were measured before, the model finds {} % in this traffic; if the measurement is of another machine, give \
             the rise as a factor.",
            unit.shown(measured),
            three_digits(found.before.value / measured * 100.0)
        ));
    }
    said
}

fn of_part(part: &Explained, rise: Risen) -> String {
    let most = part.most.max(part.cores.high);
    let percent = |cores: f64| three_digits(cores / rise.cores * 100.0);
    match most > 0.0 {
        true => format!(
            "{} explains {} % of the rise, and {} % at most, whichever change is made first.",
            part.what,
            percent(part.cores.value),
            percent(most)
        ),
        false => format!("{} explains nothing of the rise: the change saves CPU time.", part.what),
    }
}

fn left(rise: Risen, unit: Unit) -> String {
    let (left, all) = (unit.shown(rise.left.value), unit.shown(rise.cores));
    match rise.left.low > 0.0 {
        true => format!("Of the rise by {all}, {left} are left, which no change of this traffic explains."),
        false if rise.left.high < 0.0 => {
            format!("The changes explain more than the rise by {all}: {left} are left.")
        }
        false => {
            format!("The changes explain the rise by {all}, as far as the model can tell: {left} are left.")
        }
    }
}

fn notes(found: &Explanation, assumed: &[String]) -> Vec<Note> {
    let missing = found.missing.iter().map(|what| {
        note(Severity::Warning, what.clone(), "calibrate with loads that have it: tlstax calibrate --help")
    });
    let assumed = assumed.iter().map(|what| note(Severity::Info, what.clone(), ""));
    missing.chain(assumed).collect()
}
