//! The suite: its checks in their order.

use super::checks::{Checks, Count, Extent};
use super::subject::{Miss, Subject};
use super::{claims, connections, conversation, handshakes, loads, memory, parts, primitives, requests};
use crate::Home;
use crate::registry::Entry;

/// Runs the checks that the claims of a worker call for; `output` gets one line for each.
pub(crate) fn run(entry: Entry, home: &Home, extent: Extent, output: &mut dyn FnMut(&str)) -> Count {
    let mut count = Count::default();
    let subject = match Subject::start(entry, home) {
        Ok(subject) => subject,
        Err(refused) => {
            count.note("start", Err(refused.into()), output);
            return count;
        }
    };
    output(&format!("{} ({}), over the bridge", subject.hello.version, subject.hello.family));
    let mut checks = Checks { subject, extent, count, output };
    claims::check(&mut checks);
    conversation::check(&mut checks);
    primitives::check(&mut checks);
    handshakes::check(&mut checks);
    connections::check(&mut checks);
    parts::check(&mut checks);
    loads::check(&mut checks);
    requests::check(&mut checks);
    memory::check(&mut checks);
    checks.check("the end", |subject| subject.end());
    if checks.subject.is_given_up() {
        let why = Miss::from("the worker was lost again and again: the checks after that were not made");
        checks.count.note("the suite to its end", Err(why), checks.output);
    }
    checks.count
}
