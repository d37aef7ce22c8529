//! A claims file is read, or refused with file, line and remedy.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use tlstax_claims::{Book, BookError, Claimed, Kind, Rule, Unit};
use tlstax_doc::Metric;
use tlstax_spec::{Case, Workload};

const BUILT_IN: &str = include_str!("../../../reference/claims.toml");

/// A small claims file that is right.
const RIGHT: &str = r#"
[[claim]]
id = "ours"
source = "our wiki"
words = "resumption halves what a handshake costs the server"
kind = "ratio"
libraries = ["openssl", "aws-lc"]

[[claim.there]]
machine = "the old server"
figure = [0.4, 0.5]
words = "resumed / full"

[claim.case.full]
kind = "handshake"
suite = "AES-128-GCM"
group = "x25519"
key = "ecdsa"
metric = "server"

[claim.case.resumed]
like = "full"
resumption = "psk"

[[claim.check]]
words = "server's CPU, resumed / full"
rule = "ratio"
value = "resumed / full"
each = { chain = [2, 3] }
below = 0.5
"#;

fn refused(text: &str) -> BookError {
    Book::read(text, "mine.toml").unwrap_err()
}

/// The file with one line replaced by another: its error, and that it stands at that line.
fn with(line: &str, other: &str) -> String {
    assert_eq!(RIGHT.matches(line).count(), 1, "{line}");
    let text = RIGHT.replace(line, other);
    let error = refused(&text);
    let number = text.lines().position(|one| other.lines().any(|line| line == one)).unwrap() + 1;
    assert_eq!(error.line, number, "{error}");
    assert!(error.to_string().starts_with(&format!("mine.toml, line {number}, column ")), "{error}");
    error.problem
}

#[test]
fn a_right_file_is_read() {
    let book = Book::read(RIGHT, "mine.toml").unwrap();
    let claim = &book.claims[0];
    assert_eq!((claim.id.as_str(), claim.source.as_str(), claim.kind), ("ours", "our wiki", Kind::Ratio));
    assert_eq!((claim.there[0].low, claim.there[0].high, claim.there[0].unit), (0.4, 0.5, Unit::Times));
    assert_eq!(claim.checks.len(), 2, "one for each chain");
    let check = &claim.checks[1];
    assert_eq!(check.words, "server's CPU, resumed / full, chain 3");
    assert_eq!(check.claimed, Some(Claimed::Below(0.5)));
    assert!(matches!(check.rule, Rule::Ratio { per_byte: false, .. }));
    let ids: Vec<String> =
        check.candidates.iter().flat_map(|one| &one.terms).map(|term| term.case.id()).collect();
    assert_eq!(
        ids,
        [
            "openssl/handshake/TLSv1.3/TLS_AES_128_GCM_SHA256/X25519/ecdsa-p256/chain-3/psk",
            "openssl/handshake/TLSv1.3/TLS_AES_128_GCM_SHA256/X25519/ecdsa-p256/chain-3/full",
            "aws-lc/handshake/TLSv1.3/TLS_AES_128_GCM_SHA256/X25519/ecdsa-p256/chain-3/psk",
            "aws-lc/handshake/TLSv1.3/TLS_AES_128_GCM_SHA256/X25519/ecdsa-p256/chain-3/full",
        ]
    );
    assert!(check.candidates[0].terms.iter().all(|term| term.metric == Metric::Server));
}

#[test]
fn what_is_wrong_is_told_with_its_line_and_the_remedy() {
    for (line, other, parts) in [
        (
            "kind = \"ratio\"",
            "kind = \"rato\"",
            &["no kind of claim is called 'rato'", "did you mean ratio"][..],
        ),
        ("source = \"our wiki\"", "sorce = \"our wiki\"", &["has no key 'sorce'; did you mean source?"]),
        ("source = \"our wiki\"", "", &["a claim needs the key 'source'"]),
        ("id = \"ours\"", "id = \"our claim\"", &["is no id"]),
        ("figure = [0.4, 0.5]", "figure = [0.5, 0.4]", &["a range of two in their order"]),
        ("figure = [0.4, 0.5]", "figure = \"half\"", &["a number is wanted, and this is a string"]),
        ("figure = [0.4, 0.5]", "figure = -1", &["above 0"]),
        ("words = \"resumed / full\"", "unit = \"seconds\"", &["no unit is called 'seconds'", "known: x, %"]),
        ("kind = \"handshake\"", "kind = \"handshakes\"", &["no kind of case", "did you mean handshake?"]),
        ("group = \"x25519\"", "group = \"x25518\"", &["unknown group 'x25518'", "did you mean X25519"]),
        ("group = \"x25519\"", "groups = \"x25519\"", &["has no key 'groups'", "did you mean group?"]),
        (
            "resumption = \"psk\"",
            "machine = \"the old server\"",
            &["within one run on one machine", "[[claim.there]]"],
        ),
        ("resumption = \"psk\"", "size = 1024", &["the kind handshake has no key 'size'"]),
        ("like = \"full\"", "like = \"ful\"", &["names another case of the same claim", "full"]),
        (
            "metric = \"server\"",
            "metric = \"sever\"",
            &["no metric is called 'sever'", "cpu, wall, client, server"],
        ),
        ("rule = \"ratio\"", "rule = \"rato\"", &["no rule is called 'rato'", "did you mean ratio"]),
        (
            "value = \"resumed / full\"",
            "value = \"resumed / there\"",
            &["no case 'there'", "[claim.case.there]"],
        ),
        ("value = \"resumed / full\"", "value = \"resumed - full\"", &["is no ratio"]),
        ("value = \"resumed / full\"", "value = \"resumed /\"", &["ends where the name of a case"]),
        (
            "each = { chain = [2, 3] }",
            "each = { size = [2, 3] }",
            &["no case of this check has a field 'size'"],
        ),
        ("each = { chain = [2, 3] }", "each = { chain = [2, 9] }", &["out of range"]),
        ("each = { chain = [2, 3] }", "each = { chain = [] }", &["the list is empty"]),
        (
            "each = { chain = [2, 3] }",
            "any = { size = [2, 3] }",
            &["no case of this check has a field 'size'"],
        ),
        (
            "each = { chain = [2, 3] }",
            "any = { chain = [2], group = [\"X25519\"] }",
            &["'any' has one field"],
        ),
        (
            "each = { chain = [2, 3] }",
            "each = { chain = [2, 3] }\nquick = { chain = [1] }",
            &["'quick' has values that 'each' has not"],
        ),
        (
            "each = { chain = [2, 3] }",
            "each = { chain = [2, 3] }\nquick = \"yes\"",
            &["true or false is wanted"],
        ),
        ("below = 0.5", "beneath = 0.5", &["does not say what is claimed"]),
        ("below = 0.5", "below = 0.5\nabove = 0.4", &["one side"]),
        ("below = 0.5", "from = 2\nto = 1", &["in their order"]),
        ("below = 0.5", "below = 0.5\nunit = \"B\"", &["gives x"]),
        ("libraries = [\"openssl\", \"aws-lc\"]", "libraries = [\"open ssl\"]", &["is no id"]),
    ] {
        let text = RIGHT.replacen(line, other, 1);
        let error = refused(&text);
        for part in parts {
            assert!(error.problem.contains(part), "{other}: {error}");
        }
        assert!(error.to_string().starts_with("mine.toml, line "), "{error}");
        assert!(error.to_string().contains("docs/claims.md"), "{error}");
    }
}

#[test]
fn the_line_is_that_of_the_mistake() {
    with("kind = \"handshake\"", "kind = \"handshakes\"");
    with("group = \"x25519\"", "group = \"x25518\"");
    with("value = \"resumed / full\"", "value = \"resumed / there\"");
    with("figure = [0.4, 0.5]", "figure = \"half\"");
    with("each = { chain = [2, 3] }", "each = { chain = [2, 9] }");
}

#[test]
fn what_cannot_be_is_refused_by_its_case() {
    for (line, other, part) in [
        ("key = \"ecdsa\"", "", "it needs a 'key'"),
        ("group = \"x25519\"", "", "do not go together"),
        ("resumption = \"psk\"", "resumption = \"ticket\"", "the resumption ticket does not exist there"),
        ("suite = \"AES-128-GCM\"", "suite = \"DHE-RSA-AES128-GCM-SHA256\"", "do not go together"),
    ] {
        let error = refused(&RIGHT.replacen(line, other, 1));
        assert!(error.problem.contains(part), "{other}: {error}");
    }
}

#[test]
fn claims_have_ids_of_their_own_and_something_to_decide_by() {
    let twice = format!("{RIGHT}{RIGHT}");
    let error = refused(&twice);
    assert!(error.problem.contains("'ours' stands there twice"), "{error}");
    assert_eq!(error.line, RIGHT.lines().count() + 3, "{error}");
    let aside = refused(&RIGHT.replace("below = 0.5", "aside = true"));
    assert!(aside.problem.contains("every check of the claim is aside"), "{aside}");
    let nobody = refused(&RIGHT.replace("libraries = [\"openssl\", \"aws-lc\"]", ""));
    assert!(nobody.problem.contains("asked of nobody"), "{nobody}");
    for empty in ["", "claim = []", "[claim]", "[[claims]]"] {
        assert!(Book::read(empty, "mine.toml").is_err(), "{empty}");
    }
    let broken = refused("[[claim]\nid = 1");
    assert!(broken.problem.contains("this is no TOML"), "{broken}");
}

#[test]
fn rules_take_the_cases_that_they_can_use() {
    let check = |rule: &str| {
        let at = RIGHT.find("rule = ").unwrap();
        refused(&format!("{}{rule}", &RIGHT[..at])).problem
    };
    assert!(check("rule = \"memory\"\ncase = \"full\"\nbelow = 1").contains("needs idle connections"));
    assert!(check("rule = \"wire\"\ncase = \"full\"\nbelow = 1").contains("needs bulk"));
    assert!(check("rule = \"line\"\ncase = \"full\"\ngigabits = 1\nbelow = 1").contains("moves bytes"));
    assert!(check("rule = \"line\"\ncase = \"full\"\nbelow = 1").contains("needs the key 'gigabits'"));
    assert!(check("rule = \"rate\"\ncase = \"full\"\nbelow = 1").contains("compared and never judged"));
    assert!(check("rule = \"observe\"").contains("needs the key 'ask'"));
    assert!(check("rule = \"not-measurable\"").contains("needs the key 'why'"));
    assert!(
        check("rule = \"ratio\"\nvalue = \"resumed / full\"\nper = \"byte\"\nbelow = 1")
            .contains("moves bytes")
    );
}

#[test]
fn the_built_in_file_has_every_claim_of_the_write_ups() {
    let book = Book::built_in();
    assert_eq!(book.claims.len(), 37);
    let of = |source: &str| book.claims.iter().filter(|claim| claim.source == source).count();
    assert_eq!(["S0", "S1", "S2", "S3", "S4"].map(of), [9, 9, 5, 9, 5]);
    for claim in &book.claims {
        assert!(claim.id.starts_with(&claim.source), "{}", claim.id);
        assert!(!claim.words.ends_with('.') && claim.words.len() > 20, "{}", claim.words);
        for term in claim.checks.iter().flat_map(|check| &check.candidates).flat_map(|one| &one.terms) {
            let case: &Case = &term.case;
            assert!(
                !matches!(&case.workload, Workload::Primitive(one) if one.size == 0 && one.algorithm.class().is_sized())
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// Whatever is cut out, put in or put elsewhere: it is read, or refused at a line that there is.
    #[test]
    fn a_damaged_file_is_read_or_refused_at_a_line(
        from in 0..BUILT_IN.len(), length in 0..200_usize, put in "[a-z0-9\"\\[\\]={}.,/()\n -]{0,20}",
    ) {
        let (from, to) = (floor(from), floor(from + length));
        let text = format!("{}{put}{}", &BUILT_IN[..from], &BUILT_IN[to..]);
        if let Err(error) = Book::read(&text, "damaged.toml") {
            prop_assert!(error.line >= 1 && error.line <= text.lines().count() + 1, "{}", error);
            prop_assert!(error.to_string().starts_with("damaged.toml, line "));
            prop_assert!(!error.problem.is_empty() && !error.problem.contains('\n'), "{}", error);
        }
    }

    /// Any arithmetic that is written is one that is read, or refused with a sentence.
    #[test]
    fn any_value_is_an_expression_or_refused(value in "[a-z0-9 .+*/()-]{0,40}") {
        let text = RIGHT.replace("value = \"resumed / full\"", &format!("value = \"{value}\""));
        if let Err(error) = Book::read(&text, "mine.toml") {
            prop_assert!(error.problem.len() > 10);
        }
    }
}

/// The last boundary between characters that is not beyond.
fn floor(at: usize) -> usize {
    (0..=at.min(BUILT_IN.len())).rev().find(|at| BUILT_IN.is_char_boundary(*at)).unwrap_or(0)
}
