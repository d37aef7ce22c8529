//! [`Published`]: figures that others published, by our names, and which of them nothing of a run stands beside.

use std::collections::{BTreeMap, BTreeSet};

use tlstax_doc::{Note, Severity};
use tlstax_spec::{Algorithm, Direction, Op, Primitive, Suite};

use super::problem::PublishedProblem;
use crate::ask::{Item, distinct};
use crate::notes::note;
use crate::number;

/// Published figures: the rows of `reference/*.csv`, and of files of the same form.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct Published {
    pub(super) operations: Vec<Line>,
    pub(super) transfers: Vec<Transfer>,
    /// What could not be read.
    pub(super) problems: Vec<PublishedProblem>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Line {
    pub machine: String,
    pub software: String,
    pub algorithm: String,
    pub operation: String,
    pub bytes: Option<u32>,
    pub value: f64,
    pub unit: String,
}

/// A large file that a client moved.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Transfer {
    pub machine: String,
    /// The suite as it was published.
    pub name: String,
    /// None is plain HTTP.
    pub suite: Option<Suite>,
    /// The program, and what else was said of it.
    pub client: String,
    pub direction: Direction,
    /// MiB in a second of elapsed time.
    pub speed: Option<f64>,
    /// MiB in a second of the client's CPU time in user space.
    pub client_speed: Option<f64>,
}

impl Published {
    pub(super) fn machines(&self) -> Vec<(&str, &str)> {
        distinct(self.operations.iter().map(|row| (row.machine.as_str(), row.software.as_str())), |machine| {
            *machine
        })
    }

    /// What was published of an operation on a machine.
    pub(super) fn find(&self, machine: (&str, &str), work: &Primitive, largest: u32) -> Option<&Line> {
        let is_it = |line: &&Line| {
            (line.machine.as_str(), line.software.as_str()) == machine && line.is(work, largest)
        };
        self.operations.iter().find(is_it)
    }
}

impl Line {
    /// Whether this is the same operation; where no size was published, it is set beside the largest message.
    pub fn is(&self, work: &Primitive, largest: u32) -> bool {
        let silent = if work.algorithm.class().is_sized() { largest } else { 0 };
        self.names(work) && self.bytes.unwrap_or(silent) == work.size
    }

    /// Whether this is the same operation, whatever the size.
    pub fn names(&self, work: &Primitive) -> bool {
        self.algorithm() == work.algorithm.name() && self.operation() == work.op.name()
    }

    pub fn algorithm(&self) -> &str {
        if self.algorithm == "aes-128-cbc-sha1" {
            Algorithm::Aes128CbcHmacSha1.name()
        } else {
            &self.algorithm
        }
    }

    /// The operation by our name: what is published as `seal` we call encryption.
    pub fn operation(&self) -> &str {
        if self.operation == "seal" { Op::Encrypt.name() } else { &self.operation }
    }
}

/// The published operations that have no partner in this run; those that can have none stand apart.
pub(super) fn unmatched(items: &[Item<'_, Primitive>], published: &Published, largest: u32) -> Vec<Note> {
    let has_partner = |line: &Line| items.iter().any(|item| line.is(item.work, largest));
    let mut others: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
    let mut exchanges: BTreeSet<&str> = BTreeSet::new();
    for line in published.operations.iter().filter(|line| !has_partner(line)) {
        if line.operation == "exchange" {
            exchanges.insert(&line.algorithm);
        } else {
            let sizes = others.entry(format!("{} {}", line.algorithm(), line.operation())).or_default();
            sizes.extend(line.bytes);
        }
    }
    let sized = |(name, sizes): (String, BTreeSet<u32>)| {
        let sizes: Vec<String> = sizes.into_iter().map(|size| number::bytes(size.into())).collect();
        if sizes.is_empty() { name } else { format!("{name} of {}", sizes.join(", ")) }
    };
    let info = |what: String, remedy: &str| note(Severity::Info, what, remedy);
    let mut notes = Vec::new();
    if !others.is_empty() {
        let others: Vec<String> = others.into_iter().map(sized).collect();
        notes.push(info(format!("published, and not measured in this run: {}", others.join("; ")), ""));
    }
    if !exchanges.is_empty() {
        let exchanges: Vec<&str> = exchanges.into_iter().collect();
        let what = format!("published, and without a counterpart here: exchange ({})", exchanges.join(", "));
        notes.push(info(what, "an exchange is a keygen and a derive together: add the two"));
    }
    notes
}

#[cfg(test)]
mod tests {
    use tlstax_spec::Pattern;

    use super::*;

    const TEXT: &str = "source,machine,software,kind,algorithm,operation,bytes,value,unit\n\
                        s,M,\"A, B\",primitive,aes-128-gcm,seal,8192,12.5,MB/s\n\
                        s,M,C,primitive,rsa-2048,sign,,1120,op/s\n\
                        s,M,C,primitive,aes-128-cbc-sha1,seal,,387,MB/s\n\
                        s,M,C,primitive,x25519,exchange,,9278,op/s\n";

    fn read(text: &str) -> Published {
        let mut published = Published::default();
        published.read("figures.csv", text, &|_| None);
        assert_eq!(published.problems(), []);
        published
    }

    #[test]
    fn published_names_are_ours() {
        let published = read(TEXT);
        let gcm =
            Primitive { op: Op::Encrypt, algorithm: Algorithm::Aes128Gcm, size: 8192, pattern: Pattern::Tls };
        let rsa = Primitive { op: Op::Sign, algorithm: Algorithm::Rsa2048, size: 0, pattern: Pattern::Tls };
        assert!(published.operations[0].is(&gcm, 64) && published.operations[1].is(&rsa, 64));
        let cbc = Primitive { algorithm: Algorithm::Aes128CbcHmacSha1, size: 64, ..gcm };
        assert!(published.operations[2].is(&cbc, 64) && !published.operations[2].is(&cbc, 8192));
        assert_eq!(published.machines(), [("M", "A, B"), ("M", "C")]);
    }

    #[test]
    fn exchanges_are_set_apart() {
        let published = read(TEXT);
        let notes = unmatched(&[], &published, 0);
        assert!(notes[0].what.contains("aes-128-gcm encrypt of 8 KiB; rsa-2048 sign"), "{notes:?}");
        assert!(notes[1].what.contains("exchange (x25519)"), "{notes:?}");
    }
}
