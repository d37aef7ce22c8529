//! Prints what is known of this machine, as it goes into documents.
//!
//! `cargo run -p tlstax-measure --example host`

#![allow(clippy::print_stdout, reason = "an example that prints what it finds")]

use std::time::Duration;

use tlstax_measure::{host, noise, pin};
use tlstax_spec::Host;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let cores = pin::cores().ok_or("no CPU may be used")?;
    pin::pin_thread(cores.measure)?;
    let host = Host { noise: Some(noise::probe(Duration::from_secs(1)).0), ..host::read() };
    println!("{}", serde_json::to_string_pretty(&host)?);
    Ok(())
}
