//! Planted results: every verdict is what the raw tables show, and what cannot be answered has a reason.
#![allow(clippy::unwrap_used)]

mod planted;

use std::path::Path;

use planted::{Machine, QUIET, cases};
use tlstax_claims::{Answer, Book, Span, Unit, Verb, Verdict, Witness, answer, answer_with, needed};
use tlstax_doc::{CountedBy, Metric, Outcome, Results, Summaries, parse_results};
use tlstax_spec::{Algorithm, Case, Id, Workload};

/// A claim of one ratio, with what is claimed of it.
fn claim(claimed: &str) -> Book {
    let text = format!(
        "[[claim]]\nid = \"mine\"\nsource = \"me\"\nwords = \"?\"\nkind = \"ratio\"\nlibraries = [\"openssl\"]\n\
         [claim.case.slow]\nkind = \"primitive\"\nalgorithm = \"sha256\"\nsize = 1024\n\
         [claim.case.fast]\nlike = \"slow\"\nalgorithm = \"sha1\"\n\
         [[claim.check]]\nwords = \"SHA-256 / SHA-1\"\nrule = \"ratio\"\nvalue = \"slow / fast\"\n{claimed}\n"
    );
    Book::read(&text, "mine.toml").unwrap()
}

fn is(case: &Case, algorithm: Algorithm) -> bool {
    matches!(case.workload, Workload::Primitive(primitive) if primitive.algorithm == algorithm)
}

/// Results in which SHA-256 costs so many times what SHA-1 does.
fn with_ratio(book: &Book, ratio: f64, machine: &Machine) -> Results {
    machine
        .measures(&cases(book), |case| if is(case, Algorithm::Sha256) { 20_000.0 * ratio } else { 20_000.0 })
}

fn only<'b>(book: &'b Book, runs: &[&Results]) -> Answer<'b> {
    let mut answers = answer(book, &[], runs).unwrap();
    assert_eq!(answers.len(), 1, "{answers:?}");
    answers.remove(0)
}

#[test]
fn a_verdict_is_what_the_raw_table_shows() {
    use Verdict::{CannotTell, DoesNotHold, Holds};
    for (claimed, ratio, verdict) in [
        ("above = 2", 2.1, Holds),
        ("above = 2", 1.9, DoesNotHold),
        ("above = 2", 2.0, CannotTell),
        ("below = 2", 1.9, Holds),
        ("below = 2", 2.1, DoesNotHold),
        ("below = 2", 2.0, CannotTell),
        ("from = 2\nto = 4", 3.0, Holds),
        ("from = 2\nto = 4", 2.0, Holds),
        ("from = 2\nto = 4", 1.9, DoesNotHold),
        ("from = 2\nto = 4", 4.2, DoesNotHold),
    ] {
        let book = claim(claimed);
        let results = with_ratio(&book, ratio, &QUIET);
        let answer = only(&book, &[&results]);
        assert_eq!(answer.verdict, verdict, "{claimed} at {ratio}: {answer:?}");
        assert_eq!(answer.why.is_none(), verdict == Holds, "{:?}", answer.why);
        let here = &answer.here[0];
        assert!((here.value / ratio - 1.0).abs() < 0.01, "{here:?}");
        // The same interval as the report's own tables have.
        let place = |algorithm| results.measurements.iter().position(|one| is(&one.case, algorithm)).unwrap();
        let summaries = Summaries::of(&results);
        let table = summaries.ratio(place(Algorithm::Sha256), place(Algorithm::Sha1), Metric::Cpu).unwrap();
        for (one, other) in [(here.value, table.value), (here.low, table.low), (here.high, table.high)] {
            assert!((one / other - 1.0).abs() < 1e-9, "{here:?} {table:?}");
        }
    }
}

#[test]
fn the_interval_decides_and_not_the_median() {
    let book = claim("above = 1");
    let noisy = Machine { jitter: 0.3, ..QUIET };
    let answer = only(&book, &[&with_ratio(&book, 1.03, &noisy)]);
    assert_eq!(answer.verdict, Verdict::CannotTell, "{answer:?}");
    assert!(answer.why.unwrap().contains("both sides"));
}

#[test]
fn a_case_that_nobody_measured_leaves_the_others_their_answer() {
    let book = Book::read(
        "[[claim]]\nid = \"two\"\nsource = \"me\"\nwords = \"?\"\nkind = \"ratio\"\nlibraries = \"openssl\"\n\
         [claim.case.a]\nkind = \"primitive\"\nalgorithm = \"sha256\"\nsize = 1024\n\
         [claim.case.b]\nlike = \"a\"\nalgorithm = \"sha1\"\n[claim.case.c]\nlike = \"a\"\nalgorithm = \"md5\"\n\
         [[claim.check]]\nwords = \"SHA-256 / SHA-1\"\nrule = \"ratio\"\nvalue = \"a / b\"\nabove = 1\n\
         [[claim.check]]\nwords = \"SHA-256 / MD5\"\nrule = \"ratio\"\nvalue = \"a / c\"\nabove = 1\n",
        "mine.toml",
    )
    .unwrap();
    let cost = |case: &Case| if is(case, Algorithm::Sha256) { 40_000.0 } else { 20_000.0 };
    let all = cases(&book);
    let without_md5: Vec<Case> = all.iter().filter(|case| !is(case, Algorithm::Md5)).cloned().collect();
    let results = QUIET.measures(&without_md5, cost);
    let answer = only(&book, &[&results]);
    assert_eq!((answer.here.len(), answer.verdict), (1, Verdict::CannotTell), "{answer:?}");
    assert_eq!(answer.here[0].verdict, Verdict::Holds);
    assert!(
        answer.missing[0].why.contains("SHA-256 / MD5: the results have no case"),
        "{:?}",
        answer.missing
    );
    assert_eq!(answer.why.as_ref(), answer.missing.first().map(|one| &one.why));
    // Measured together they answer; only the two of the open check are asked for.
    let needs = needed(&book, &[], &[&results], false, &|_| true).unwrap();
    assert_eq!(needs.len(), 2, "{needs:?}");
    assert!(needs.iter().all(|need| !is(&need.case, Algorithm::Sha1)));
    let whole = QUIET.measures(&all, cost);
    assert_eq!(only(&book, &[&results, &whole]).verdict, Verdict::Holds);
    assert!(needed(&book, &[], &[&whole], false, &|_| true).unwrap().is_empty());

    // One that does not hold is enough, whatever else is missing.
    let reversed = QUIET.measures(&without_md5, |case| 60_000.0 - cost(case));
    assert_eq!(only(&book, &[&reversed]).verdict, Verdict::DoesNotHold);
}

#[test]
fn results_with_any_of_the_values_answer_and_the_first_is_measured() {
    let book = claim("any = { size = [\"1k\", \"8k\"] }\nabove = 2");
    let candidates = &book.claims[0].checks[0].candidates;
    let of = |place: usize| candidates[place].terms.iter().map(|term| term.case.clone()).collect::<Vec<_>>();
    assert_eq!(cases(&book), of(0), "the first is measured");
    let measured = |cases: &[Case]| {
        QUIET.measures(cases, |case| if is(case, Algorithm::Sha256) { 60_000.0 } else { 20_000.0 })
    };
    for (place, words) in [(0, "openssl: SHA-256 / SHA-1, 1 KiB"), (1, "openssl: SHA-256 / SHA-1, 8 KiB")] {
        let results = measured(&of(place));
        let answer = only(&book, &[&results]);
        assert_eq!((answer.verdict, answer.here[0].words.as_str()), (Verdict::Holds, words), "{answer:?}");
        assert!(needed(&book, &[], &[&results], false, &|_| true).unwrap().is_empty());
    }
    // A ratio is of cases with the same value.
    let mixed = measured(&[of(0)[0].clone(), of(1)[1].clone()]);
    assert_eq!(only(&book, &[&mixed]).verdict, Verdict::NotMeasured);
    // A library that lacks it is not asked for another value of it.
    let mut lacking = measured(&of(0));
    lacking.measurements[0].outcome = Outcome::Unsupported { reason: "no SHA-256 here".to_owned() };
    assert_eq!(needed(&book, &[], &[&lacking], false, &|_| true).unwrap(), []);
}

#[test]
fn a_verdict_does_without_what_the_quick_form_leaves_out() {
    let book = claim("each = { size = [16, \"1k\", \"8k\"] }\nquick = { size = [16, \"8k\"] }\nabove = 2");
    let quick: Vec<Case> =
        needed(&book, &[], &[], true, &|_| true).unwrap().into_iter().map(|need| need.case).collect();
    assert_eq!((quick.len(), cases(&book).len()), (4, 6));
    let results = |cases: &[Case], ratio: f64| {
        QUIET.measures(cases, |case| if is(case, Algorithm::Sha256) { 20_000.0 * ratio } else { 20_000.0 })
    };
    let answer = only(&book, &[&results(&quick, 3.0)]);
    assert_eq!((answer.verdict, answer.here.len(), answer.why), (Verdict::Holds, 2, None));
    assert_eq!(answer.missing.len(), 1);
    assert_eq!(answer.missing[0].verdict, Verdict::NotMeasured);
    assert!(answer.missing[0].why.starts_with("SHA-256 / SHA-1, 1 KiB: "), "{:?}", answer.missing);
    // Measured it counts, and what the quick form has is never left out.
    let middle = |case: &Case| matches!(case.workload, Workload::Primitive(one) if one.size == 1024);
    let all = QUIET.measures(&cases(&book), |case| match is(case, Algorithm::Sha256) && !middle(case) {
        true => 60_000.0,
        false => 20_000.0,
    });
    assert_eq!(only(&book, &[&all]).verdict, Verdict::DoesNotHold);
    assert_eq!(only(&book, &[&results(&quick[..2], 3.0)]).verdict, Verdict::CannotTell);
    // A claim of nothing else is not measured, and says why.
    let none = claim("quick = false\nabove = 2");
    let answer = only(&none, &[&results(&quick[..2], 3.0)]);
    assert_eq!(answer.verdict, Verdict::NotMeasured);
    assert!(answer.why.is_some());
}

#[test]
fn without_results_nothing_is_measured_and_all_is_needed() {
    let book = claim("above = 1");
    let answer = only(&book, &[]);
    assert_eq!((answer.verdict, answer.machine), (Verdict::NotMeasured, None));
    assert!(answer.why.unwrap().contains("no results have its cases"));
    assert_eq!(needed(&book, &[], &[], false, &|_| true).unwrap().len(), 2);
}

#[test]
fn a_hole_says_why_and_is_not_measured_again() {
    let book = claim("above = 1");
    let mut results = with_ratio(&book, 2.0, &QUIET);
    let hole = |results: &mut Results, outcome| {
        let place = results.measurements.iter().position(|one| is(&one.case, Algorithm::Sha1)).unwrap();
        results.measurements[place].outcome = outcome;
    };
    hole(&mut results, Outcome::Unsupported { reason: "no SHA-1 here".to_owned() });
    let answer = only(&book, &[&results]);
    assert_eq!(answer.verdict, Verdict::NotMeasurable);
    assert!(answer.why.unwrap().contains("unsupported: no SHA-1 here"));
    assert!(needed(&book, &[], &[&results], false, &|_| true).unwrap().is_empty());
    // What there was no time for is.
    hole(&mut results, Outcome::Skipped { why: "the budget was over".to_owned() });
    assert_eq!(only(&book, &[&results]).verdict, Verdict::NotMeasured);
    assert_eq!(needed(&book, &[], &[&results], false, &|_| true).unwrap().len(), 2);
}

#[test]
fn a_ratio_of_two_machines_is_refused() {
    let book = claim("above = 1");
    let other = Machine { name: "Other CPU", ..QUIET };
    let both = cases(&book);
    let (one, two) = (QUIET.measures(&both[..1], |_| 2e4), other.measures(&both[1..], |_| 2e4));
    let answer = only(&book, &[&one, &two]);
    assert_eq!(answer.verdict, Verdict::NotMeasured, "{answer:?}");
    let why = answer.why.unwrap();
    assert!(why.contains("different runs (Example CPU and Other CPU)"), "{why}");
    assert!(why.contains("measure them together"), "{why}");
    // Nor is one made of two runs of one machine.
    let again = QUIET.measures(&both[1..], |_| 2e4);
    assert_eq!(only(&book, &[&one, &again]).verdict, Verdict::NotMeasured);
}

#[test]
fn two_machines_have_an_answer_each() {
    let book = claim("above = 1");
    let other = Machine { name: "Other CPU", ..QUIET };
    let (one, two) = (with_ratio(&book, 2.0, &QUIET), with_ratio(&book, 0.5, &other));
    let answers = answer(&book, &[], &[&one, &two]).unwrap();
    let said: Vec<_> = answers
        .iter()
        .map(|answer| (answer.machine.as_deref().unwrap(), answer.verdict, answer.from.as_slice()))
        .collect();
    assert_eq!(
        said,
        [("Example CPU", Verdict::Holds, &[0][..]), ("Other CPU", Verdict::DoesNotHold, &[1][..])]
    );
}

#[test]
fn results_of_a_newer_schema_answer_what_is_understood_of_them() {
    let book = claim("above = 1");
    let results = with_ratio(&book, 2.0, &QUIET);
    let mut text = serde_json::to_value(&results).unwrap();
    text["schema"]["minor"] = 99.into();
    let newer = text["measurements"][0].to_string().replace("\"sha", "\"quantum-sha");
    text["measurements"].as_array_mut().unwrap().push(serde_json::from_str(&newer).unwrap());
    let read = |text: &serde_json::Value| parse_results(&text.to_string(), Path::new("newer.json")).unwrap();
    assert_eq!(only(&book, &[&read(&text)]).verdict, Verdict::Holds);
    // The case itself is not understood.
    text["measurements"].as_array_mut().unwrap().remove(0);
    let answer = only(&book, &[&read(&text)]);
    assert_eq!(answer.verdict, Verdict::NotMeasured);
}

#[test]
fn a_feature_that_the_cpu_lacks_makes_a_reason() {
    let text = include_str!("../../../reference/claims.toml");
    let book = Book::read(text, "claims.toml").unwrap();
    let old = Machine { features: &["avx2"], ..QUIET };
    let results = old.measures(&cases(&book), |_| 20_000.0);
    let found = answer(&book, &["S1-aesni".to_owned()], &[&results]).unwrap();
    assert_eq!(found[0].verdict, Verdict::NotMeasurable);
    assert!(found[0].why.as_ref().unwrap().contains("this CPU lacks aes"), "{:?}", found[0].why);
    let found = answer(&book, &["S2-one-core-line".to_owned()], &[&results]).unwrap();
    assert!(found[0].missing[0].why.contains("doing without it changes nothing"), "{:?}", found[0].missing);
}

#[test]
fn counts_of_instructions_are_no_times() {
    let book = claim("above = 1");
    let mut results = with_ratio(&book, 2.0, &QUIET);
    results.counted = Some(tlstax_doc::Counted {
        what: "instructions".to_owned(),
        by: CountedBy::Callgrind,
        version: None,
    });
    let answer = only(&book, &[&results]);
    assert_eq!(answer.verdict, Verdict::NotMeasured);
    assert!(answer.why.unwrap().contains("count instructions"));
    assert_eq!(needed(&book, &[], &[&results], false, &|_| true).unwrap().len(), 2);
}

#[test]
fn a_rate_of_another_machine_is_compared_and_never_judged() {
    let book = Book::read(
        "[[claim]]\nid = \"fast\"\nsource = \"me\"\nwords = \"?\"\nkind = \"rate\"\nlibraries = \"openssl\"\n\
         there = [{ machine = \"Xeon\", figure = 500, unit = \"MB/s\" }]\n\
         [claim.case.a]\nkind = \"primitive\"\nalgorithm = \"sha256\"\nsize = 16384\n\
         [[claim.check]]\nwords = \"SHA-256\"\nrule = \"rate\"\ncase = \"a\"\n",
        "mine.toml",
    )
    .unwrap();
    let results = QUIET.measures(&cases(&book), |_| 16_384.0);
    let answer = only(&book, &[&results]);
    assert_eq!((answer.verdict, answer.here[0].unit), (Verdict::Compared, Unit::MegabytesPerSecond));
    assert!((answer.here[0].value / 1000.0 - 1.0).abs() < 0.01, "{:?}", answer.here);
    let beside = answer.here[0].beside(&answer.claim.there[0]).unwrap();
    assert!((beside.value - 2.0).abs() < 0.02 && beside.low < beside.value, "{beside:?}");
}

#[test]
fn lines_memory_bytes_and_trips_follow_from_what_was_measured() {
    let book = Book::built_in();
    // Every case of 8 KiB at 8.192 us is a gigabyte per second: 8 Gbit/s.
    let results = QUIET.measures(&cases(&book), |case| match case.workload {
        Workload::Primitive(primitive) => f64::from(primitive.size.max(1000)),
        _ => 50_000.0,
    });
    let of = |id: &str| answer(&book, &[id.to_owned()], &[&results]).unwrap().remove(0);
    let line = of("S2-one-core-line");
    assert!((line.here[0].value - 0.125).abs() < 0.002, "{:?}", line.here[0]);
    assert_eq!(line.verdict, Verdict::DoesNotHold);
    let trips = of("S2-round-trips");
    assert_eq!((trips.verdict, trips.here[0].value, trips.here[1].value), (Verdict::Holds, 2.0, 1.0));
    assert_eq!((trips.here[2].value, trips.here[2].unit), (1.0, Unit::RoundTrips), "with False Start");
    let cheap = of("S2-cheap");
    assert!((cheap.here[0].value - 9_000.0).abs() < 1.0, "{:?}", cheap.here);
    assert!((cheap.here[1].value - 0.5).abs() < 0.01, "{:?}", cheap.here);
    assert_eq!(cheap.verdict, Verdict::CannotTell, "its CPU needs a profile");
    assert!(cheap.why.unwrap().contains("tlstax observe"));
}

#[test]
fn what_no_results_hold_is_asked_of_whoever_can_tell() {
    struct Profile;
    impl Witness for Profile {
        fn figure(&self, verb: Verb, ask: &str) -> Option<Result<Span, String>> {
            match (verb, ask) {
                (Verb::Observe, "tls-share") => Some(Ok(Span { value: 1.8, low: 1.7, high: 1.9 })),
                (Verb::Observe, "rsa-share") => Some(Err("no RSA was seen".to_owned())),
                _ => None,
            }
        }
    }
    let book = Book::built_in();
    let of = |id: &str| answer_with(&book, &[id.to_owned()], &[], &[&Profile]).unwrap().remove(0);
    assert_eq!(of("S3-share").verdict, Verdict::Holds);
    let unseen = of("S3-rsa-half");
    assert_eq!(unseen.verdict, Verdict::NotMeasurable);
    assert!(unseen.why.unwrap().contains("no RSA was seen"));
    assert!(of("S3-p256-x25519").why.unwrap().contains("which `tlstax observe` writes"));
    assert!(of("S1-bulk-outweighs").why.unwrap().contains("which `tlstax calibrate` writes"));
}

#[test]
fn every_built_in_claim_has_a_verdict_or_a_reason() {
    let book = Book::built_in();
    let results = QUIET.measures(&cases(&book), |_| 20_000.0);
    let answers = answer(&book, &[], &[&results]).unwrap();
    assert_eq!(answers.len(), 37);
    for answer in &answers {
        let id = &answer.claim.id;
        assert_ne!(answer.verdict, Verdict::NotMeasured, "{id}: {:?}", answer.why);
        assert_eq!(answer.why.is_some(), answer.verdict != Verdict::Holds, "{id}: {:?}", answer.why);
    }
    let judged = |verdict| answers.iter().filter(|answer| answer.verdict == verdict).count();
    assert!(judged(Verdict::Holds) >= 4 && judged(Verdict::DoesNotHold) >= 10, "{answers:#?}");
}

#[test]
fn claims_are_chosen_by_id_and_by_source() {
    let book = Book::built_in();
    let ids = |words: &[&str]| {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        answer(&book, &words, &[])
            .map(|answers| answers.iter().map(|one| one.claim.id.to_string()).collect::<Vec<_>>())
    };
    assert_eq!(ids(&["s1-sha", "S1-aesni"]).unwrap(), ["S1-aesni", "S1-sha"]);
    assert_eq!(ids(&["S4"]).unwrap().len(), 5);
    let unknown = ids(&["S1-aesin"]).unwrap_err().to_string();
    assert!(unknown.contains("'S1-aesin'; did you mean S1-aesni"), "{unknown}");
    assert!(unknown.contains("reference/claims.toml"), "{unknown}");
}

#[test]
fn the_first_candidate_that_is_there_is_measured() {
    let book = Book::built_in();
    let of = |usable: &dyn Fn(&Id) -> bool| {
        let needs = needed(&book, &["S4-factor".to_owned()], &[], false, usable).unwrap();
        let mut servers: Vec<String> = needs.iter().map(|need| need.case.library.to_string()).collect();
        servers.dedup();
        servers
    };
    assert_eq!(of(&|_| true), ["apache"]);
    assert_eq!(of(&|id| *id == "nginx" || *id == "lean"), ["nginx"]);
    assert_eq!(of(&|_| false), ["apache"], "its hole says how to get it");
}

#[test]
fn who_lacks_it_is_not_asked_again_and_the_next_one_is() {
    let text = "[[claim]]\nid = \"kem\"\nsource = \"me\"\nwords = \"?\"\nkind = \"ratio\"\nlibraries = [\"aws-lc\", \"openssl\"]\n\
        [claim.case.a]\nkind = \"primitive\"\nalgorithm = \"ml-kem-768\"\nop = \"keygen\"\n[claim.case.b]\nlike = \"a\"\nalgorithm = \"x25519\"\n\
        [[claim.check]]\nwords = \"KEM / ECDH\"\nrule = \"ratio\"\nvalue = \"a / b\"\nabove = 1\n";
    let book = Book::read(text, "mine.toml").unwrap();
    let of = |runs: &[&Results], usable: &dyn Fn(&Id) -> bool| {
        let needs = needed(&book, &[], runs, false, usable).unwrap();
        needs.iter().map(|need| need.case.library.to_string()).collect::<Vec<_>>()
    };
    let mut results = QUIET.measures(&cases(&book), |_| 2e4);
    results.measurements[0].outcome = Outcome::Unsupported { reason: "no ML-KEM here".to_owned() };
    assert_eq!(of(&[], &|_| true), ["aws-lc", "aws-lc"]);
    assert_eq!(of(&[&results], &|_| true), ["openssl", "openssl"]);
    assert_eq!(of(&[&results], &|id| *id == "aws-lc"), [""; 0], "nobody else is there");
    let answer = only(&book, &[&results]);
    assert_eq!(answer.verdict, Verdict::NotMeasurable);
    assert!(answer.why.unwrap().contains("no ML-KEM here"));
}

/// With truths on either side of a border, at most one verdict in a hundred is the opposite of the truth.
#[test]
fn verdicts_are_hardly_ever_the_opposite_of_the_truth() {
    const SEEDS: u64 = 60;
    let (mut wrong, mut right, mut all) = (0, 0, 0);
    for (claimed, border, is_above_right) in [
        ("above = 2", 2.0, true),
        ("below = 2", 2.0, false),
        ("from = 2\nto = 4", 2.0, true),
        ("from = 2\nto = 4", 4.0, false),
    ] {
        let book = claim(claimed);
        for jitter in [0.005, 0.03, 0.1] {
            for (seed, factor) in (0..SEEDS).flat_map(|seed| [(seed, 1.05), (seed, 0.95)]) {
                let machine = Machine { jitter, seed, ..QUIET };
                let verdict = only(&book, &[&with_ratio(&book, border * factor, &machine)]).verdict;
                let truth = match (factor > 1.0) == is_above_right {
                    true => Verdict::Holds,
                    false => Verdict::DoesNotHold,
                };
                all += 1;
                right += usize::from(verdict == truth);
                wrong += usize::from(verdict != truth && verdict != Verdict::CannotTell);
            }
        }
    }
    assert!(wrong * 100 <= all, "{wrong} of {all} are the opposite of the truth");
    assert!(right * 2 >= all, "only {right} of {all} say anything");
}
