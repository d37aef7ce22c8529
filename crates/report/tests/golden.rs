//! A results document that is kept, and what every format makes of it. `TLSTAX_BLESS=1 cargo test` writes them anew.
#![allow(clippy::unwrap_used)]

mod kept;
mod synthetic;

use kept::expect;
use tlstax_report::{EXPORTS, FORMATS, Published, Section, Style, Table, View, compare, format};
use tlstax_stats::Settings;

const PUBLISHED: &str = "source,machine,software,kind,algorithm,operation,bytes,value,unit\n\
    some.txt,Old Machine,openssl speed,primitive,aes-128-gcm,encrypt,64,88.05,MB/s\n\
    some.txt,Server,\"BoringSSL speed, one core\",primitive,rsa-2048,sign,,1120,op/s\n";

fn published(text: &str) -> Published {
    let mut published = Published::default();
    published.read("published.csv", text, &|_| None);
    assert_eq!(published.problems(), []);
    published
}

fn view() -> View {
    let results = kept::results("results.json", || synthetic::results(1, |_| 1.0));
    View::with_published(&results, &published(PUBLISHED))
}

#[test]
fn every_text_format_draws_the_kept_results_as_before() {
    let view = view();
    for format in FORMATS.iter().chain(EXPORTS).filter(|format| format.name != "html") {
        expect(&format!("report.{}", format.extension), &format.draw(&view, &Style::default()));
    }
    let narrow = Style { width: 72, unicode: false, colour: true };
    expect("narrow.txt", &format("text").unwrap().draw(&view, &narrow));
}

#[test]
fn every_format_draws_loads_on_servers_as_before() {
    let view = View::of(&kept::results("servers.results.json", || synthetic::servers::results(1)));
    for format in FORMATS.iter().chain(EXPORTS).filter(|format| format.name != "html") {
        expect(&format!("servers.{}", format.extension), &format.draw(&view, &Style::default()));
    }
    let page = format("html").unwrap().draw(&view, &Style::default());
    expect("servers.html", &without_script_and_style(&page));
}

/// The page without what is built elsewhere, and without its data, which are the JSON format's.
fn without_script_and_style(page: &str) -> String {
    let style = page.find("<style>").unwrap()..page.find("</style>").unwrap();
    let script = page.find("<script").unwrap()..page.rfind("</script>").unwrap();
    [&page[..style.start], &page[style.end..script.start], &page[script.end..]].concat()
}

#[test]
fn a_comparison_is_drawn_as_before() {
    let old = synthetic::results(1, |_| 1.0);
    let new = synthetic::results(2, |id| if id.contains("sha256/digest") { 1.06 } else { 1.0 });
    let compared = compare(&old, &new, &Settings::default()).view();
    expect("comparison.txt", &format("text").unwrap().draw(&compared, &Style::default()));
    expect("comparison.prom", &format("prom").unwrap().draw(&compared, &Style::default()));
}

/// How often a rule stands below the headings of a table.
fn rules(text: &str) -> usize {
    text.lines().filter(|line| line.len() > 1 && line.chars().all(|letter| letter == '─')).count()
}

#[test]
fn no_table_is_cut_in_two_however_narrow_the_screen() {
    let has_headings = |table: &&Table| table.columns.iter().any(|column| !column.title.is_empty());
    for view in [view(), View::of(&synthetic::of_many(1)), View::of(&synthetic::servers::results(1))] {
        let tables = view.sections.iter().flat_map(Section::tables).filter(has_headings).count();
        for width in [20, 60, 80, 100, 140, 200, usize::MAX] {
            let text = format("text").unwrap().draw(&view, &Style { width, ..Style::default() });
            assert_eq!(rules(&text), tables, "at {width}");
            let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
            match width {
                20 | 60 => assert!(words.contains("left out for want of width: "), "at {width}"),
                usize::MAX => assert!(!words.contains("left out")),
                _ => {}
            }
        }
    }
}
