//! The form of a study: the TOML file, and what the short cuts build from flags.

use std::path::Path;

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};
use tlstax_spec::{
    Algorithm, Contexts, Direction, Group, Http, Key, Op, Page, Pattern, Resumption, Sessions, Side, Suite,
    Switch, Version,
};

use crate::Home;

/// A declared study. Libraries are not part of it: whoever runs it chooses them, and what a library cannot do becomes
/// a row that says so.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Study {
    /// Its name.
    pub name: String,
    /// What it is to answer, in prose.
    pub question: String,
    /// Which libraries it is about where the user names none: ids, or their beginning and a `*`. Of those only the ones that
    /// are there take part. Empty: the registry's default ones.
    #[serde(default)]
    pub libraries: Vec<String>,
    /// Each library is measured without these, too: a list for each row.
    #[serde(default)]
    pub without: Vec<Vec<Switch>>,
    /// How long it may take, in seconds, preparation included.
    #[serde(default = "default_budget")]
    pub budget_s: f64,
    /// A case is done when the half width of its 95 % interval is this fraction of its value.
    #[serde(default = "default_precision")]
    pub precision: f64,
    /// No case gets more batches than this.
    #[serde(default = "default_rounds")]
    pub max_rounds: u32,
    /// Matrices of primitives.
    #[serde(default)]
    pub primitive: Vec<PrimitiveMatrix>,
    /// Matrices of handshakes in memory.
    #[serde(default)]
    pub handshake: Vec<HandshakeMatrix>,
    /// Matrices of application data in memory.
    #[serde(default)]
    pub bulk: Vec<BulkMatrix>,
    /// Matrices of idle connections.
    #[serde(default)]
    pub idle: Vec<IdleMatrix>,
    /// Matrices of loads over loopback.
    #[serde(default)]
    pub load: Vec<LoadMatrix>,
    /// What is different in the quick form of the study, see [`Extent::Quick`].
    #[serde(default)]
    pub quick: IgnoredAny,
}

fn default_budget() -> f64 {
    120.0
}

/// With 1 %, a comparison of two runs found a planted 3 % in 34 of 40 runs only; with 0.3 % in all of them.
fn default_precision() -> f64 {
    0.003
}

fn default_rounds() -> u32 {
    200
}

/// Every combination of these; operations that an algorithm does not have are left out.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrimitiveMatrix {
    /// Algorithms.
    pub algorithms: Vec<Algorithm>,
    /// Operations; all that the algorithm has where absent.
    #[serde(default)]
    pub ops: Vec<Op>,
    /// Message sizes in bytes, for algorithms that have them.
    #[serde(default = "default_sizes")]
    pub sizes: Vec<u64>,
    /// Layouts of the calls.
    #[serde(default = "default_patterns")]
    pub patterns: Vec<Pattern>,
    /// Numbers of threads.
    #[serde(default = "default_threads")]
    pub threads: Vec<u64>,
    /// What is different in the quick form of the study, see [`Extent::Quick`].
    #[serde(default)]
    pub quick: IgnoredAny,
}

fn default_sizes() -> Vec<u64> {
    vec![16, 64, 256, 1024, 1350, 8192, 16384]
}

fn default_patterns() -> Vec<Pattern> {
    vec![Pattern::Tls]
}

fn default_threads() -> Vec<u64> {
    vec![1]
}

/// The combinations that exist of these: a suite of another version, or one that does not fit the certificate key or
/// the group, makes no case.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HandshakeMatrix {
    /// Protocol versions.
    pub versions: Vec<Version>,
    /// Cipher suites.
    pub suites: Vec<Suite>,
    /// Key exchange groups; suites with RSA key transport need none.
    pub groups: Vec<Group>,
    /// Certificate keys.
    pub keys: Vec<Key>,
    /// Certificates that the server sends.
    #[serde(default = "default_chains")]
    pub chains: Vec<u64>,
    /// Full and resumed.
    #[serde(default = "default_resumptions")]
    pub resumptions: Vec<Resumption>,
    /// Without and with a client certificate.
    #[serde(default = "default_mutual")]
    pub mutual: Vec<bool>,
    /// Numbers of threads that make handshakes at the same time.
    #[serde(default = "default_threads")]
    pub threads: Vec<u64>,
    /// Which handshakes have their contexts in common.
    #[serde(default = "default_contexts")]
    pub contexts: Vec<Contexts>,
    /// What is different in the quick form of the study, see [`Extent::Quick`].
    #[serde(default)]
    pub quick: IgnoredAny,
}

fn default_chains() -> Vec<u64> {
    vec![2]
}

fn default_resumptions() -> Vec<Resumption> {
    vec![Resumption::Full]
}

fn default_contexts() -> Vec<Contexts> {
    vec![Contexts::Shared]
}

fn default_mutual() -> Vec<bool> {
    vec![false]
}

/// As [`HandshakeMatrix`], for application data.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BulkMatrix {
    /// Protocol versions.
    pub versions: Vec<Version>,
    /// Cipher suites.
    pub suites: Vec<Suite>,
    /// Key exchange groups.
    pub groups: Vec<Group>,
    /// Certificate keys.
    pub keys: Vec<Key>,
    /// Which way the data flows.
    #[serde(default = "default_directions")]
    pub directions: Vec<Direction>,
    /// The largest plaintext in a record, bytes.
    #[serde(default = "default_records")]
    pub records: Vec<u64>,
    /// Bytes in one write.
    #[serde(default = "default_writes")]
    pub writes: Vec<u64>,
    /// Bytes written before they are read: more than the cache holds, to see main memory.
    #[serde(default = "default_buffers")]
    pub buffers: Vec<u64>,
    /// What is different in the quick form of the study, see [`Extent::Quick`].
    #[serde(default)]
    pub quick: IgnoredAny,
}

fn default_directions() -> Vec<Direction> {
    vec![Direction::Download]
}

fn default_records() -> Vec<u64> {
    vec![16384]
}

fn default_writes() -> Vec<u64> {
    vec![16384]
}

fn default_buffers() -> Vec<u64> {
    vec![262_144]
}

/// As [`HandshakeMatrix`], for connections that do nothing.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IdleMatrix {
    /// Protocol versions.
    pub versions: Vec<Version>,
    /// Cipher suites.
    pub suites: Vec<Suite>,
    /// Key exchange groups.
    pub groups: Vec<Group>,
    /// Certificate keys.
    pub keys: Vec<Key>,
    /// The sides that are kept.
    #[serde(default = "default_sides")]
    pub sides: Vec<Side>,
    /// Connections at once.
    #[serde(default = "default_idle")]
    pub connections: Vec<u64>,
    /// What is different in the quick form of the study, see [`Extent::Quick`].
    #[serde(default)]
    pub quick: IgnoredAny,
}

fn default_sides() -> Vec<Side> {
    vec![Side::Server, Side::Client]
}

fn default_idle() -> Vec<u64> {
    vec![500]
}

/// Loads over loopback: plain HTTP, HTTPS in the combinations that exist, or both.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoadMatrix {
    /// Whether to add plain HTTP to each combination of connections, requests and bodies.
    #[serde(default)]
    pub plain: bool,
    /// Protocol versions; none is plain HTTP only.
    #[serde(default)]
    pub versions: Vec<Version>,
    /// Cipher suites.
    #[serde(default)]
    pub suites: Vec<Suite>,
    /// Key exchange groups.
    #[serde(default)]
    pub groups: Vec<Group>,
    /// Certificate keys.
    #[serde(default)]
    pub keys: Vec<Key>,
    /// Full and resumed connections.
    #[serde(default = "default_resumptions")]
    pub resumptions: Vec<Resumption>,
    /// Who serves, in place of the libraries that are measured otherwise: real servers, or libraries. Real servers that the user
    /// names take the place of those in the list.
    #[serde(default)]
    pub servers: Vec<String>,
    /// The clients, one or a list: libraries in workers, or programs such as curl. A library that is not there is replaced by the
    /// server's own; so is none at all, and the client of a real server is then lean.
    #[serde(default, alias = "client", deserialize_with = "one_or_several")]
    pub clients: Vec<String>,
    /// With a resumption: of a hundred connections so many resume.
    #[serde(default = "default_percent")]
    pub resumed_percent: Vec<u64>,
    /// Versions of HTTP.
    #[serde(default = "default_http")]
    pub http: Vec<Http>,
    /// Connections at once.
    #[serde(default = "default_connections")]
    pub connections: Vec<u64>,
    /// Requests on one connection; 0 is no limit.
    #[serde(default = "default_requests")]
    pub requests_per_connection: Vec<u64>,
    /// Bytes in a response's body.
    #[serde(default = "default_bodies")]
    pub bodies: Vec<u64>,
    /// CPU microseconds of the application per request.
    #[serde(default = "default_work")]
    pub work_us: Vec<u64>,
    /// Requests per second in an open loop; 0 is a closed loop.
    #[serde(default = "default_rates")]
    pub rates: Vec<u64>,
    /// Downloads and uploads.
    #[serde(default = "default_directions")]
    pub directions: Vec<Direction>,
    /// Files and dynamic pages of a real server.
    #[serde(default = "default_pages")]
    pub pages: Vec<Page>,
    /// With and without sendfile(2) in a real server, for plain HTTP.
    #[serde(default = "default_yes")]
    pub sendfile: Vec<bool>,
    /// The most bytes that a real server encrypts into one record; 0 is its own choice.
    #[serde(default = "default_buffer")]
    pub tls_buffers: Vec<u64>,
    /// Worker processes of a real server.
    #[serde(default = "default_threads")]
    pub workers: Vec<u64>,
    /// Whether a real server is kept on its own core.
    #[serde(default = "default_yes")]
    pub pinned: Vec<bool>,
    /// Which of its workers know a session.
    #[serde(default = "default_sessions")]
    pub sessions: Vec<Sessions>,
    /// Threads of the client.
    #[serde(default = "default_threads")]
    pub threads: Vec<u64>,
    /// What is different in the quick form of the study, see [`Extent::Quick`].
    #[serde(default)]
    pub quick: IgnoredAny,
}

/// A matrix of nothing but plain HTTP, as a short cut begins with.
impl Default for LoadMatrix {
    fn default() -> Self {
        Self {
            plain: true,
            versions: Vec::new(),
            suites: Vec::new(),
            groups: Vec::new(),
            keys: Vec::new(),
            resumptions: default_resumptions(),
            servers: Vec::new(),
            clients: Vec::new(),
            resumed_percent: default_percent(),
            http: default_http(),
            connections: default_connections(),
            requests_per_connection: default_requests(),
            bodies: default_bodies(),
            work_us: default_work(),
            rates: default_rates(),
            directions: default_directions(),
            pages: default_pages(),
            sendfile: default_yes(),
            tls_buffers: default_buffer(),
            workers: default_threads(),
            pinned: default_yes(),
            sessions: default_sessions(),
            threads: default_threads(),
            quick: IgnoredAny,
        }
    }
}

fn one_or_several<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Names {
        One(String),
        Several(Vec<String>),
    }
    Ok(match Names::deserialize(deserializer)? {
        Names::One(name) => vec![name],
        Names::Several(names) => names,
    })
}

fn default_percent() -> Vec<u64> {
    vec![100]
}

fn default_http() -> Vec<Http> {
    vec![Http::Http1]
}

fn default_rates() -> Vec<u64> {
    vec![0]
}

fn default_pages() -> Vec<Page> {
    vec![Page::Static]
}

fn default_yes() -> Vec<bool> {
    vec![true]
}

fn default_buffer() -> Vec<u64> {
    vec![0]
}

fn default_sessions() -> Vec<Sessions> {
    vec![Sessions::Shared]
}

fn default_connections() -> Vec<u64> {
    vec![16]
}

fn default_requests() -> Vec<u64> {
    vec![0]
}

fn default_bodies() -> Vec<u64> {
    vec![1024]
}

fn default_work() -> Vec<u64> {
    vec![0]
}

/// A study that cannot be run as it stands.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// It could not be read.
    #[error(transparent)]
    Read(#[from] tlstax_doc::StoreError),
    /// It is not of the right form.
    #[error("{path}: {source}docs/adding-a-study.md lists the keys")]
    Malformed {
        /// The file.
        path: String,
        /// Where and what.
        source: toml::de::Error,
    },
    /// There is no study of that name.
    #[error("no study '{name}': give one of {known}, or the path of a .toml file")]
    Unknown {
        /// The name.
        name: String,
        /// The names there are.
        known: String,
    },
    /// A number lies outside what can be measured.
    #[error("study '{study}', {place}: {value} is out of range: {what} must be from {low} to {high}")]
    OutOfRange {
        /// The study.
        study: String,
        /// Which matrix.
        place: String,
        /// What the number is.
        what: &'static str,
        /// The number.
        value: String,
        /// The smallest that is allowed.
        low: u64,
        /// The largest that is allowed.
        high: u64,
    },
    /// A matrix has no combination that exists.
    #[error(
        "study '{study}', {place}: no combination of its versions, suites, groups and keys exists; a TLS 1.2 suite \
         needs a fitting certificate key, a TLS 1.3 suite version TLSv1.3, ffdhe groups a DHE suite"
    )]
    Empty {
        /// The study.
        study: String,
        /// Which matrix.
        place: String,
    },
    /// Its lists multiply to more than can be measured.
    #[error(
        "study '{study}' has {found} {what}, {most} are the most that can be run: shorten its lists or split it \
         into several studies"
    )]
    TooMany {
        /// The study.
        study: String,
        /// Cases, or combinations of which some may not exist.
        what: &'static str,
        /// How many.
        found: usize,
        /// How many are allowed.
        most: usize,
    },
    /// A file's contents are of the right form, and wrong.
    #[error("{path}: {problem}")]
    Wrong {
        /// The file.
        path: String,
        /// What is wrong.
        problem: Box<Self>,
    },
    /// Only servers and clients were chosen, and the study has no loads.
    #[error(
        "study '{study}' has nothing for {names}: servers and clients take part in loads only; name a library with \
         --library, or try `tlstax load`"
    )]
    OnlyLoads {
        /// The study.
        study: String,
        /// What was chosen.
        names: String,
    },
    /// There is nothing in it.
    #[error("study '{0}' has no matrix: add [[primitive]], [[handshake]], [[bulk]], [[idle]] or [[load]]")]
    Nothing(String),
}

/// How much of a study is measured.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Extent {
    /// All of it.
    #[default]
    Full,
    /// What fits into two minutes, as its own `quick` keys say.
    Quick,
}

/// How long a study may take when it is to be quick, unless it says so itself.
const QUICK_BUDGET_S: f64 = 120.0;

/// The quick form of a study: a matrix with `quick = false` is left out, the keys of a table `quick = { .. }` in a matrix, or in the
/// study itself, replace those beside it.
fn quick(mut study: toml::Table) -> toml::Table {
    let long =
        study.get("budget_s").and_then(toml::Value::as_float).is_none_or(|budget| budget > QUICK_BUDGET_S);
    if long {
        study.insert("budget_s".to_owned(), QUICK_BUDGET_S.into());
    }
    shorten(&mut study);
    for (_, value) in study.iter_mut() {
        let toml::Value::Array(matrices) = value else { continue };
        matrices.retain_mut(|matrix| matrix.as_table_mut().is_none_or(shorten));
    }
    study.retain(|_, value| !value.as_array().is_some_and(Vec::is_empty));
    study
}

/// Applies the `quick` key of a table; whether the table is to stay.
fn shorten(table: &mut toml::Table) -> bool {
    match table.remove("quick") {
        Some(toml::Value::Table(shorter)) => {
            table.extend(shorter);
            true
        }
        Some(toml::Value::Boolean(stays)) => stays,
        _ => true,
    }
}

impl Study {
    /// Reads a study by the name of its file in `studies/`, or by path.
    pub fn read(home: &Home, name: &str, extent: Extent) -> Result<Self, StudyError> {
        let path = match name.ends_with(".toml") {
            true => Path::new(name).to_owned(),
            false => home.studies().join(format!("{name}.toml")),
        };
        if !path.is_file() && !name.ends_with(".toml") {
            return Err(StudyError::Unknown { name: name.to_owned(), known: Self::names(home).join(", ") });
        }
        let text = tlstax_doc::read(&path)?;
        Self::parse(&text, &path.display().to_string(), extent)
    }

    /// Reads the text of a study; the path is for messages.
    pub fn parse(text: &str, path: &str, extent: Extent) -> Result<Self, StudyError> {
        let malformed = |source| StudyError::Malformed { path: path.to_owned(), source };
        let study: Self = match extent {
            // Read as it stands, so that a mistake is shown in its line.
            Extent::Full => toml::from_str(text).map_err(malformed)?,
            Extent::Quick => {
                let table: toml::Table = toml::from_str(text).map_err(malformed)?;
                quick(table).try_into().map_err(malformed)?
            }
        };
        match study.check() {
            Ok(()) => Ok(study),
            Err(problem) => Err(StudyError::Wrong { path: path.to_owned(), problem: Box::new(problem) }),
        }
    }

    /// A study without matrices, as a short cut begins with.
    pub fn named(name: &str, question: &str) -> Self {
        Self {
            name: name.to_owned(),
            question: question.to_owned(),
            libraries: Vec::new(),
            without: Vec::new(),
            budget_s: default_budget(),
            precision: default_precision(),
            max_rounds: default_rounds(),
            primitive: Vec::new(),
            handshake: Vec::new(),
            bulk: Vec::new(),
            idle: Vec::new(),
            load: Vec::new(),
            quick: IgnoredAny,
        }
    }

    /// The study of a run that is gone on with: its cases stand in the journal.
    pub fn resumed(begun: &tlstax_doc::Results) -> Self {
        let facts = &begun.study;
        let study = Self::named(&facts.name, &facts.question);
        Self { budget_s: facts.budget_s, precision: facts.precision, max_rounds: facts.max_rounds, ..study }
    }

    /// The names of the declared studies, sorted.
    pub fn names(home: &Home) -> Vec<String> {
        let Ok(folder) = std::fs::read_dir(home.studies()) else { return Vec::new() };
        let mut names: Vec<String> = folder
            .filter_map(|entry| Some(entry.ok()?.file_name().to_str()?.strip_suffix(".toml")?.to_owned()))
            .collect();
        names.sort();
        names
    }
}
