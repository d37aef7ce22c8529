//! What holds of every log, whatever its bytes are.

use std::path::Path;
use std::sync::Arc;

use tlstax_doc::{Tool, Workload, merge_workloads, parse_workload};
use tlstax_plan::{ReplaySettings, replay};
use tlstax_traffic::{Reader, Window};

pub fn tool() -> Tool {
    Tool { name: "tlstax".to_owned(), version: "0.0.0".to_owned(), reference_kernels: 0 }
}

/// Every line is counted, one way or the other; two halves of the lines give what all of them give.
pub fn check(reader: impl Reader + Clone + 'static, text: &[u8]) {
    let whole = counted(&reader, text);
    let middle = text.iter().take(text.len() / 2).rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let halves = [counted(&reader, &text[..middle]), counted(&reader, &text[middle..])];
    assert_eq!(merge_workloads(&tool(), &halves), whole);
    check_document(&whole);
}

fn counted(reader: &(impl Reader + Clone + 'static), text: &[u8]) -> Workload {
    let reader: Arc<dyn Reader> = Arc::new(reader.clone());
    let mut part = reader.part(Window::default());
    let mut bad = 0;
    part.lines(text, &mut |_, _, _| bad += 1);
    let workload = part.finish(&tool());
    assert_eq!(workload.sources[0].bad_entries(), bad);
    workload
}

/// It comes back as it was written, and can be offered or not.
pub fn check_document(workload: &Workload) {
    let text = serde_json::to_string(workload).expect("a workload has string keys");
    let again = parse_workload(&text, Path::new("workload.json")).expect("it was just written");
    assert_eq!(again, *workload);
    if let Ok(replay) = replay(workload, ReplaySettings::default()) {
        tlstax_run::Study::parse(&replay.study, "replay.toml", tlstax_run::Extent::Full).expect("it is a study");
    }
}
