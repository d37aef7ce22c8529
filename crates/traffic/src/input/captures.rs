//! Captures among the inputs: all of them are one.

use std::fs::File;
use std::io::{self, BufRead, Read};

use tlstax_doc::Workload;

use super::archive::Packing;
use super::feed::{Job, open};
use super::notice::Notice;
use super::settings::Settings;
use super::shared::Shared;
use super::source::{Opening, PlainFile, Source, as_it_comes, in_order};
use crate::capture::{self, Capture, CaptureFacts, first_packet};
use crate::tally::Tally;

/// Counts captures as one, in the order of their first packets: a program that captures for long begins a new file now and then.
/// What comes through a pipe comes last.
pub fn count(captures: Vec<Job>, settings: &Settings, shared: &Shared) -> Workload {
    let class = |server: &[u8]| settings.classes.of(server);
    let mut tally = Tally::new(settings.window);
    let mut capture = Capture::new(&class);
    for job in in_time(captures) {
        let name = job.name.clone();
        let Some(input) = bytes(job, shared) else { continue };
        let result = capture.read(input, &mut tally);
        match result {
            Err(error) if !shared.is_to_end() => {
                shared.note(Notice::Capture(format!("{name}: {error}")));
            }
            _ => {}
        }
    }
    let facts = capture.end(&mut tally);
    tell(&facts, shared);
    workload(tally, settings)
}

/// What captures have counted, as a document.
pub fn workload(tally: Tally, settings: &Settings) -> Workload {
    let tells = capture::tells(!settings.classes.is_empty());
    tally.into_workload(settings.tool.clone(), capture::FORMAT, tells)
}

fn in_time(captures: Vec<Job>) -> Vec<Job> {
    let mut dated: Vec<(Option<(u64, u32)>, Job)> =
        captures.into_iter().map(|job| (first(&job), job)).collect();
    // Stable: what has no time stays in the order of the command line, at the end.
    dated.sort_by_key(|(at, _)| (at.is_none(), *at));
    dated.into_iter().map(|(_, job)| job).collect()
}

/// When the first packet of a file was. What cannot be told now is told when it is read.
fn first(job: &Job) -> Option<(u64, u32)> {
    let Source::File(PlainFile { opening: Opening::Path(path, _), .. }) = &job.source else { return None };
    let file = io::BufReader::new(File::open(path).ok()?);
    match job.packing {
        None => first_packet(file).ok()?,
        Some(packing) => first_packet(packing.unpack(file).ok()?).ok()?,
    }
}

/// The bytes of a capture, unpacked.
fn bytes(job: Job, shared: &Shared) -> Option<Box<dyn Read + '_>> {
    let Job { name, source, packing, .. } = job;
    match source {
        Source::File(file) => {
            let size = file.size;
            unpacked(in_order(open(file, &name, shared)?, size, shared), packing, name, shared)
        }
        Source::Stream(head, ahead) => unpacked(as_it_comes(head, ahead, shared), packing, name, shared),
    }
}

fn unpacked<'s>(
    packed: impl BufRead + Send + 's,
    packing: Option<Packing>,
    name: String,
    shared: &Shared,
) -> Option<Box<dyn Read + 's>> {
    let unpacked = match packing {
        None => return Some(Box::new(packed)),
        Some(packing) => packing.unpack(packed),
    };
    match unpacked {
        Ok(unpacked) => Some(unpacked),
        Err(source) => {
            shared.note(Notice::Unread { name, read: 0, source });
            None
        }
    }
}

/// What a workload has no place for.
pub fn tell(facts: &CaptureFacts, shared: &Shared) {
    let note = |count: u64, what: &str| {
        if count > 0 {
            shared.note(Notice::Capture(format!("captures: {count}{what}")));
        }
    };
    note(
        facts.dropped.unwrap_or(0),
        " packets were lost by the program that captured: what they carried is missing",
    );
    note(
        facts.gaps,
        " places where packets are missing: what stands behind them in a connection is not read",
    );
    note(
        facts.evicted,
        " connections were given up, since too many were open at once: their counts are too small",
    );
    note(facts.stopped.len() as u64, " files are cut or damaged: they are counted up to there");
    if !facts.other_links.is_empty() {
        let links: Vec<String> = facts.other_links.iter().map(ToString::to_string).collect();
        let links = links.join(", ");
        shared.note(Notice::Capture(format!("captures: packets of link type {links} are not read")));
    }
}
