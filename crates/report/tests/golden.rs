//! A results document that is kept, and what every format makes of it. `TLSTAX_BLESS=1 cargo test` writes them anew.
#![allow(clippy::unwrap_used)]

mod synthetic;

use std::path::{Path, PathBuf};

use tlstax_doc::{read, read_results, write, write_results};
use tlstax_report::{FORMATS, Published, Style, View, compare, format};
use tlstax_stats::Settings;

const PUBLISHED: &str = "source,machine,software,kind,algorithm,operation,bytes,value,unit\n\
    some.txt,Old Machine,openssl speed,primitive,aes-128-gcm,encrypt,64,88.05,MB/s\n\
    some.txt,Server,\"BoringSSL speed, one core\",primitive,rsa-2048,sign,,1120,op/s\n";

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)
}

fn blessing() -> bool {
    std::env::var_os("TLSTAX_BLESS").is_some()
}

#[track_caller]
fn expect(name: &str, found: &str) {
    let path = golden(name);
    if blessing() {
        write(&path, found.as_bytes()).unwrap();
    }
    let expected = read(&path).unwrap();
    let differs = expected.lines().zip(found.lines()).position(|(expected, found)| expected != found);
    assert!(
        expected == found,
        "{name} differs from line {:?} on; look at it, and if it is right, run with TLSTAX_BLESS=1",
        differs.map(|line| line + 1)
    );
}

fn published(text: &str) -> Published {
    let mut published = Published::default();
    published.read("published.csv", text, &|_| None);
    assert_eq!(published.problems(), []);
    published
}

fn view() -> View {
    let path = golden("results.json");
    if blessing() {
        write_results(&path, &synthetic::results(1, |_| 1.0)).unwrap();
    }
    View::with_published(&read_results(&path).unwrap(), &published(PUBLISHED))
}

#[test]
fn every_text_format_draws_the_kept_results_as_before() {
    let view = view();
    for format in FORMATS.iter().filter(|format| format.name != "html") {
        expect(&format!("report.{}", format.extension), &format.draw(&view, &Style::default()));
    }
    let narrow = Style { width: 72, unicode: false, colour: true };
    expect("narrow.txt", &format("text").unwrap().draw(&view, &narrow));
}

#[test]
fn every_format_draws_loads_on_servers_as_before() {
    let path = golden("servers.results.json");
    if blessing() {
        write_results(&path, &synthetic::servers::results(1)).unwrap();
    }
    let view = View::of(&read_results(&path).unwrap());
    for format in FORMATS.iter().filter(|format| format.name != "html") {
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
}
