//! [`Document`]: the results of one run, as a check asks them.

use std::collections::HashMap;

use tlstax_doc::{Metric, Outcome, Results, Summaries};
use tlstax_spec::{Case, Handshake, Switch, Workload};
use tlstax_stats::median_interval;

use crate::check::{Candidate, Check, Rule, Term};
use crate::expression::Expression;
use crate::ratio::{Cost, value};
use crate::span::Span;
use crate::verdict::Verdict;

pub(crate) struct Document<'a> {
    pub results: &'a Results,
    summaries: Summaries<'a>,
    places: HashMap<&'a Case, usize>,
}

/// Why a check has no figure.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Hole {
    /// Nobody has tried, or not for long enough.
    Unmeasured(String),
    /// It was tried, or cannot be.
    Unmeasurable(String),
}

impl Hole {
    pub const fn verdict(&self) -> Verdict {
        match self {
            Self::Unmeasured(_) => Verdict::NotMeasured,
            Self::Unmeasurable(_) => Verdict::NotMeasurable,
        }
    }
}

/// The confidence of intervals of what is not timed.
const CONFIDENCE: f64 = 0.95;

impl<'a> Document<'a> {
    pub fn of(results: &'a Results) -> Self {
        let places = results.measurements.iter().enumerate();
        // Of a case that stands there twice the first counts, as in the report.
        let places = places.rev().map(|(place, measurement)| (&measurement.case, place)).collect();
        Self { results, summaries: Summaries::of(results), places }
    }

    /// What the CPU calls itself.
    pub fn machine(&self) -> String {
        self.results.host.cpu.name.clone().unwrap_or_else(|| "an unnamed CPU".to_owned())
    }

    pub fn is_of_one_machine_with(&self, other: &Self) -> bool {
        let (one, other) = (&self.results.host, &other.results.host);
        one.cpu == other.cpu && one.topology == other.topology && one.architecture == other.architecture
    }

    pub fn has(&self, case: &Case) -> bool {
        self.places.contains_key(case)
    }

    /// Whether the results have batches of a case that can be judged.
    pub fn is_measured(&self, case: &Case) -> bool {
        matches!(self.outcome(case), Some(Outcome::Measured { .. })) && !self.is_counted()
    }

    /// Whether the library has no such thing, so that measuring it again would bring nothing.
    pub fn is_unsupported(&self, case: &Case) -> bool {
        matches!(self.outcome(case), Some(Outcome::Unsupported { .. }))
    }

    fn outcome(&self, case: &Case) -> Option<&Outcome> {
        self.places.get(case).map(|place| &self.results.measurements[*place].outcome)
    }

    fn is_counted(&self) -> bool {
        self.results.counted.is_some()
    }

    /// The figure of the first candidate that has one.
    pub fn figure<'c>(&self, check: &'c Check) -> Result<(Span, &'c Candidate), Hole> {
        if let Some(lacks) = check.needs.iter().find(|switch| self.lacks(**switch)) {
            return Err(Hole::Unmeasurable(format!("this CPU lacks {lacks}")));
        }
        let mut holes = Vec::new();
        for candidate in &check.candidates {
            match self.figure_of(&check.rule, candidate) {
                Ok(span) => return Ok((span, candidate)),
                Err(hole) => holes.push(hole),
            }
        }
        // What came of the one that was tried says more than that others were not.
        let tried = holes.iter().position(|hole| matches!(hole, Hole::Unmeasurable(_))).unwrap_or(0);
        let nobody = || Hole::Unmeasured("nobody can be asked".to_owned());
        Err(holes.into_iter().nth(tried).unwrap_or_else(nobody))
    }

    fn figure_of(&self, rule: &Rule, Candidate { terms, .. }: &Candidate) -> Result<Span, Hole> {
        if self.is_counted() {
            return Err(Hole::Unmeasured(
                "these results count instructions, and claims are about time".to_owned(),
            ));
        }
        let places = terms.iter().map(|term| self.place(term)).collect::<Result<Vec<_>, _>>()?;
        match (rule, places.as_slice(), terms.as_slice()) {
            (Rule::Ratio { value, per_byte }, ..) => self.ratio(value, *per_byte, terms, &places),
            (Rule::Line { gigabits }, &[place], [term]) => {
                let bytes = term.bytes().unwrap_or(f64::NAN);
                // Nanoseconds of a byte by bytes of a second, of 8 bits each.
                self.cost(place, term.metric).map(|cost| cost.times(gigabits / 8.0 / bytes))
            }
            (Rule::Rate, &[place], [term]) => {
                let each = term.bytes().map_or(1e9, |bytes| bytes * 1e3);
                self.cost(place, term.metric).map(|cost| cost.inverse().times(each))
            }
            (Rule::Memory, &[place], _) => self.memory(place),
            (Rule::Wire, &[place], [term]) => self.wire(place, term),
            (Rule::RoundTrips, &[place], _) => self.round_trips(place, |_, counted| Some(counted)),
            (Rule::FalseStart, &[place], _) => {
                self.round_trips(place, Handshake::round_trips_with_false_start)
            }
            _ => unreachable!("the reader gives such a rule one case, and others are not asked of documents"),
        }
    }

    /// Where a case stands among the measurements, if it was measured.
    fn place(&self, term: &Term) -> Result<usize, Hole> {
        let case = &term.case;
        let place = self.places.get(case).copied();
        let place =
            place.ok_or_else(|| Hole::Unmeasured(format!("the results have no case {}", case.id())))?;
        let library = self.results.library(&case.library);
        if let Some(lacks) = library.and_then(|library| library.without.iter().find(|one| self.lacks(**one)))
        {
            return Err(Hole::Unmeasurable(format!(
                "this CPU lacks {lacks}, so doing without it changes nothing"
            )));
        }
        let measurement = &self.results.measurements[place];
        match (&measurement.outcome, measurement.outcome.hole()) {
            (_, None) => Ok(place),
            (Outcome::Skipped { why }, _) if library.is_some_and(|library| library.unavailable.is_none()) => {
                Err(Hole::Unmeasured(format!("{}: {why}", measurement.id)))
            }
            (_, Some(hole)) => Err(Hole::Unmeasurable(format!("{}: {hole}", measurement.id))),
        }
    }

    /// Whether the CPU says what it has, and this is not in it.
    fn lacks(&self, switch: Switch) -> bool {
        let features = &self.results.host.features;
        let known = FEATURES.iter().find(|(name, _)| *name == switch.name());
        let has_none = |names: &[&str]| !features.iter().any(|feature| names.contains(&feature.as_str()));
        !features.is_empty() && known.is_some_and(|(_, names)| has_none(names))
    }

    fn ratio(
        &self,
        expression: &Expression,
        per_byte: bool,
        terms: &[Term],
        places: &[usize],
    ) -> Result<Span, Hole> {
        let cost = |(term, place): (&Term, &usize)| {
            let observed = self.summaries.observed(*place, term.metric)?;
            Some(Cost { observed, per: if per_byte { term.bytes().unwrap_or(f64::NAN) } else { 1.0 } })
        };
        let costs: Option<Vec<Cost<'_>>> = terms.iter().zip(places).map(cost).collect();
        costs.and_then(|costs| value(expression, &costs)).ok_or_else(|| self.too_few(places[0]))
    }

    fn cost(&self, place: usize, metric: Metric) -> Result<Span, Hole> {
        let found = self.summaries.estimate(place, metric);
        found.map(Span::from).ok_or_else(|| self.too_few(place))
    }

    fn too_few(&self, place: usize) -> Hole {
        let id = &self.results.measurements[place].id;
        Hole::Unmeasured(format!("{id}: too few rounds for an interval; give the run a larger --budget"))
    }

    fn memory(&self, place: usize) -> Result<Span, Hole> {
        let batches = self.results.measurements[place].batches().iter();
        let each: Vec<f64> = batches
            .filter(|batch| batch.sample.iterations > 0)
            .map(|batch| batch.sample.bytes.0 as f64 / batch.sample.iterations as f64)
            .collect();
        let found = median_interval(&each, CONFIDENCE).ok_or_else(|| self.too_few(place))?;
        Ok(Span { value: found.value, low: found.low, high: found.high })
    }

    fn wire(&self, place: usize, term: &Term) -> Result<Span, Hole> {
        let measurement = &self.results.measurements[place];
        let payload = term.bytes().unwrap_or(f64::NAN);
        let counted = measurement.proof().map(|proof| (proof.client_bytes + proof.server_bytes) as f64);
        let counted = counted.filter(|bytes| *bytes >= payload);
        let uncounted =
            || Hole::Unmeasurable(format!("{}: its bytes on the wire were not counted", measurement.id));
        counted.map(|bytes| Span::exact((bytes / payload - 1.0) * 100.0)).ok_or_else(uncounted)
    }

    /// What follows from the round trips that were counted.
    fn round_trips(&self, place: usize, of: impl Fn(&Handshake, u32) -> Option<u32>) -> Result<Span, Hole> {
        let measurement = &self.results.measurements[place];
        let trips = match (&measurement.case.workload, measurement.proof()) {
            (Workload::Handshake(handshake), Some(proof)) => {
                proof.round_trips.and_then(|counted| of(handshake, counted))
            }
            _ => None,
        };
        let uncounted =
            || Hole::Unmeasurable(format!("{}: its round trips were not counted", measurement.id));
        trips.map(|trips| Span::exact(f64::from(trips))).ok_or_else(uncounted)
    }
}

/// The extensions that a switch is about, by the kernel's names on each architecture; one of them is enough.
const FEATURES: [(&str, &[&str]); 6] = [
    ("aes", &["aes"]),
    ("clmul", &["pclmulqdq", "pmull"]),
    ("vaes", &["vaes"]),
    ("avx2", &["avx2"]),
    ("avx512", &["avx512f"]),
    ("sha", &["sha_ni", "sha2"]),
];
