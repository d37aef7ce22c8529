//! Published figures that nothing of this run stands beside.

use std::collections::{BTreeMap, BTreeSet};

use tlstax_doc::{Note, Severity};
use tlstax_spec::Primitive;

use super::figures::{Line, Published};
use crate::ask::Item;
use crate::notes::note;
use crate::number;

/// The published operations that have no partner in this run; those that can have none stand apart.
pub(super) fn unmatched(items: &[Item<'_, Primitive>], published: &Published, largest: u32) -> Vec<Note> {
    let has_partner = |line: &Line| items.iter().any(|item| line.is(item.work, largest));
    let mut others: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
    let mut exchanges: BTreeSet<&str> = BTreeSet::new();
    for line in published.rows.iter().filter(|line| !has_partner(line)) {
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
    use super::*;

    #[test]
    fn exchanges_are_set_apart() {
        let text = "source,machine,software,kind,algorithm,operation,bytes,value,unit\n\
                    s,M,\"A, B\",primitive,aes-128-gcm,seal,8192,12.5,MB/s\n\
                    s,M,C,primitive,rsa-2048,sign,,1120,op/s\n\
                    s,M,C,primitive,aes-128-cbc-sha1,seal,,387,MB/s\n\
                    s,M,C,primitive,x25519,exchange,,9278,op/s\n";
        let published = Published::parse(text).expect("the text has the columns");
        let notes = unmatched(&[], &published, 0);
        assert!(notes[0].what.contains("aes-128-gcm encrypt of 8 KiB; rsa-2048 sign"), "{notes:?}");
        assert!(notes[1].what.contains("exchange (x25519)"), "{notes:?}");
    }
}
