//! `tlstax`: what TLS costs, measured, explained and compared. One thin file per verb under `cli/`; this is the only
//! crate that prints or exits.

mod cli;
mod failure;
mod output;
mod progress;

use std::process::ExitCode;

fn main() -> ExitCode {
    match cli::main() {
        Ok(code) => code,
        Err(error) => failure::tell(&error),
    }
}
