//! How the values of flags are read: names of our vocabularies, numbers and sizes within limits, times and percentages.

use std::ffi::OsStr;
use std::sync::Arc;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Command};
use tlstax_names::{Aliased, Written, lookup};
use tlstax_run::BUDGET_S;
use tlstax_spec::{Limit, Switch};
use tlstax_stats::Percent;

type Read<T> = dyn Fn(&str) -> Result<T, String> + Send + Sync;

/// Reads a value; shells complete the choices, if there are any.
#[derive(Clone)]
pub struct Choice<T> {
    read: Arc<Read<T>>,
    choices: Vec<&'static str>,
}

impl<T> Choice<T> {
    pub fn new(
        choices: Vec<&'static str>,
        read: impl Fn(&str) -> Result<T, String> + Send + Sync + 'static,
    ) -> Self {
        Self { read: Arc::new(read), choices }
    }
}

impl<T: Clone + Send + Sync + 'static> TypedValueParser for Choice<T> {
    type Value = T;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, value: &OsStr) -> Result<T, clap::Error> {
        let read = self.read.clone();
        (move |text: &str| read(text)).parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let values = self.choices.iter().map(|choice| PossibleValue::new(*choice));
        if self.choices.is_empty() { None } else { Some(Box::new(values)) }
    }
}

/// Reads names of a vocabulary, aliases included.
pub fn names<T: Aliased + Send + Sync>() -> Choice<T> {
    let choices = T::MEMBERS.iter().map(|member| member.canonical_name()).collect();
    Choice::new(choices, |text| lookup(text).map_err(|error| error.to_string()))
}

/// Reads whole numbers within a limit.
pub fn number(limit: Limit) -> impl Fn(&str) -> Result<u64, String> + Clone {
    move |text| u64::parse(text, Some(limit))
}

/// Features of the CPU that are switched off together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Switches(pub Vec<Switch>);

/// Reads features with commas between them.
pub fn switches(text: &str) -> Result<Switches, String> {
    let names: Result<Vec<Switch>, _> = text.split(',').map(lookup).collect();
    names.map(Switches).map_err(|error| error.to_string())
}

/// Reads 90, 90s, 2m, 1m30s or 1h as the seconds of a budget.
pub fn budget(text: &str) -> Result<f64, String> {
    let seconds = text.parse::<f64>().ok().or_else(|| {
        let span: jiff::SignedDuration = text.parse().ok()?;
        Some(span.as_secs_f64())
    });
    let seconds = seconds.ok_or_else(|| format!("'{text}' is no time: write 90s, 2m or 1m30s"))?;
    match BUDGET_S.contains(&seconds) {
        true => Ok(seconds),
        false => Err(format!("{text} is out of range: a budget must be from 1s to 24h")),
    }
}

/// Reads a precision in percent.
pub fn precision(text: &str) -> Result<Percent, String> {
    let percent = text.strip_suffix('%').unwrap_or(text).trim();
    let percent: f64 = percent.parse().map_err(|_| format!("'{text}' is no percentage: write 0.5"))?;
    match percent > 0.0 && percent <= 100.0 {
        true => Ok(Percent(percent)),
        false => Err(format!("{text} is out of range: a precision must be above 0 and at most 100 percent")),
    }
}

/// Reads a change in percent.
pub fn percent(text: &str) -> Result<Percent, String> {
    let sensible = |percent: &f64| (0.0..=1000.0).contains(percent);
    let number = text.parse().ok().filter(sensible);
    number.map(Percent).ok_or_else(|| format!("'{text}' is no percentage from 0 to 1000"))
}
