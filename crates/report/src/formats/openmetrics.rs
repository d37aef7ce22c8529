//! OpenMetrics text: a gauge for each cost and for the ends of its interval, and each hole with its reason.
//!
//! Source: OpenMetrics 1.0, <https://prometheus.io/docs/specs/om/open_metrics_spec/>: base units at the end of a family's name, TYPE,
//! UNIT and HELP before its samples, all samples of a family together, `# EOF` at the end. There are no timestamps: whoever keeps
//! the text says when it was.

use serde_json::Value;

use super::measured::{Measured, measured};
use super::style::Style;
use crate::model::{Figure, View};
use crate::printable::Printable;

/// What has one unit: how its families are called, and what shows a number of it in base units.
struct Kind {
    /// The unit as figures have it.
    of: &'static str,
    name: &'static str,
    unit: &'static str,
    help: &'static str,
    shown: fn(f64) -> String,
}

const KINDS: [Kind; 4] = [
    Kind {
        of: "ns/iteration",
        name: "tlstax_cost",
        unit: "seconds",
        help: "CPU time, or of the metric wall elapsed time, of one iteration on the undisturbed machine",
        shown: seconds,
    },
    Kind {
        of: "instructions/iteration",
        name: "tlstax_cost",
        unit: "instructions",
        help: "Instructions of one iteration",
        shown: plain,
    },
    Kind {
        of: "bytes/connection",
        name: "tlstax_memory",
        unit: "bytes",
        help: "Memory of one idle connection",
        shown: plain,
    },
    Kind {
        of: "new/old",
        name: "tlstax_change",
        unit: "ratio",
        help: "Cost of the newer run as a multiple of the older",
        shown: plain,
    },
];

/// The value, and the ends of the interval in families of their own: a sum over all would mean nothing.
type Part = (&'static str, &'static str, fn(&Measured<'_>) -> f64);

const PARTS: [Part; 3] = [
    ("", "", |found| found.value),
    ("_low", ", the lower end of the interval", |found| found.low),
    ("_high", ", the upper end of the interval", |found| found.high),
];

pub(super) fn render(view: &View, _: &Style) -> Printable {
    let found = measured(view);
    let mut out = run(view);
    for kind in &KINDS {
        let of_kind: Vec<&Measured<'_>> = found.iter().filter(|found| found.figure.unit == kind.of).collect();
        if !of_kind.is_empty() {
            PARTS.iter().for_each(|part| out += &family(kind, part, &of_kind));
        }
    }
    out += &holes(view);
    out += "# EOF\n";
    // Labels are spelt already, and nothing else is foreign.
    Printable::from(out)
}

fn run(view: &View) -> String {
    let began = view.figures.first().map_or("", |figure| figure.run.as_str());
    let labels = [label("run", began), label("about", &view.about)].join(",");
    format!("# TYPE tlstax_run info\n# HELP tlstax_run The run.\ntlstax_run_info{{{labels}}} 1\n")
}

fn family(kind: &Kind, (end, words, number): &Part, found: &[&Measured<'_>]) -> String {
    let Kind { name, unit, help, shown, .. } = kind;
    let name = format!("{name}{end}_{unit}");
    let mut out = format!("# TYPE {name} gauge\n# UNIT {name} {unit}\n# HELP {name} {help}{words}.\n");
    for one in found {
        out += &format!("{name}{{{}}} {}\n", labels(one.figure).join(","), shown(number(one)));
    }
    out
}

fn holes(view: &View) -> String {
    let holes: Vec<&Figure> = view.figures.iter().filter(|figure| !figure.hole.is_empty()).collect();
    if holes.is_empty() {
        return String::new();
    }
    let mut out = "# TYPE tlstax_hole info\n# HELP tlstax_hole Why a case has no figure.\n".to_owned();
    let mut seen = std::collections::HashSet::new();
    for figure in holes.into_iter().filter(|figure| seen.insert((&figure.id, figure.metric))) {
        let mut labels = labels(figure);
        labels.push(label("reason", &figure.hole));
        out += &format!("tlstax_hole_info{{{}}} 1\n", labels.join(","));
    }
    out
}

/// The id, the fields of the case under the names that documents have for them, and the metric. What is empty is absent.
fn labels(figure: &Figure) -> Vec<String> {
    let case = serde_json::to_value(&figure.case).expect("a case has string keys");
    let fields = case.as_object().into_iter().flatten().filter_map(|(name, value)| match value {
        Value::Null => None,
        Value::String(text) => Some((name.as_str(), text.clone())),
        other => Some((name.as_str(), other.to_string())),
    });
    let named = [("id", figure.id.clone())].into_iter().chain(fields);
    let all = named.chain([("metric", figure.metric.to_owned())]);
    all.filter(|(_, text)| !text.is_empty()).map(|(name, text)| label(name, &text)).collect()
}

/// A label, whose value may be any text: what a terminal would obey is spelt, then what the format would take for its own is escaped.
fn label(name: &str, text: &str) -> String {
    let text = Printable::block(text).replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("{name}=\"{text}\"")
}

/// Nanoseconds in seconds: the same digits with another exponent, so that nothing is rounded.
fn seconds(ns: f64) -> String {
    let text = format!("{ns:e}");
    // The form has an exponent, which is a whole number.
    let shifted = text.split_once('e').and_then(|(digits, power)| Some((digits, power.parse::<i32>().ok()?)));
    shifted.map_or(text.clone(), |(digits, power)| format!("{digits}e{}", power - 9))
}

fn plain(number: f64) -> String {
    number.to_string()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The text of a label, read as the standard says; none where it is not one label.
    fn read(label: &str) -> Option<String> {
        let inner = label.strip_prefix("x=\"")?.strip_suffix('"')?;
        let mut letters = inner.chars();
        let mut out = String::new();
        while let Some(letter) = letters.next() {
            out.push(match letter {
                '"' | '\n' => return None,
                '\\' => match letters.next()? {
                    'n' => '\n',
                    it @ ('"' | '\\') => it,
                    _ => return None,
                },
                letter => letter,
            });
        }
        Some(out)
    }

    proptest! {
        #[test]
        fn a_label_is_one_label_and_says_what_it_said(text in any::<String>()) {
            let label = label("x", &text);
            prop_assert_eq!(read(&label), Some(Printable::block(&text).to_string()));
        }

        #[test]
        fn a_label_of_marks_is_one_label(text in "[\"\\\\\n{},=# ]{0,20}") {
            prop_assert_eq!(read(&label("x", &text)), Some(text));
        }

        #[test]
        fn seconds_are_the_same_digits(ns in 0.0..1e15_f64) {
            let read: f64 = seconds(ns).parse().unwrap();
            prop_assert!((read * 1e9 - ns).abs() <= ns * 1e-15);
        }
    }

    #[test]
    fn no_digit_is_lost_in_seconds() {
        assert_eq!([132.5, 0.0, 4e9, 1234.0].map(seconds), ["1.325e-7", "0e-9", "4e0", "1.234e-6"]);
    }
}
