//! `tlstax libraries build`: from blocks of the registry to workers in their places.

use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use tlstax_libraries::{Block, BuildError, Builder, Cache};
use tlstax_measure::signal::interrupted;

use crate::cli::project::Project;
use crate::failure;
use crate::output::warn;

/// So many are built at the same time: while one passes its suite in one thread, another compiles.
const AT_ONCE: usize = 2;

/// Builds the libraries of these ids and words; the exit code says whether enough of them can be used.
pub(super) fn run(ids: &[String], strict: bool, project: &Project) -> anyhow::Result<ExitCode> {
    let blocks = named(ids, project)?;
    let builder = Builder::new(&project.home, &project.registry, Cache::find());
    let (next, usable, current) = (AtomicUsize::new(0), AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE.min(blocks.len()) {
            scope.spawn(|| {
                while let Some((at, block)) = take(&blocks, &next) {
                    let place = format!("[{}/{}] {}", at + 1, blocks.len(), block.id);
                    let built = build_one(block, &builder, &place);
                    usable.fetch_add(usize::from(built.is_some()), Ordering::Relaxed);
                    if let (Some(Built::Before), Ok(mut current)) = (built, current.lock()) {
                        current.push(block.id.as_str());
                    }
                }
            });
        }
    });
    let current = current.into_inner().unwrap_or_default();
    match current.as_slice() {
        [] => {}
        [one] => warn(&format!("{one} is up to date")),
        several => warn(&format!("{} are up to date", several.join(", "))),
    }
    if interrupted() {
        return Ok(ExitCode::from(failure::INTERRUPTED));
    }
    // Some are enough to go on with; none is not.
    let wanted = if strict { blocks.len() } else { 1 };
    Ok(if usable.into_inner() >= wanted { ExitCode::SUCCESS } else { ExitCode::from(failure::ENVIRONMENT) })
}

/// The next entry that nobody builds yet; none when the user wants to stop.
fn take<'a>(blocks: &[&'a Block], next: &AtomicUsize) -> Option<(usize, &'a Block)> {
    let at = next.fetch_add(1, Ordering::Relaxed);
    blocks.get(at).filter(|_| !interrupted()).map(|block| (at, *block))
}

/// When a library that can be used was built.
enum Built {
    Now,
    Before,
}

/// Builds one and tells what becomes of it; none where it cannot be used.
fn build_one(block: &Block, builder: &Builder<'_>, place: &str) -> Option<Built> {
    let mut is_told = false;
    let built = builder.build(block, &mut |what| {
        if !std::mem::replace(&mut is_told, true) {
            warn(&format!("{place}: {}", block.about));
        }
        warn(&format!("{place}: {what}"));
    });
    match built {
        Ok(true) => return Some(Built::Now),
        Ok(false) => return Some(Built::Before),
        Err(error @ BuildError::Interrupted(_)) => warn(&error.to_string()),
        Err(error) => warn(&format!("not available: {error}")),
    }
    None
}

/// The blocks of ids and words, each once.
pub(super) fn named<'a>(ids: &[String], project: &'a Project) -> anyhow::Result<Vec<&'a Block>> {
    let fast = ["fast".to_owned()];
    let mut blocks: Vec<&Block> = Vec::new();
    for id in if ids.is_empty() { &fast } else { ids } {
        let more = match project.registry.group(id) {
            Some(group) => group,
            None => vec![project.registry.find(id)?],
        };
        for entry in more {
            let of_others =
                || format!("{} is a program of others: tlstax libraries says how to install it", entry.id);
            let block = entry.block().ok_or_else(|| failure::Usage(of_others()))?;
            if !blocks.iter().any(|one| one.id == block.id) {
                blocks.push(block);
            }
        }
    }
    Ok(blocks)
}
