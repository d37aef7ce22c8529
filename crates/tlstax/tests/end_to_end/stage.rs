//! A stage for one test: a folder with a registry of scripted libraries and a study, and the program to run on it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

/// A folder of one test.
pub struct Stage {
    folder: tempfile::TempDir,
}

/// What the program left behind.
#[derive(Debug)]
pub struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn scripted_worker() -> PathBuf {
    let worker = root().join("target/workers/bin/control");
    assert!(worker.is_file(), "{} is missing: run make test, which builds it", worker.display());
    worker
}

/// Runs the program with the project's own registry.
pub fn plain(arguments: &[&str]) -> Run {
    Command::new(env!("CARGO_BIN_EXE_tlstax"))
        .args(arguments)
        .current_dir(root())
        .stdin(Stdio::null())
        .output()
        .unwrap()
        .into()
}

impl Stage {
    /// A stage with one library per script.
    pub fn with(scripts: &[(&str, Value)]) -> Self {
        let stage = Self { folder: tempfile::tempdir().unwrap() };
        let mut registry = String::new();
        for (id, script) in scripts {
            let file = stage.path(&format!("{id}.script.json"));
            std::fs::write(&file, script.to_string()).unwrap();
            let program = json!([scripted_worker(), "script", file]);
            registry += &format!(
                "[[library]]\nid = \"{id}\"\nabout = \"a script\"\ndefault = true\nprogram = {program}\n"
            );
        }
        std::fs::write(stage.path("registry.toml"), registry).unwrap();
        stage
    }

    /// Puts a library on the stage that makes connections: the control adapter, without crypto.
    pub fn and_connections(self, id: &str) -> Self {
        let program = json!([scripted_worker(), "control"]);
        let file = self.path("registry.toml");
        let known = std::fs::read_to_string(&file).unwrap();
        let block = format!("[[library]]\nid = \"{id}\"\nabout = \"no crypto\"\nprogram = {program}\n");
        std::fs::write(file, known + &block).unwrap();
        self
    }

    /// A stage with one library that does everything without noise.
    pub fn calm() -> Self {
        Self::with(&[("mock", json!({}))])
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Puts a study on the stage; its name is the file's.
    pub fn study(&self, name: &str, matrices: &str) -> PathBuf {
        let file = self.path(&format!("{name}.toml"));
        let head = format!("name = \"{name}\"\nquestion = \"?\"\nbudget_s = 20\nmax_rounds = 24\n");
        std::fs::write(&file, head + matrices).unwrap();
        file
    }

    /// A study that ends with its budget and not before.
    pub fn endless(&self, name: &str, matrices: &str) -> PathBuf {
        let file = self.study(name, matrices);
        let text = std::fs::read_to_string(&file).unwrap();
        let text = text.replace("max_rounds = 24", "max_rounds = 100000\nprecision = 0.0000001");
        std::fs::write(&file, text).unwrap();
        file
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tlstax"));
        command
            .args(arguments)
            .arg("--registry")
            .arg(self.path("registry.toml"))
            .arg("--home")
            .arg(root())
            .current_dir(self.folder.path())
            .env("NO_COLOR", "1")
            .env("LC_ALL", "C.UTF-8")
            // Tests run side by side, and scripted workers take no time that others could take from them.
            .env("TLSTAX_IF_BUSY", "go")
            .stdin(Stdio::null());
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Run {
        self.command(arguments).output().unwrap().into()
    }

    /// Measures a study into NAME.json and reads what was written.
    pub fn measure(&self, study: &str, matrices: &str, more: &[&str]) -> (Run, Value) {
        let file = self.study(study, matrices);
        let output = self.path(study);
        let mut arguments =
            vec!["measure", file.to_str().unwrap(), "--quiet", "-o", output.to_str().unwrap()];
        arguments.extend(more);
        let run = self.run(&arguments);
        let text = std::fs::read_to_string(output.with_extension("json"))
            .unwrap_or_else(|error| panic!("no results: {error}\n{}", run.stderr));
        (run, serde_json::from_str(&text).unwrap())
    }
}

/// The measurement whose id ends so.
pub fn measurement<'a>(results: &'a Value, end: &str) -> &'a Value {
    let all = results["measurements"].as_array().unwrap();
    let ids = || all.iter().map(|one| one["id"].as_str().unwrap()).collect::<Vec<_>>();
    all.iter()
        .find(|one| one["id"].as_str().unwrap().ends_with(end))
        .unwrap_or_else(|| panic!("{end} in {:?}", ids()))
}

/// What became of it: measured, unsupported, failed or skipped.
pub fn outcome<'a>(results: &'a Value, end: &str) -> &'a str {
    measurement(results, end)["outcome"]["is"].as_str().unwrap()
}
