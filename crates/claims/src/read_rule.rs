//! The rule of a check, read from its table.

use crate::check::Rule;
use crate::error::Problem;
use crate::expression::Expression;
use crate::table::{Table, Value};
use crate::witness::Verb;

/// The rules by their names in a claims file.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Name {
    Ratio,
    Line,
    Rate,
    Memory,
    Wire,
    RoundTrips,
    FalseStart,
    Other(Verb),
    Never,
}

pub(crate) const NAMES: [Name; 10] = [
    Name::Ratio,
    Name::Line,
    Name::Rate,
    Name::Memory,
    Name::Wire,
    Name::RoundTrips,
    Name::FalseStart,
    Name::Other(Verb::Observe),
    Name::Other(Verb::Plan),
    Name::Never,
];

impl Name {
    pub const fn word(self) -> &'static str {
        match self {
            Self::Ratio => "ratio",
            Self::Line => "line",
            Self::Rate => "rate",
            Self::Memory => "memory",
            Self::Wire => "wire",
            Self::RoundTrips => "round-trips",
            Self::FalseStart => "false-start",
            Self::Other(verb) => verb.name(),
            Self::Never => "not-measurable",
        }
    }
}

/// The fastest line that a claim can be about, in Gbit/s.
const FASTEST: f64 = 100_000.0;

/// Names of cases, and where they stand.
pub(crate) type Named<'a> = (Vec<String>, Value<'a>);

/// A rule with the names of the cases that it is about, and where they stand.
pub(crate) fn rule<'a>(name: Name, table: &Table<'a>) -> Result<(Rule, Option<Named<'a>>), Problem> {
    let of_case = |rule: Rule| {
        let case = table.need("case")?;
        Ok((rule, Some((vec![case.text()?.to_owned()], case))))
    };
    match name {
        Name::Ratio => {
            let value = table.need("value")?;
            let (expression, names) = ratio(&value)?;
            let per_byte =
                table.get("per").map(|per| per.member("measure", &["byte"], |word| word)).transpose()?;
            Ok((Rule::Ratio { value: expression, per_byte: per_byte.is_some() }, Some((names, value))))
        }
        Name::Line => {
            let value = table.need("gigabits")?;
            match value.number()? {
                gigabits if gigabits <= FASTEST => of_case(Rule::Line { gigabits }),
                _ => Err(value.problem(format!("no line is so fast: at most {FASTEST} Gbit/s"))),
            }
        }
        Name::Rate => of_case(Rule::Rate),
        Name::Memory => of_case(Rule::Memory),
        Name::Wire => of_case(Rule::Wire),
        Name::RoundTrips => of_case(Rule::RoundTrips),
        Name::FalseStart => of_case(Rule::FalseStart),
        Name::Other(verb) => {
            let ask = table.need("ask")?.text()?.to_owned();
            Ok((Rule::Other { verb, ask }, None))
        }
        Name::Never => {
            let why = table.need("why")?.text()?.to_owned();
            Ok((Rule::Never { why }, None))
        }
    }
}

/// An expression of costs that comes to a ratio.
fn ratio(value: &Value<'_>) -> Result<(Expression, Vec<String>), Problem> {
    let (expression, names) = Expression::parse(value.text()?).map_err(|what| value.problem(what))?;
    match expression.power().map_err(|what| value.problem(what))? {
        0 if expression.divisor().is_some() => Ok((expression, names)),
        0 => Err(value.problem("the value names no case that is divided by: a ratio is 'off / on'")),
        _ => Err(value.problem("the value is no ratio: divide a cost by a cost, as in 'off / on'")),
    }
}
