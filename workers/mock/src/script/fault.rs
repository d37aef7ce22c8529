//! Choosing and playing the faults of a script.

use std::collections::HashMap;

use tlstax_spec::wire::Answer;
use tlstax_spec::{Bytes, Case, Compression, Nanos, Parts, Proof, Stage, Suite};

use super::format::{At, Fault, FaultRule};

#[derive(Debug)]
pub struct Faults {
    rules: Vec<FaultRule>,
    seen: HashMap<(At, String), u32>,
}

impl Faults {
    pub fn new(rules: Vec<FaultRule>) -> Self {
        Self { rules, seen: HashMap::new() }
    }

    /// Counts a request, and says what goes wrong with it: the first rule that fits.
    pub fn next(&mut self, at: At, id: &str) -> Option<&FaultRule> {
        let seen = self.seen.entry((at, id.to_owned())).or_default();
        *seen += 1;
        self.rules.iter().find(|rule| rule.at == at && rule.case.fits(id) && *seen >= rule.from)
    }
}

/// The answer with a lie in it. Faults that are none of the answer's content leave it as it is.
pub fn distort(fault: Fault, case: Option<&Case>, answer: Answer) -> Answer {
    let slot = answer.slot().unwrap_or_default();
    match fault {
        Fault::Fail => {
            Answer::Failed { slot, stage: Stage::Run, message: "as the script wants it".to_owned() }
        }
        Fault::Unsupported => Answer::Unsupported { slot, reason: "the script has no such thing".to_owned() },
        Fault::WrongKind if matches!(answer, Answer::Released { .. }) => Answer::Hello(Box::default()),
        Fault::WrongKind => Answer::Released { slot },
        Fault::OtherSlot => with_slot(answer, slot + 1),
        Fault::OtherCompression => with_proof(answer, |proof| {
            proof.compression = match proof.compression {
                None => Some(Compression::Deflate),
                Some(_) => None,
            };
        }),
        Fault::OtherSuite => with_proof(answer, |proof| {
            let asked = case.and_then(|case| case.workload.params()).map(|params| params.suite);
            proof.suite = Suite::ALL.iter().copied().find(|suite| Some(*suite) != asked);
        }),
        Fault::OtherResumption => with_proof(answer, |proof| {
            proof.resumed = if proof.resumed == 0 { proof.handshakes.max(1) } else { 0 };
        }),
        Fault::OtherFlights => with_proof(answer, |proof| proof.flights.push(1)),
        Fault::WrongAnswer => with_proof(answer, |proof| proof.answer = Some("0".repeat(32))),
        Fault::NoProof => with_proof(answer, |proof| *proof = Proof::default()),
        Fault::NoHandshakes => with_proof(answer, |proof| (proof.handshakes, proof.resumed) = (0, 0)),
        Fault::FewerIterations => with_iterations(answer, |iterations| iterations / 2),
        Fault::MoreIterations => with_iterations(answer, |iterations| iterations * 2),
        Fault::FewerParts => with_parts(answer, |parts| parts.truncate(parts.len().saturating_sub(1))),
        Fault::MoreParts => with_parts(answer, |parts| parts.extend(parts.last().copied())),
        Fault::PartsDoNotAddUp => with_parts(answer, |parts| parts.iter_mut().for_each(|part| part.0 *= 2)),
        Fault::Die | Fault::DieInAnswer | Fault::Hang | Fault::Rubbish | Fault::Flood => answer,
    }
}

fn with_slot(mut answer: Answer, other: u32) -> Answer {
    match &mut answer {
        Answer::Ready { slot, .. }
        | Answer::Sampled { slot, .. }
        | Answer::Unsupported { slot, .. }
        | Answer::Failed { slot, .. }
        | Answer::Usage { slot, .. }
        | Answer::Released { slot } => *slot = other,
        Answer::Hello(_) | Answer::Suites { .. } | Answer::Looked(_) | Answer::Reference { .. } => {}
    }
    answer
}

fn with_proof(mut answer: Answer, change: impl FnOnce(&mut Proof)) -> Answer {
    if let Answer::Ready { proof, .. } | Answer::Sampled { proof, .. } = &mut answer {
        change(proof);
    }
    answer
}

fn with_iterations(mut answer: Answer, change: impl Fn(u64) -> u64) -> Answer {
    if let Answer::Sampled { sample, .. } = &mut answer {
        sample.iterations = change(sample.iterations);
        sample.bytes = Bytes(change(sample.bytes.0));
    }
    answer
}

fn with_parts(mut answer: Answer, change: impl Fn(&mut Vec<Nanos>)) -> Answer {
    if let Answer::Sampled { sample, .. } = &mut answer {
        let Parts { whole, client, server } = &mut sample.parts;
        [whole, client, server].into_iter().for_each(change);
    }
    answer
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn requests_are_counted_for_each_case() {
        let rules = r#"[{"case": "*/b", "from": 2, "fault": "hang"}, {"at": "prepare", "fault": "fail"}]"#;
        let mut faults = Faults::new(serde_json::from_str(rules).unwrap());
        let mut next = |at, id| faults.next(at, id).map(|rule| rule.fault);
        assert_eq!(next(At::Prepare, "a/b"), Some(Fault::Fail));
        assert_eq!(next(At::Run, "a/b"), None);
        assert_eq!(next(At::Run, "x/b"), None);
        assert_eq!(next(At::Run, "a/b"), Some(Fault::Hang));
        assert_eq!(next(At::Run, "a/b"), Some(Fault::Hang));
        assert_eq!(next(At::Run, "a/c"), None);
    }
}
