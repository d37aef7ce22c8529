//! The checks of a claim, read from its tables.

use tlstax_doc::Metric;
use tlstax_names::lookup;
use tlstax_spec::{Algorithm, Id, Switch, Workload};

use crate::case::Template;
use crate::check::{Candidate, Check, Claimed, Rule, Term};
use crate::claim::Kind;
use crate::error::Problem;
use crate::read_rule::{NAMES, Name, rule};
use crate::size::with_value;
use crate::table::{Table, Value};
use crate::unit::Unit;
use crate::variant::{Variant, quick_form, variants};

/// What the checks of a claim can name, and whom they are asked of.
pub(crate) struct Cases {
    pub libraries: Vec<Id>,
    pub templates: Vec<Template>,
}

/// Every check of a claim; one with `each` is as many.
pub(crate) fn checks(value: &Value<'_>, cases: &Cases, kind: Kind) -> Result<Vec<Check>, Problem> {
    let mut checks = Vec::new();
    for block in value.list()? {
        let table = block.table("a check")?;
        let draft = Draft::read(&table, cases, kind)?;
        let (each, any, quick) = (table.get("each"), table.get("any"), table.get("quick"));
        table.finish()?;
        let all = variants("each", each.as_ref(), &draft.templates)?;
        let quick = quick_form(quick.as_ref(), &all, &draft.templates)?;
        for variant in &all {
            let is_quick = quick.contains(&variant.of);
            checks.push(Check { is_quick, ..draft.check(variant, any.as_ref(), &cases.libraries)? });
        }
    }
    Ok(checks)
}

/// A check whose cases are not yet asked of anybody.
struct Draft<'a> {
    block: &'a Table<'a>,
    words: String,
    name: Name,
    rule: Rule,
    unit: Unit,
    claimed: Option<Claimed>,
    aside: bool,
    needs: Vec<Switch>,
    templates: Vec<Template>,
}

impl<'a> Draft<'a> {
    fn read(table: &'a Table<'a>, cases: &Cases, kind: Kind) -> Result<Self, Problem> {
        let words = table.need("words")?.text()?.to_owned();
        let name = table.need("rule")?.member("rule", &NAMES, Name::word)?;
        let (rule, named) = rule(name, table)?;
        let templates = match named {
            None => Vec::new(),
            Some((names, at)) => names.iter().map(|name| cases.find(name, &at)).collect::<Result<_, _>>()?,
        };
        let draft = Self {
            block: table,
            words,
            name,
            rule,
            unit: Unit::Times,
            claimed: claimed(table)?,
            aside: table.get("aside").map_or(Ok(false), |aside| aside.truth())?,
            needs: needs(table)?,
            templates,
        };
        let unit = draft.unit(table)?;
        let draft = Self { unit, ..draft };
        draft.is_judged_as_its_kind(kind)?;
        Ok(draft)
    }

    /// The unit of the rule's figures; a ratio may be given in percent.
    fn unit(&self, table: &Table<'_>) -> Result<Unit, Problem> {
        let own = match self.name {
            Name::Ratio | Name::Other(_) | Name::Never => Unit::Times,
            Name::Line => Unit::Cores,
            Name::Rate if self.templates.iter().all(Template::is_of_bytes) => Unit::MegabytesPerSecond,
            Name::Rate => Unit::OperationsPerSecond,
            Name::Memory => Unit::Bytes,
            Name::Wire => Unit::Percent,
            Name::RoundTrips | Name::FalseStart => Unit::RoundTrips,
        };
        let Some(value) = table.get("unit") else { return Ok(own) };
        let unit = value.member("unit", &Unit::ALL, Unit::name)?;
        let is_free = match self.name {
            Name::Ratio => matches!(unit, Unit::Times | Unit::Percent),
            Name::Other(_) => matches!(unit, Unit::Times | Unit::Percent | Unit::Bytes),
            _ => false,
        };
        match unit == own || is_free {
            true => Ok(unit),
            false => Err(value.problem(format!(
                "the rule {} gives {}; leave 'unit' out",
                self.name.word(),
                own.name()
            ))),
        }
    }

    /// What is claimed decides; a rate of another machine never does.
    fn is_judged_as_its_kind(&self, kind: Kind) -> Result<(), Problem> {
        let is_rate = self.name == Name::Rate;
        if is_rate && self.claimed.is_some() {
            return Err(self.block.problem(
                "of the rule rate has no 'above', 'below', 'from' and 'to': a rate of another machine is compared and \
                 never judged; for a verdict write a ratio",
            ));
        }
        if kind == Kind::Rate && !is_rate {
            return Err(self.block.problem("of a claim of the kind rate has the rule rate"));
        }
        let is_open = self.aside || is_rate || matches!(self.name, Name::Other(_) | Name::Never);
        match self.claimed.is_some() || is_open {
            true => Ok(()),
            false => Err(self.block.problem(
                "does not say what is claimed: add 'above', 'below', or 'from' and 'to'; or 'aside = true' to show the figure only",
            )),
        }
    }

    /// The check of one variant of the cases; each library can be asked of any of their other values, too.
    fn check(&self, each: &Variant, any: Option<&Value<'_>>, libraries: &[Id]) -> Result<Check, Problem> {
        let mut candidates = Vec::new();
        let any = variants("any", any, &each.templates)?;
        for library in self.asked(&each.templates, libraries)? {
            for variant in &any {
                candidates.push(self.candidate(&library, variant)?);
            }
        }
        Ok(Check {
            words: with_value(&self.words, &each.of),
            rule: self.rule.clone(),
            unit: self.unit,
            claimed: self.claimed,
            aside: self.aside,
            is_quick: true,
            needs: self.needs.clone(),
            candidates,
        })
    }

    /// Whom it is asked of; where each case names its own library, the first of those stands for all.
    fn asked(&self, templates: &[Template], libraries: &[Id]) -> Result<Vec<Id>, Problem> {
        let mut own: Vec<Id> = templates.iter().filter_map(|template| template.library().cloned()).collect();
        match own.len() == templates.len() {
            true => {
                own.truncate(1);
                Ok(own)
            }
            false if libraries.is_empty() => {
                let what = "is asked of nobody: give the claim 'libraries', or each of its cases a 'library'";
                Err(self.block.problem(what))
            }
            false => Ok(libraries.to_vec()),
        }
    }

    fn candidate(&self, library: &Id, variant: &Variant) -> Result<Candidate, Problem> {
        let terms: Vec<Term> =
            variant.templates.iter().map(|template| template.term(library)).collect::<Result<_, _>>()?;
        let Some(term) = terms.iter().find(|term| !self.takes(term)) else {
            return Ok(Candidate { library: library.clone(), of: variant.of.clone(), terms });
        };
        let (word, wanted) = (self.name.word(), self.wanted());
        let what = format!(
            "of the rule {word} needs {wanted}, and this is a case of the kind {}",
            term.case.workload.kind()
        );
        Err(self.block.problem(what))
    }

    /// Whether the rule can do something with a case.
    fn takes(&self, term: &Term) -> bool {
        let workload = &term.case.workload;
        match &self.rule {
            Rule::Ratio { per_byte: true, .. } | Rule::Line { .. } => term.bytes().is_some(),
            Rule::Ratio { .. } => !matches!(workload, Workload::Idle(_)),
            Rule::Rate => {
                !matches!(workload, Workload::Idle(_) | Workload::Load(_)) && term.metric != Metric::Wall
            }
            Rule::Memory => matches!(workload, Workload::Idle(_)),
            Rule::Wire => matches!(workload, Workload::Bulk(_)),
            Rule::RoundTrips => matches!(workload, Workload::Handshake(_)),
            Rule::FalseStart => {
                matches!(workload, Workload::Handshake(handshake) if handshake.allows_false_start())
            }
            Rule::Other { .. } | Rule::Never { .. } => true,
        }
    }

    const fn wanted(&self) -> &'static str {
        match &self.rule {
            Rule::Ratio { per_byte: true, .. } | Rule::Line { .. } => {
                "a case that moves bytes: a primitive with a size, bulk, or a load with a body"
            }
            Rule::Ratio { .. } => "costs, which idle connections have none of",
            Rule::Rate => "a primitive, a handshake or bulk, by CPU time",
            Rule::Memory => "idle connections",
            Rule::Wire => "bulk",
            Rule::RoundTrips => "a handshake",
            Rule::FalseStart => {
                "a full handshake of TLS 1.2 with forward secrecy and an AEAD, as RFC 7918 has it"
            }
            Rule::Other { .. } | Rule::Never { .. } => "nothing",
        }
    }
}

impl Template {
    /// Whether its rate is one of bytes.
    fn is_of_bytes(&self) -> bool {
        self.algorithm().is_some_and(|algorithm: Algorithm| algorithm.class().is_sized()) || self.is_bulk()
    }
}

impl Cases {
    fn find(&self, name: &str, value: &Value<'_>) -> Result<Template, Problem> {
        self.templates.iter().find(|template| template.name == name).cloned().ok_or_else(|| {
            let names = || self.templates.iter().map(|template| template.name.as_str());
            let question = tlstax_names::did_you_mean(name, names());
            let known = names().collect::<Vec<_>>().join(", ");
            let known = if known.is_empty() { "none" } else { &known };
            value.problem(format!(
                "the claim has no case '{name}';{question} add [claim.case.{name}]; there are: {known}"
            ))
        })
    }
}

fn claimed(table: &Table<'_>) -> Result<Option<Claimed>, Problem> {
    let number = |key| table.get(key).map(|value| value.number()).transpose();
    match (number("above")?, number("below")?, number("from")?, number("to")?) {
        (None, None, None, None) => Ok(None),
        (Some(edge), None, None, None) => Ok(Some(Claimed::Above(edge))),
        (None, Some(edge), None, None) => Ok(Some(Claimed::Below(edge))),
        (None, None, Some(from), Some(to)) if from <= to => Ok(Some(Claimed::Between(from, to))),
        _ => {
            Err(table
                .problem("claims one side, 'above' or 'below', or a range, 'from' and 'to' in their order"))
        }
    }
}

/// Features that the CPU must have, or the check says nothing.
fn needs(table: &Table<'_>) -> Result<Vec<Switch>, Problem> {
    let Some(value) = table.get("needs") else { return Ok(Vec::new()) };
    let switch = |item: &Value<'_>| lookup(item.text()?).map_err(|error| item.problem(error.to_string()));
    value.list()?.iter().map(switch).collect()
}
