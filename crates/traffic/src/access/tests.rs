//! Lines as servers write them.

mod bad;
mod formats;
mod golden;
mod random;

use tlstax_doc::{Bad, Tool, Workload};

use super::{AccessLog, Layout, Server};
use crate::line::Lines;
use crate::tally::Tally;

fn log(server: Server, format: &str) -> AccessLog {
    AccessLog::new(Layout::compiled(server, format).unwrap())
}

/// What was counted of lines, and what was wrong with those that are bad.
fn counted(log: &AccessLog, lines: &[&str]) -> (Workload, Vec<Bad>) {
    let (mut memory, mut tally, mut bad) = (super::log::Memory::default(), Tally::default(), Vec::new());
    for line in lines {
        match log.read(line.as_bytes(), &mut memory, &mut tally) {
            Ok(Some(seen)) => tally.add(&seen),
            Ok(None) => {}
            Err(what) => bad.push(what),
        }
    }
    let tool = Tool { name: "tlstax".to_owned(), version: "0".to_owned(), reference_kernels: 0 };
    (tally.into_workload(tool, log.format(), log.tells()), bad)
}

/// One line for each share: what it is of, and how much there was of it.
fn shares(workload: &Workload) -> Vec<String> {
    let share = |share: &tlstax_doc::Share| {
        let (kind, counts) = (&share.kind, &share.counts);
        let words = [
            kind.class.clone(),
            kind.protocol.map(|protocol| protocol.word().to_owned()),
            kind.suite.clone(),
            kind.group.clone(),
            kind.key.clone(),
            kind.resumed.map(|resumed| resumed.title().to_owned()),
            kind.http.map(|http| http.word().to_owned()),
        ];
        let words: Vec<String> = words.into_iter().flatten().collect();
        format!(
            "{}: {} connections, {} requests, {} out, {} in",
            words.join(" "),
            counts.connections,
            counts.requests,
            counts.out.bytes,
            counts.into.bytes
        )
    };
    workload.shares.iter().map(share).collect()
}
