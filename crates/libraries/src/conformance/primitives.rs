//! Whether primitives compute what they must, at every size and in every call pattern.

use tlstax_spec::known_answers::{name, operations, output, proof, sizes};
use tlstax_spec::wire::members;
use tlstax_spec::{Class, Pattern, Primitive, Proof, Workload};

use super::checks::Checks;
use super::subject::{Miss, Subject};

/// Sizes around which libraries change their code path: one block, a packet, a whole record.
const SIZES: [u32; 3] = [16, 1350, 16_384];

/// Calls in a batch: enough to run through several nonces.
const CALLS: u64 = 5;

/// The threads that do the same at the same time.
const THREADS: u16 = 2;

pub(super) fn check(checks: &mut Checks<'_>) {
    let patterns: Vec<Pattern> = members(&checks.subject.hello.patterns);
    for (algorithm, op) in operations() {
        let name = name(algorithm, op);
        let size = if algorithm.class().is_sized() { 64 } else { 0 };
        let primitive = Primitive { op, algorithm, size, pattern: Pattern::Tls };
        if !checks.subject.hello.primitives.contains(&name) {
            checks.check(&format!("unclaimed {name}"), |subject| {
                subject.refuses(Workload::Primitive(primitive))
            });
            continue;
        }
        checks.check(&format!("known answer {name}"), |subject| {
            sizes(algorithm).iter().try_for_each(|&size| answers(subject, Primitive { size, ..primitive }))
        });
        for &pattern in Pattern::ALL {
            let primitive = Primitive { pattern, ..primitive };
            if patterns.contains(&pattern) {
                checks.check(&format!("runs {name} {pattern}"), |subject| runs(subject, primitive));
            } else if algorithm.class() != Class::Setup {
                // What is set up before connections is the same in every pattern.
                checks.check(&format!("unclaimed {name} {pattern}"), |subject| {
                    subject.refuses(Workload::Primitive(primitive))
                });
            }
        }
    }
}

/// The worker compares the whole output when it prepares; its end is compared here, with an answer that must be known.
fn answers(subject: &mut Subject<'_>, primitive: Primitive) -> Result<(), Miss> {
    let trial = subject.prepare(1, Workload::Primitive(primitive))?.proof;
    match output(&primitive) {
        Some(known) => is_answer(primitive, &trial, &proof(&known)),
        None => Err(format!("no answer is known for {} bytes", primitive.size).into()),
    }
}

/// It runs at several sizes and on two threads, or on one where a worker has no threads.
fn runs(subject: &mut Subject<'_>, primitive: Primitive) -> Result<(), Miss> {
    let sizes: &[u32] = if primitive.algorithm.class().is_sized() { &SIZES } else { &[0] };
    for &size in sizes {
        let primitive = Primitive { size, ..primitive };
        let tried = match subject.tried(THREADS, Workload::Primitive(primitive), CALLS) {
            Err(Miss::Skipped(_)) => subject.tried(1, Workload::Primitive(primitive), CALLS)?,
            other => other?,
        };
        let first = tried.trial.answer.clone().unwrap_or_default();
        is_answer(primitive, &tried.proof, &first)?;
        if let Some(known) = output(&primitive).filter(|_| primitive.pattern == Pattern::Tls) {
            is_answer(primitive, &tried.trial, &proof(&known))?;
        }
    }
    Ok(())
}

fn is_answer(primitive: Primitive, given: &Proof, known: &str) -> Result<(), Miss> {
    let given = given.answer.as_deref().unwrap_or("nothing");
    if given == known {
        return Ok(());
    }
    let (name, size) = (name(primitive.algorithm, primitive.op), primitive.size);
    Err(format!("{name} of {size} bytes ends in {given}, the known answer in {known}").into())
}
