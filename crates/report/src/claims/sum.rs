//! What became of all claims, in one sentence, and of those that do not hold, in one each.

use tlstax_claims::{Answer, Verdict};

use super::words;

/// "Of 37 claims 21 hold on this machine, 6 do not, ...": a sentence for each machine.
pub(super) fn sum(answers: &[Answer<'_>]) -> String {
    let mut machines: Vec<Option<&str>> = answers.iter().map(machine).collect();
    machines.sort_unstable();
    machines.dedup();
    let known: Vec<&str> = machines.iter().copied().flatten().collect();
    match known.as_slice() {
        [] | [_] => of(answers.iter(), "this machine"),
        several => {
            let on = |one: &&str| {
                of(answers.iter().filter(|answer| machine(answer).is_none_or(|name| name == *one)), one)
            };
            several.iter().map(on).collect::<Vec<_>>().join(" ")
        }
    }
}

fn machine<'a>(answer: &'a Answer<'_>) -> Option<&'a str> {
    answer.machine.as_deref()
}

fn of<'a>(answers: impl Iterator<Item = &'a Answer<'a>>, machine: &str) -> String {
    let verdicts: Vec<Verdict> = answers.map(|answer| answer.verdict).collect();
    let parts = PARTS.iter().filter_map(|(verdict, one, many)| {
        let count = verdicts.iter().filter(|found| *found == verdict).count();
        let words = if count == 1 { one } else { many };
        let is_told = count > 0 || *verdict == Verdict::Holds;
        is_told.then(|| words.replace("{n}", &count.to_string()).replace("{machine}", machine))
    });
    let claims = match verdicts.len() {
        1 => "1 claim".to_owned(),
        count => format!("{count} claims"),
    };
    format!("Of {claims} {}.", parts.collect::<Vec<_>>().join(", "))
}

/// What is said of one claim with a verdict, and of several or none.
const PARTS: [(Verdict, &str, &str); 6] = [
    (Verdict::Holds, "{n} holds on {machine}", "{n} hold on {machine}"),
    (Verdict::DoesNotHold, "{n} does not", "{n} do not"),
    (Verdict::CannotTell, "of {n} it cannot be told", "of {n} it cannot be told"),
    (Verdict::Compared, "{n} is a rate and has no verdict", "{n} are rates and have no verdict"),
    (Verdict::NotMeasurable, "{n} is not measurable here", "{n} are not measurable here"),
    (Verdict::NotMeasured, "{n} was not measured", "{n} were not measured"),
];

/// The claims that do not hold, each with the first figure that says so.
pub(super) fn exceptions(answers: &[Answer<'_>]) -> Vec<String> {
    let told = |answer: &Answer<'_>| {
        let here = answer.here.iter().find(|here| here.verdict == Verdict::DoesNotHold && !here.aside)?;
        let claimed = here.claimed?.told(here.unit);
        Some(format!(
            "{} does not hold: {} is {} here; claimed: {claimed}.",
            answer.claim.id,
            here.words,
            words::figure(here)
        ))
    };
    answers.iter().filter(|answer| answer.verdict == Verdict::DoesNotHold).filter_map(told).collect()
}
