//! A project of its own for one test: a registry, the user's own libraries, a cache.

use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;

use crate::stage::{Run, Stage};

/// A project of its own, with what a build reads, and libraries whose recipe and worker are scripts of the test.
pub struct Project {
    stage: Stage,
}

/// What makes a worker: `build.sh OUT`.
fn copying(worker: &str) -> String {
    format!("cat >\"$1\" <<'END'\n{worker}END\nchmod 755 \"$1\"\n")
}

impl Project {
    pub fn new(registry: &str, worker: &str) -> Self {
        let project = Self { stage: Stage::calm() };
        for folder in
            ["crates/spec", "crates/stats", "crates/measure", "crates/worker", "pki", "workers/node"]
        {
            fs::create_dir_all(project.path(folder)).unwrap();
        }
        project.write("workers/workers.toml", registry);
        project.write("workers/node/build.sh", &copying(worker));
        project
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.stage.path("home").join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn run<A: AsRef<OsStr>>(&self, arguments: &[A]) -> Run {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tlstax"));
        command.args(arguments).arg("--home").arg(self.path(""));
        command.env("TLSTAX_CACHE", self.path("cache")).env("NO_COLOR", "1").current_dir(self.path(""));
        command.stdin(std::process::Stdio::null()).output().unwrap().into()
    }

    pub fn compiled(&self) -> usize {
        fs::read_to_string(self.path("source/compiled")).map_or(0, |text| text.lines().count())
    }
}
