//! Counts captures, and says how fast: `cargo run --release -p tlstax-traffic --example capture -- FILE...`, or `-i INTERFACE SECONDS`.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::fs::File;

use tlstax_doc::Tool;
use tlstax_measure::clock;
use tlstax_traffic::capture::{self, Capture};
use tlstax_traffic::{Tally, Window};

fn main() {
    let files: Vec<String> = std::env::args().skip(1).collect();
    let mut tally = Tally::new(Window::default());
    let (start, cpu) = (clock::monotonic(), clock::process_cpu());
    let facts = match files.as_slice() {
        [flag, interface, seconds] if flag == "-i" => {
            let until = start.0 + seconds.parse::<u64>().unwrap() * 1_000_000_000;
            let mut capture = Capture::new(&|_| None);
            let result = capture.listen(interface, || clock::monotonic().0 > until, &mut tally);
            let facts = capture.end(&mut tally);
            result.map(|()| facts).map_err(|error| error.to_string())
        }
        _ => capture::read_all(files.len(), |file| File::open(&files[file]), &|_| None, &mut tally)
            .map_err(|(file, error)| format!("{}: {error}", files[file])),
    };
    let (wall, cpu) = (clock::monotonic().since(start), clock::process_cpu().since(cpu));
    println!("{facts:?}");
    let tool = Tool { name: "tlstax".to_owned(), version: "0".to_owned(), reference_kernels: 0 };
    let workload = tally.into_workload(tool, capture::FORMAT, capture::tells(false));
    println!("{}", serde_json::to_string_pretty(&workload).unwrap());
    let bytes = workload.sources[0].bytes as f64;
    println!("{:.2} GB/s, {:.2} GB per CPU second", bytes / wall.0 as f64, bytes / cpu.0 as f64);
}
