//! Workers that came built pass the conformance suite with the libraries of this machine before they are measured.

use std::collections::BTreeSet;

use tlstax_doc::LibraryKind;
use tlstax_libraries::{Block, ConformanceExtent, Entry, conformance, is_unproven};
use tlstax_measure::command::Log;
use tlstax_measure::signal::interrupted;
use tlstax_run::Plan;
use tlstax_spec::Id;

use crate::output::warn;

/// So many failed checks are quoted.
const QUOTED: usize = 5;

/// Runs the suite on those that take part, came built, and have not passed with the files that they load here: at the first use, and
/// when a library was upgraded. A worker that fails is not measured, and its row says so.
pub fn prove(plan: &Plan<'_>, is_quiet: bool) -> anyhow::Result<()> {
    let named: BTreeSet<&Id> =
        plan.libraries.iter().chain(plan.study.servers()).chain(plan.study.clients()).collect();
    let takes_part = |entry: &&Entry| named.contains(&entry.id) || entry.kind == LibraryKind::Control;
    let blocks = plan.registry.all().filter(takes_part).filter_map(Entry::block);
    for block in blocks.filter(|block| is_unproven(block, plan.home)) {
        if interrupted() {
            break;
        }
        if !is_quiet {
            warn(&format!("{}: its library is new here: run the conformance suite", block.id));
        }
        pass(block, plan)?;
    }
    Ok(())
}

fn pass(block: &Block, plan: &Plan<'_>) -> anyhow::Result<()> {
    let path = plan.home.log(&format!("{}-conformance", block.id));
    let mut log = Log::create(&path)?;
    let program = block.program_path(plan.home);
    let found = conformance(block, &program, plan.home, ConformanceExtent::Whole, &mut log)?;
    if found.failed > 0 {
        let quoted: Vec<&str> = found.failures.iter().map(String::as_str).take(QUOTED).collect();
        let (id, list, path) = (&block.id, quoted.join("\n"), path.display());
        warn(&format!(
            "{id}: {} checks failed, so it is not measured:\n{list}\nthe whole log is {path}",
            found.failed
        ));
    }
    Ok(())
}
