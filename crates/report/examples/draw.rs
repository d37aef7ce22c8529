//! scratch
#[path = "../tests/synthetic/mod.rs"]
mod synthetic;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let r = if a.len() > 3 && !a[3].is_empty() {
        tlstax_doc::read_results(std::path::Path::new(&a[3])).unwrap()
    } else {
        synthetic::results(1, |_| 1.0)
    };
    let p = tlstax_report::Published::parse(include_str!("../../../reference/primitives.csv")).unwrap();
    let v = if a.get(4).is_some() {
        let n = synthetic::results(2, |id| if id.contains("sha256") { 1.06 } else { 1.0 });
        tlstax_report::compare(&r, &n, &Default::default()).view()
    } else {
        tlstax_report::View::with_published(&r, &p)
    };
    let style = tlstax_report::Style { width: a[2].parse().unwrap(), unicode: true, colour: false };
    use std::io::Write;
    std::io::stdout()
        .write_all((tlstax_report::format(&a[1]).unwrap().render)(&v, &style).as_bytes())
        .unwrap();
}
