//! Prints how the reference kernels respond to a neighbour: first on an idle machine, then with another process
//! that keeps the other core busy, then idle again.
//!
//! `cargo run --release -p tlstax-measure --example reference`

#![allow(clippy::print_stdout, reason = "an example that prints its figures")]

use std::time::Duration;

use tlstax_measure::{clock, pin, process, reference};
use tlstax_spec::Nanos;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let cores = pin::cores().ok_or("no CPU may be used")?;
    // The other process is this program again.
    if std::env::args().any(|argument| argument == "burn") {
        return burn();
    }
    pin::pin_thread(cores.measure)?;
    println!("measuring on CPU {}, neighbour on CPU {}", cores.measure, cores.client);
    print("idle", Duration::from_secs(3));
    let mut neighbour = process::Launch::new(std::env::current_exe()?);
    neighbour.arguments.push("burn".into());
    neighbour.cpus.push(cores.client);
    let neighbour = neighbour.spawn()?;
    print("neighbour", Duration::from_secs(3));
    drop(neighbour);
    print("idle", Duration::from_secs(3));
    Ok(())
}

fn burn() -> Result<(), Box<dyn std::error::Error>> {
    // Bounded, in case nobody ends us.
    let start = clock::monotonic();
    while clock::monotonic().since(start) < Nanos::from_millis(20_000) {
        reference::throughput();
    }
    Ok(())
}

fn print(state: &str, duration: Duration) {
    let start = clock::monotonic();
    let mut readings = Vec::new();
    while clock::monotonic().since(start).0 < duration.as_nanos() as u64 {
        readings.push(reference::read());
    }
    println!("{state}: {} readings", readings.len());
    for (kernel, mut times) in [
        ("latency", readings.iter().map(|reading| reading.latency.0).collect::<Vec<_>>()),
        ("throughput", readings.iter().map(|reading| reading.throughput.0).collect()),
    ] {
        times.sort_unstable();
        let at = |percent: usize| times[(times.len() - 1) * percent / 100];
        let best = at(1);
        let quiet = times.iter().filter(|time| **time <= best + best / 50).count() * 100 / times.len();
        println!(
            "  {kernel:<10} ns: min {} p1 {} p10 {} median {} p90 {} p99 {}; within 2 % of p1: {quiet} %",
            at(0),
            best,
            at(10),
            at(50),
            at(90),
            at(99)
        );
    }
}
