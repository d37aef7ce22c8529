//! The cases of a claims file: tables with the fields of a case, in the words that studies and flags have.

use std::ops::Range;

use serde_json::{Map, Value as Json};
use tlstax_doc::Metric;
use tlstax_names::{Aliased, did_you_mean, lookup};
use tlstax_spec::{
    Algorithm, Bulk, Case, FlatCase, Handshake, Id, Idle, Load, Op, Params, Pattern, Primitive, Resumption,
    Suite, Switch, Workload,
};

use crate::check::Term;
use crate::error::Problem;
use crate::field::{Field, KINDS, PARAMS};
use crate::table::{Table, Value};

/// Keys of a case that are none of its fields.
const OTHERS: [&str; 5] = ["kind", "library", "without", "metric", "like"];

/// The client of a load that names none: it is the one that spends least.
const CLIENT_ID: &str = "lean";

/// A case of a claims file before it is known whom it is asked of.
#[derive(Clone)]
pub(crate) struct Template {
    pub name: String,
    at: Range<usize>,
    kind: &'static str,
    fields: Map<String, Json>,
    library: Option<Id>,
    without: Vec<Switch>,
    metric: Option<Metric>,
}

impl Template {
    /// Reads a table; those read so far may be taken for a pattern.
    pub fn read(name: &str, at: &Range<usize>, table: &Table<'_>, known: &[Self]) -> Result<Self, Problem> {
        let mut template = match table.get("like") {
            Some(like) => {
                let pattern = known.iter().find(|one| like.text().is_ok_and(|text| one.name == text));
                let pattern = pattern.ok_or_else(|| unlike(&like, known))?;
                Self { name: name.to_owned(), at: at.clone(), ..pattern.clone() }
            }
            None => Self {
                name: name.to_owned(),
                at: at.clone(),
                kind: kind(&table.need("kind")?)?,
                fields: Map::new(),
                library: None,
                without: Vec::new(),
                metric: None,
            },
        };
        for ((key, at), value) in table.entries() {
            match key {
                "like" => {}
                "kind" => template.kind = kind(&value)?,
                "library" => template.library = Some(id(&value)?),
                "without" => template.without = switches(&value)?,
                "metric" => template.metric = Some(metric(&value)?),
                field => template.set(field, &at, &value)?,
            }
        }
        Ok(template)
    }

    /// Whether cases of this kind have a field.
    pub fn has(&self, field: &str) -> bool {
        self.field(field).is_some()
    }

    /// Puts a value into a field.
    pub fn set(&mut self, field: &str, at: &Range<usize>, value: &Value<'_>) -> Result<(), Problem> {
        let found = self.field(field).ok_or_else(|| self.unknown(field, at))?;
        let json = (found.read)(&value.as_written()?).map_err(|what| value.problem(what))?;
        self.fields.insert(field.to_owned(), json);
        Ok(())
    }

    fn field(&self, name: &str) -> Option<&'static Field> {
        let (_, blocks) = KINDS.iter().find(|(kind, _)| *kind == self.kind)?;
        blocks.iter().copied().flatten().find(|field| field.name == name)
    }

    fn unknown(&self, field: &str, at: &Range<usize>) -> Problem {
        if matches!(field, "machine" | "host" | "results") {
            let why = "a ratio is made within one run on one machine; the machine of a claim belongs to [[claim.there]]";
            return Problem::new(at, format!("a case has no key '{field}': {why}"));
        }
        let blocks = KINDS.iter().find(|(kind, _)| *kind == self.kind).map_or(&[][..], |(_, blocks)| *blocks);
        let fields = || blocks.iter().copied().flatten().map(|field| field.name).chain(OTHERS);
        let question = did_you_mean(field, fields());
        let known = fields().collect::<Vec<_>>().join(", ");
        Problem::new(
            at,
            format!("a case of the kind {} has no key '{field}';{question} known: {known}", self.kind),
        )
    }

    /// The library that the case names for itself.
    pub const fn library(&self) -> Option<&Id> {
        self.library.as_ref()
    }

    /// The algorithm of a primitive.
    pub fn algorithm(&self) -> Option<Algorithm> {
        self.member("algorithm").ok().flatten()
    }

    pub fn is_bulk(&self) -> bool {
        self.kind == "bulk"
    }

    /// The case and the cost of it that is meant, asked of a library unless it names one itself.
    pub fn term(&self, library: &Id) -> Result<Term, Problem> {
        let case = self.case(library).map_err(|what| {
            let name = &self.name;
            Problem::new(&self.at, format!("the case '{name}' cannot be: {what}"))
        })?;
        let usual = match &case.workload {
            Workload::Primitive(_) if case.threads > 1 => Metric::Wall,
            Workload::Primitive(_) | Workload::Idle(_) => Metric::Cpu,
            Workload::Handshake(_) | Workload::Bulk(_) | Workload::Load(_) => Metric::Server,
        };
        let metric = self.metric.unwrap_or(usual);
        let has_no_sides = matches!(case.workload, Workload::Primitive(_) | Workload::Idle(_));
        if has_no_sides && matches!(metric, Metric::Client | Metric::Server) {
            let what = format!("the case '{}' has no client and no server: leave 'metric' out", self.name);
            return Err(Problem::new(&self.at, what));
        }
        Ok(Term { case, metric })
    }

    fn case(&self, library: &Id) -> Result<Case, String> {
        let library = without(self.library.as_ref().unwrap_or(library), &self.without)?;
        let workload = self.usual()?;
        let usual = FlatCase::from(Case { library, threads: 1, workload });
        let Ok(Json::Object(mut row)) = serde_json::to_value(usual) else {
            unreachable!("a flat row is an object")
        };
        row.extend(self.fields.clone());
        let flat: FlatCase = serde_json::from_value(Json::Object(row)).map_err(|error| error.to_string())?;
        let case = Case::try_from(flat).map_err(|error| error.to_string())?;
        possible(&case).map(|()| case)
    }

    /// The case with nothing but what it cannot do without.
    fn usual(&self) -> Result<Workload, String> {
        Ok(match self.kind {
            "primitive" => Workload::Primitive(self.primitive()?),
            "handshake" => Workload::Handshake(Handshake::usual(self.params()?)),
            "bulk" => Workload::Bulk(Bulk::usual(self.params()?)),
            "idle" => Workload::Idle(Idle::usual(self.params()?)),
            _ => {
                let is_tls = PARAMS.iter().any(|field| self.fields.contains_key(field.name));
                let params = if is_tls { Some(self.params()?) } else { None };
                let load = Load::new(Id::literal(CLIENT_ID), params);
                Workload::Load(Load { body: USUAL_BODY, ..load })
            }
        })
    }

    fn primitive(&self) -> Result<Primitive, String> {
        let algorithm: Algorithm = self.member("algorithm")?.ok_or("it needs an 'algorithm'")?;
        let op: Option<Op> = self.member("op")?;
        let op = match (op, algorithm.ops()) {
            (Some(op), ops) if ops.contains(&op) => op,
            (None, [only]) => *only,
            (op, ops) => {
                let ops = ops.iter().map(|op| op.name()).collect::<Vec<_>>().join(", ");
                let asked = op.map_or_else(|| "it needs an 'op'".to_owned(), |op| format!("no {op} exists"));
                return Err(format!("{asked}: {algorithm} has {ops}"));
            }
        };
        match (algorithm.class().is_sized(), self.fields.contains_key("size")) {
            (true, false) => return Err(format!("it needs a 'size': {algorithm} works on messages")),
            (false, true) => return Err(format!("{algorithm} works on no message: leave 'size' out")),
            _ => {}
        }
        Ok(Primitive { op, algorithm, size: 0, pattern: Pattern::Tls })
    }

    fn params(&self) -> Result<Params, String> {
        let suite: Suite = self.member("suite")?.ok_or("it needs a 'suite'")?;
        let version = self.member("version")?.unwrap_or_else(|| suite.version());
        let key = self.member("key")?.ok_or("it needs a 'key'")?;
        let params = Params { version, suite, group: self.member("group")?, key };
        if params.is_coherent() {
            return Ok(params);
        }
        let group = params.group.map_or("no group".to_owned(), |group| group.to_string());
        Err(format!("{version}, {suite}, {group} and a key {key} do not go together"))
    }

    /// The value of a field that is a member of a vocabulary.
    fn member<T: Aliased>(&self, field: &str) -> Result<Option<T>, String> {
        let name = self.fields.get(field).and_then(Json::as_str);
        name.map(|name| lookup(name).map_err(|error| error.to_string())).transpose()
    }
}

/// What a study's loads have where nothing is said.
const USUAL_BODY: u32 = 1024;

/// The library, told to do without some features of the CPU.
fn without(library: &Id, switches: &[Switch]) -> Result<Id, String> {
    if switches.is_empty() {
        return Ok(library.clone());
    }
    let names: Vec<&str> = switches.iter().map(|switch| switch.name()).collect();
    format!("{library}-without-{}", names.join("-"))
        .parse()
        .map_err(|error: tlstax_spec::InvalidId| error.to_string())
}

/// Whether a case can occur, beyond what its parameters say.
fn possible(case: &Case) -> Result<(), String> {
    let (resumption, params) = match &case.workload {
        Workload::Handshake(handshake) => (handshake.resumption, Some(handshake.params)),
        Workload::Load(load) => (load.resumption, load.params),
        _ => return Ok(()),
    };
    let fits = params.is_none_or(|params| resumption.fits(params.version));
    let needs_tls = resumption != Resumption::Full && params.is_none();
    match fits && !needs_tls {
        true => Ok(()),
        false => Err(format!("the resumption {resumption} does not exist there")),
    }
}

fn kind(value: &Value<'_>) -> Result<&'static str, Problem> {
    let text = value.text()?;
    let found = KINDS.iter().map(|(kind, _)| *kind).find(|kind| *kind == text);
    found.ok_or_else(|| {
        let known = || KINDS.iter().map(|(kind, _)| *kind);
        let question = did_you_mean(text, known());
        let known = known().collect::<Vec<_>>().join(", ");
        value.problem(format!("no kind of case is called '{text}';{question} known: {known}"))
    })
}

pub(crate) fn id(value: &Value<'_>) -> Result<Id, Problem> {
    value.text()?.parse().map_err(|error: tlstax_spec::InvalidId| value.problem(error.to_string()))
}

fn switches(value: &Value<'_>) -> Result<Vec<Switch>, Problem> {
    let switch = |item: Value<'_>| lookup(item.text()?).map_err(|error| item.problem(error.to_string()));
    value.list()?.into_iter().map(switch).collect()
}

/// What is timed; instructions are counted in runs of their own.
const METRICS: [Metric; 4] = [Metric::Cpu, Metric::Wall, Metric::Client, Metric::Server];

fn metric(value: &Value<'_>) -> Result<Metric, Problem> {
    let text = value.text()?;
    METRICS.into_iter().find(|metric| metric.name() == text).ok_or_else(|| {
        let known = METRICS.map(Metric::name).join(", ");
        value.problem(format!("no metric is called '{text}'; known: {known}"))
    })
}

fn unlike(like: &Value<'_>, known: &[Template]) -> Problem {
    let names = known.iter().map(|one| one.name.as_str()).collect::<Vec<_>>().join(", ");
    like.problem(format!(
        "'like' names another case of the same claim, and no case may be like itself by way of others; there are: {}",
        if names.is_empty() { "none" } else { &names }
    ))
}
