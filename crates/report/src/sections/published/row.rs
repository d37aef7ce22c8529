//! A row of published figures: an operation, or a transfer.

use std::str::FromStr;

use csv::StringRecord;
use tlstax_spec::{Direction, Suite};

use super::figures::{Line, Transfer};

/// What stands in place of a suite where there was no TLS.
const PLAIN: &str = "(plain HTTP)";

const UNITS: &[&str] = &["MB/s", "op/s"];

/// What is wrong in a row, and what would help.
pub(super) type Wrong = (String, String);

/// A row with the names of its cells.
pub(super) struct Row<'a> {
    pub headers: &'a StringRecord,
    pub record: &'a StringRecord,
}

impl Row<'_> {
    pub fn cell(&self, column: &str) -> &str {
        let place = self.headers.iter().position(|header| header == column);
        place.and_then(|place| self.record.get(place)).unwrap_or_default().trim()
    }

    fn text(&self, column: &str) -> Result<String, Wrong> {
        match self.cell(column) {
            "" => Err((format!("{column} is empty"), "fill it in, or leave the row out".to_owned())),
            text => Ok(text.to_owned()),
        }
    }

    /// A number above 0.
    fn figure(&self, column: &str) -> Result<f64, Wrong> {
        let text = self.text(column)?;
        let figure = f64::from_str(&text).ok().filter(|figure| figure.is_finite() && *figure > 0.0);
        let remedy = "write a number above 0, with a point and without a unit";
        figure.ok_or_else(|| (format!("{column} is '{}'", begun(&text)), remedy.to_owned()))
    }
}

/// The beginning of a cell, in which there may be anything.
fn begun(text: &str) -> String {
    let mut shown: String = text.chars().take(CELL).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}

/// So many characters of a cell are told.
const CELL: usize = 60;

pub(super) fn operation(row: &Row<'_>) -> Result<Line, Wrong> {
    let unit = row.text("unit")?;
    if !UNITS.contains(&unit.as_str()) {
        let remedy = "write MB/s (10^6 bytes in a second) or op/s, and the value in it";
        return Err((format!("the unit '{}' is not known here", begun(&unit)), remedy.to_owned()));
    }
    let bytes = row.cell("bytes");
    let bytes = match bytes {
        "" => None,
        text => Some(text.parse().map_err(|_| {
            (format!("bytes is '{}'", begun(text)), "write a whole number of bytes, or nothing".to_owned())
        })?),
    };
    Ok(Line {
        machine: row.text("machine")?,
        software: row.text("software")?,
        algorithm: row.text("algorithm")?,
        operation: row.text("operation")?,
        bytes,
        value: row.figure("value")?,
        unit,
    })
}

/// A transfer, and what is wrong with one of its two figures while the other is good.
pub(super) fn transfer(
    row: &Row<'_>,
    suite: &dyn Fn(&str) -> Option<Suite>,
) -> Result<(Transfer, Vec<Wrong>), Wrong> {
    let name = row.text("suite")?;
    let suite = match name.as_str() {
        PLAIN => None,
        name => Some(suite(name).ok_or_else(|| {
            let remedy = format!("write a name that tlstax suites knows, or {PLAIN}");
            (format!("the suite '{}' is not known here", begun(name)), remedy)
        })?),
    };
    let direction = row.text("direction")?;
    let direction = Direction::from_str(&direction).map_err(|_| {
        (format!("the direction is '{}'", begun(&direction)), "write download or upload".to_owned())
    })?;
    let (speed, client_speed) = (row.figure("transfer_mb_s"), row.figure("client_cpu_mb_s"));
    let transfer = Transfer {
        machine: row.text("machine")?,
        name,
        suite,
        client: row.text("client")?,
        direction,
        speed: speed.as_ref().ok().copied(),
        client_speed: client_speed.as_ref().ok().copied(),
    };
    Ok((transfer, [speed, client_speed].into_iter().filter_map(Result::err).collect()))
}
