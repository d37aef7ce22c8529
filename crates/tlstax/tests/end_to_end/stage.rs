//! A stage for one test: a folder with a registry of scripted libraries and a study, and the program to run on it.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use crate::run::Run;

/// A study of one case.
pub const ONE: &str = "[[primitive]]\nalgorithms = [\"sha256\"]\nsizes = [64]\n";

/// Handshakes that differ in what a test adds: keys, and more.
pub const HANDSHAKES: &str =
    "[[handshake]]\nversions = [\"TLSv1.3\"]\nsuites = [\"TLS_AES_128_GCM_SHA256\"]\ngroups = [\"X25519\"]\n";

/// A folder of one test.
pub struct Stage {
    folder: tempfile::TempDir,
    /// A project of its own has its registry, the user's own libraries and a cache in the folder.
    is_project: bool,
}

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

pub fn worker(id: &str) -> PathBuf {
    root().join("target/workers/bin").join(id)
}

/// The worker of the control and of scripts.
pub fn control() -> PathBuf {
    let control = worker("control");
    assert!(control.is_file(), "{} is missing: run make test, which builds it", control.display());
    control
}

/// A block of a registry: a library, and what else is said of it.
pub fn block(id: &str, more: &str) -> String {
    format!("[[library]]\nid = \"{id}\"\nabout = \"?\"\n{more}\n")
}

pub fn allow(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// The program, reading nothing.
pub fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tlstax"));
    command.stdin(Stdio::null());
    command
}

/// Begins a command whose words are read at its end.
pub fn begin(command: &mut Command) -> Child {
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Runs the program with the project's own registry.
pub fn plain(line: &str) -> Run {
    Run::of(program().args(line.split_whitespace()).current_dir(root()))
}

impl Stage {
    /// A stage with one library per script.
    pub fn with(scripts: &[(&str, Value)]) -> Self {
        let stage = Self { is_project: false, ..Self::project() };
        stage.write("registry.toml", "");
        for (id, script) in scripts {
            stage.script(id, script);
            let program = json!([control(), "script", stage.path(&format!("{id}.script.json"))]);
            stage.register(&block(id, &format!("default = true\nprogram = {program}")));
        }
        stage
    }

    /// An empty folder that is a project of its own.
    pub fn project() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), is_project: true }
    }

    /// Says what a scripted library does from now on.
    pub fn script(&self, id: &str, script: &Value) {
        self.write(&format!("{id}.script.json"), script.to_string());
    }

    /// Writes more into the registry.
    pub fn register(&self, more: &str) {
        self.write("registry.toml", self.read("registry.toml") + more);
    }

    /// Puts a library on the stage that makes connections: the control adapter, without crypto.
    pub fn and_connections(self, id: &str) -> Self {
        self.register(&block(id, &format!("program = {}", json!([control(), "control"]))));
        self
    }

    /// A stage with one library that does everything without noise.
    pub fn calm() -> Self {
        Self::with(&[("mock", json!({}))])
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, contents).unwrap();
    }

    pub fn program(&self, name: &str, text: &str) {
        self.write(name, text);
        allow(&self.path(name), 0o755);
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn has(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    /// Puts a study on the stage and says where; its name is the file's.
    pub fn study(&self, name: &str, matrices: &str) -> String {
        let file = format!("{name}.toml");
        let head = format!("name = \"{name}\"\nquestion = \"?\"\nbudget_s = 20\nmax_rounds = 24\n");
        self.write(&file, head + matrices);
        file
    }

    /// A study that ends with its budget and not before.
    pub fn endless(&self, name: &str, matrices: &str) -> String {
        let file = self.study(name, matrices);
        self.change(&file, "max_rounds = 24", "max_rounds = 100000\nprecision = 0.0000001");
        file
    }

    pub fn change(&self, name: &str, from: &str, to: &str) {
        let text = self.read(name);
        assert!(text.contains(from), "{name} has no '{from}'");
        self.write(name, text.replace(from, to));
    }

    pub fn command(&self, words: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Command {
        let mut command = program();
        command.args(words).current_dir(self.folder.path()).env("NO_COLOR", "1").env("LC_ALL", "C.UTF-8");
        // Tests run side by side, and scripted workers take no time that others could take from them.
        command.env("TLSTAX_IF_BUSY", "go");
        match self.is_project {
            true => command.arg("--home").arg(self.path("")).env("TLSTAX_CACHE", self.path("cache")),
            false => command.arg("--registry").arg(self.path("registry.toml")).arg("--home").arg(root()),
        };
        command
    }

    /// Runs a command line whose words have no blanks in them.
    pub fn run(&self, line: &str) -> Run {
        Run::of(&mut self.command(line.split_whitespace()))
    }

    /// That a command line is refused with all of these words, before anything is printed.
    #[track_caller]
    pub fn refuses<W: AsRef<str>>(&self, line: &str, words: impl IntoIterator<Item = W>) -> Run {
        let run = self.run(line).ends(2).says(words);
        assert_eq!(run.stdout, "", "{run}");
        run
    }

    /// Measures a study into NAME.json and reads what was written.
    #[track_caller]
    pub fn measure(&self, study: &str, matrices: &str, more: &str) -> (Run, Value) {
        let file = self.study(study, matrices);
        let run = self.run(&format!("measure {file} --quiet -o {study} {more}"));
        self.with_results(run, study)
    }

    /// Measures a study that goes well.
    #[track_caller]
    pub fn measured(&self, study: &str, matrices: &str) -> Value {
        let (run, results) = self.measure(study, matrices, "");
        run.ends(0);
        results
    }

    /// A run with what it has written into NAME.json.
    #[track_caller]
    pub fn with_results(&self, run: Run, name: &str) -> (Run, Value) {
        let results = self.results(&run, name);
        (run, results)
    }

    #[track_caller]
    pub fn results(&self, run: &Run, name: &str) -> Value {
        let text = fs::read(self.path(&format!("{name}.json")))
            .unwrap_or_else(|error| panic!("no results: {error}\n{run}"));
        serde_json::from_slice(&text).unwrap()
    }
}
