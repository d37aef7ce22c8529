//! What holds of every import, whatever the bytes are.

use std::io::Cursor;
use std::path::Path;
use std::sync::LazyLock;

use tlstax_doc::{Profile, Tool, parse_profile};
use tlstax_observe::{Classifier, Collector, Format, Input, SourceError, Surroundings, read};

static CLASSIFIER: LazyLock<Classifier> = LazyLock::new(Classifier::built_in);

/// It is refused with its name, or becomes a profile whose sums are the same by stacks, spans and processes, and which comes back as
/// it was written.
pub fn check(bytes: &[u8], format: Format) {
    let from_file = profile(Input::file("given", Cursor::new(bytes)).of(format));
    let from_pipe = profile(Input::stream("given", bytes).of(format));
    for profile in [&from_file, &from_pipe] {
        match profile {
            Ok(profile) => check_profile(profile),
            Err(error) => {
                let text = error.to_string();
                assert!(text.starts_with("given ") || text.starts_with("cannot read given: "), "{text}");
            }
        }
    }
    // Only of a recording of perf a file has more than a pipe.
    if format != Format::PerfData {
        assert_eq!(from_file.ok(), from_pipe.ok());
    }
    // By its content it is told to be something, or nothing; neither fails otherwise.
    let _ = profile(Input::stream("given", bytes));
}

fn profile(input: Input<'_>) -> Result<Profile, SourceError> {
    let mut collector = Collector::new(&CLASSIFIER);
    let facts = read(input, &mut collector)?;
    assert!(collector.samples() > 0, "without samples it is no profile");
    let tool = Tool { name: "tlstax".to_owned(), version: "0.0.0".to_owned(), reference_kernels: 0 };
    Ok(collector.finish(facts, Surroundings::default(), tool))
}

fn check_profile(profile: &Profile) {
    let capture = &profile.captures[0];
    let by_stacks: u128 = profile.stacks.iter().map(|stack| u128::from(stack.weight)).sum();
    let weights = capture.spans.iter().flat_map(|span| &span.weights);
    let by_spans: u128 = weights.map(|weight| u128::from(weight.weight)).sum();
    let by_processes: u128 = capture.processes.iter().map(|process| u128::from(process.weight)).sum();
    if by_stacks < u128::from(u64::MAX) {
        assert_eq!((by_stacks, by_stacks), (by_spans, by_processes));
    }
    let text = serde_json::to_string(profile).expect("a profile has string keys");
    let again = parse_profile(&text, Path::new("profile.json")).expect("it was just written");
    assert_eq!(again.stacks, profile.stacks);
}
