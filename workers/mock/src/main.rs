//! Workers without a TLS library.
//!
//! - `control`: the library without crypto of the SDK, to see what the harness itself costs;
//! - `script`: scripted answers without time, for end-to-end tests.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use tlstax_worker::{Control, serve};

mod script;

const HELP: &str = "\
Workers of tlstax without a TLS library.

Usage:
  control [--conformance PKI_DIR | --help]   the library without crypto: what the harness itself costs
  script [FILE.json]                         answers as the script says, at once; for tests
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["control", ..] => serve::run(&Control, &arguments[1..]),
        ["script"] => script::serve(None),
        ["script", file] => script::serve(Some(Path::new(file))),
        _ => {
            // Standard error may be closed; the exit code still tells.
            let _ = write!(io::stderr(), "{HELP}");
            ExitCode::from(2)
        }
    }
}
