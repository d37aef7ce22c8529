//! What a run of the program leaves behind: its end, its words, its documents.

use std::fmt::{self, Display, Formatter};
use std::process::{Child, Command, Output};

use serde_json::Value;

/// What the program left behind.
#[derive(Debug)]
pub struct Run {
    command: String,
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Display for Run {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { command, code, stdout, stderr } = self;
        write!(f, "{command} ended with {code}:\n{stdout}{stderr}")
    }
}

impl Run {
    pub fn of(command: &mut Command) -> Self {
        let output = command.output().unwrap();
        Self::new(format!("{command:?}"), output)
    }

    pub fn end_of(child: Child) -> Self {
        Self::new(format!("process {}", child.id()), child.wait_with_output().unwrap())
    }

    fn new(command: String, output: Output) -> Self {
        let code = output.status.code().unwrap_or(-1);
        let [stdout, stderr] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        Self { command, code, stdout, stderr }
    }

    /// That it ended with this code, and not by a mistake of ours.
    #[track_caller]
    pub fn ends(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{self}");
        assert!(!self.stderr.contains("panicked"), "{self}");
        self
    }

    /// That standard error has all of these words.
    #[track_caller]
    pub fn says<W: AsRef<str>>(self, words: impl IntoIterator<Item = W>) -> Self {
        assert_eq!(missing(&self.stderr, words), None, "{self}");
        self
    }

    /// That standard output has all of these words.
    #[track_caller]
    pub fn shows<W: AsRef<str>>(self, words: impl IntoIterator<Item = W>) -> Self {
        assert_eq!(missing(&self.stdout, words), None, "{self}");
        self
    }

    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self}"))
    }
}

/// The first of these words that a text does not have.
fn missing<W: AsRef<str>>(text: &str, words: impl IntoIterator<Item = W>) -> Option<String> {
    words.into_iter().map(|word| word.as_ref().to_owned()).find(|word| !text.contains(word))
}

/// That a text, or a part of a document, has all of these words.
#[track_caller]
pub fn holds<W: AsRef<str>>(text: impl Display, words: impl IntoIterator<Item = W>) {
    let text = text.to_string();
    assert_eq!(missing(&text, words), None, "{text}");
}

/// The measurement whose id ends so.
#[track_caller]
pub fn measurement<'a>(results: &'a Value, end: &str) -> &'a Value {
    let all = results["measurements"].as_array().unwrap();
    let found = all.iter().find(|one| one["id"].as_str().unwrap().ends_with(end));
    found.unwrap_or_else(|| panic!("{end} in {:?}", ids(results)))
}

/// What became of it: measured, unsupported, failed or skipped.
#[track_caller]
pub fn outcome<'a>(results: &'a Value, end: &str) -> &'a str {
    measurement(results, end)["outcome"]["is"].as_str().unwrap()
}

pub fn ids(results: &Value) -> Vec<&str> {
    results["measurements"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap()).collect()
}
