//! The programs that tests observe, compiled as distributions compile: optimised, position-independent, libraries stripped.

use std::path::Path;
use std::time::Duration;

use tempfile::TempDir;
use tlstax_measure::process::{Launch, Worker};
use tlstax_measure::program;

/// Where the program and its libraries are; they are gone with it.
pub struct Built(TempDir);

const PROGRAMS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/live/programs");

impl Built {
    pub fn new() -> Self {
        let built = Self(tempfile::tempdir().unwrap());
        built.compile("libinner.so", &["-shared", "-s", "inner.c"]);
        built.compile("libouter.so", &["-shared", "-s", "outer.c", "-linner"]);
        built.compile("work", &["-pthread", "-fPIE", "-pie", "work.c", "-louter", "-linner"]);
        built
    }

    fn compile(&self, to: &str, arguments: &[&str]) {
        let folder = self.0.path().to_str().unwrap();
        let common =
            ["-O2", "-g0", "-fPIC", "-fomit-frame-pointer", "-L", folder, "-Wl,-rpath,$ORIGIN", "-o"];
        let output = self.0.path().join(to);
        let mut all: Vec<String> = common.iter().map(|one| (*one).to_owned()).collect();
        all.push(output.to_str().unwrap().to_owned());
        all.extend(arguments.iter().map(|one| match one.ends_with(".c") {
            true => Path::new(PROGRAMS).join(one).to_str().unwrap().to_owned(),
            false => (*one).to_owned(),
        }));
        let launch = Launch { arguments: all.into_iter().map(Into::into).collect(), ..Launch::new("cc") };
        let done = program::run(&launch, Duration::from_secs(60)).unwrap();
        assert!(done.status.success(), "{}", done.stderr);
    }

    pub fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    pub fn start(&self, arguments: &[&str]) -> Worker {
        let arguments = arguments.iter().map(Into::into).collect();
        Launch { arguments, ..Launch::new(self.path("work")) }.spawn().unwrap()
    }
}
