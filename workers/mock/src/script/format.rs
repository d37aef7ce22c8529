//! The script as it stands in its file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::{Map, Value};

use super::pattern::Pattern;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Script {
    /// Where the noise starts, together with the sitting; two runs of one seed give the same figures.
    pub seed: u64,
    /// The version of the protocol that the worker claims to speak.
    pub protocol: u32,
    /// Fields of the hello that differ from the default ones.
    pub hello: Map<String, Value>,
    /// How uneven the machine is.
    pub noise: Noise,
    /// Costs; the first that fits counts.
    pub costs: Vec<Cost>,
    /// Factors on the costs; all that fit count.
    pub slowdowns: Vec<Slowdown>,
    /// What goes wrong; the first that fits.
    pub faults: Vec<FaultRule>,
    /// Cipher strings with the suites that they choose; absent: there are no such strings.
    pub expand: Option<BTreeMap<String, Vec<String>>>,
}

impl Default for Script {
    fn default() -> Self {
        Self {
            seed: 1,
            protocol: tlstax_spec::wire::PROTOCOL,
            hello: Map::new(),
            noise: Noise::default(),
            costs: Vec::new(),
            slowdowns: Vec::new(),
            faults: Vec::new(),
            expand: None,
        }
    }
}

/// How uneven the machine is. All shares are of the cost on a quiet machine; 0 is an exact machine.
#[derive(Debug, Default, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Noise {
    /// The standard deviation of what differs from batch to batch, whatever the references say.
    pub jitter: f64,
    /// The standard deviation of a slow drift that batches and both references share, as that of a clock frequency.
    pub drift: f64,
    /// The share of time in which a neighbour is busy.
    pub busy: f64,
    /// What the neighbour costs while busy. The throughput reference sees all of it, the latency one a tenth.
    pub busy_slowdown: f64,
    /// How many batches or readings the neighbour stays busy for, on average; at least 1.
    pub busy_length: f64,
    /// A file with the noise of a real machine, which comes on top; its path begins where the script lies.
    pub recording: Option<PathBuf>,
    /// The sitting with which the machine becomes slower for good, by `slower`; 0: none.
    pub slower_from: u64,
    /// By what share it is slower then, as with a lower clock.
    pub slower: f64,
    /// The standard deviation of what a process costs as long as it lives, as by where its memory lies. The references, which
    /// another process reads, do not show it.
    pub luck: f64,
}

/// What one iteration costs.
#[derive(Debug, Default, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cost {
    pub case: Pattern,
    /// Nanoseconds, where there is one side.
    #[serde(default)]
    pub ns: f64,
    /// Nanoseconds for each byte of a message or buffer, on each side.
    #[serde(default)]
    pub ns_per_byte: f64,
    #[serde(default)]
    pub client_ns: f64,
    #[serde(default)]
    pub server_ns: f64,
    /// Bytes of an idle connection.
    #[serde(default)]
    pub memory: u64,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slowdown {
    pub case: Pattern,
    /// 1.03 is 3 % slower.
    #[serde(default = "unchanged")]
    pub factor: f64,
    /// The standard deviation by which the factor differs from batch to batch.
    #[serde(default)]
    pub jitter: f64,
    /// Only so many first batches of a case in a process; absent: all of them.
    #[serde(default)]
    pub batches: Option<u32>,
}

fn unchanged() -> f64 {
    1.0
}

/// When something goes wrong.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FaultRule {
    /// The cases; for `hello` and `reference`, which are about none, it does not matter.
    #[serde(default)]
    pub case: Pattern,
    #[serde(default)]
    pub at: At,
    /// The first of such requests that goes wrong, counted from 1 for each case.
    #[serde(default = "first")]
    pub from: u32,
    pub fault: Fault,
    /// What is written to standard error before.
    #[serde(default)]
    pub stderr: String,
}

fn first() -> u32 {
    1
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum At {
    Hello,
    Prepare,
    #[default]
    Run,
    Usage,
    Release,
    Expand,
    Look,
    Reference,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// End with exit code 101, without an answer.
    Die,
    /// Write half of the answer, then end.
    DieInAnswer,
    /// Never answer, until the orchestrator goes away.
    Hang,
    /// Answer with a line that is no message.
    Rubbish,
    /// Answer with a line of four million characters.
    Flood,
    /// Answer with a message that is none to this request.
    WrongKind,
    /// Answer for another slot.
    OtherSlot,
    Fail,
    Unsupported,
    /// Prove another cipher suite than the case's.
    OtherSuite,
    /// Prove TLS compression where the case has none, and none where it has some.
    OtherCompression,
    /// Prove a resumption that did not happen, or none where there should be one.
    OtherResumption,
    /// Prove flights that are not what was sent.
    OtherFlights,
    /// Compute something else than other libraries.
    WrongAnswer,
    NoProof,
    /// Prove the right parameters, but not one handshake.
    NoHandshakes,
    /// Do half of the iterations.
    FewerIterations,
    /// Do twice as many iterations.
    MoreIterations,
    /// Leave the last part out.
    FewerParts,
    /// Tell one part more than there are.
    MoreParts,
    /// Tell parts that are twice as long as the whole.
    PartsDoNotAddUp,
}

/// A script that cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum ScriptError {
    #[error("cannot read the script {path}: {source}")]
    Read { path: PathBuf, source: std::io::Error },
    #[error("the script {path} is malformed: {source}; its form is described in workers/mock/src/script.rs")]
    Malformed { path: PathBuf, source: serde_json::Error },
    #[error("TLSTAX_SITTING is {value:?}, which is not a number; leave it unset to play the script by hand")]
    Sitting { value: String },
}

impl Script {
    /// Reads a script; without a file it is the default one. The default costs come after its own.
    pub fn read(file: Option<&Path>) -> Result<Self, ScriptError> {
        let mut script = match file {
            None => Self::default(),
            Some(path) => {
                let text = std::fs::read_to_string(path)
                    .map_err(|source| ScriptError::Read { path: path.to_owned(), source })?;
                serde_json::from_str(&text)
                    .map_err(|source| ScriptError::Malformed { path: path.to_owned(), source })?
            }
        };
        script.costs.extend(default_costs());
        if let (Some(recording), Some(folder)) = (&mut script.noise.recording, file.and_then(Path::parent)) {
            *recording = folder.join(&*recording);
        }
        Ok(script)
    }
}

fn default_costs() -> Vec<Cost> {
    serde_json::from_str(include_str!("default_costs.json"))
        .expect("checked by a test: the default costs are well-formed")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_default_costs_fit_every_case() {
        assert!(default_costs().last().unwrap().case.fits("any/thing"));
    }

    #[test]
    fn the_script_in_the_documentation_is_one() {
        let source = include_str!("../script.rs");
        let lines = source.lines().map(|line| line.trim_start_matches("//!"));
        let example: String =
            lines.skip_while(|line| *line != " ```json").skip(1).take_while(|line| *line != " ```").collect();
        let script: Script = serde_json::from_str(&example).unwrap();
        assert_eq!(script.faults[0].fault, Fault::Die);
    }

    #[test]
    fn unknown_fields_are_told() {
        let error = serde_json::from_str::<Script>(r#"{"slowdown": []}"#).unwrap_err();
        assert!(error.to_string().contains("slowdown"), "{error}");
    }
}
