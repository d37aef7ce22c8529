//! The only place that writes to standard output and standard error. All that it writes is [`Printable`].

use std::io::{self, IsTerminal, Write};

use tlstax_report::{Printable, Style};

/// The width of a terminal that does not say its own.
const USUAL_WIDTH: usize = 80;

/// Writes to standard output. A reader that has gone away, as `| head` does, is no error.
pub fn print(text: impl Into<Printable>) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.into().as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

/// Prints a document: as JSON, if that is asked for, or in words.
pub fn print_document(
    as_json: bool,
    json: impl FnOnce() -> serde_json::Result<String>,
    words: impl FnOnce() -> String,
) -> anyhow::Result<()> {
    Ok(print(if as_json { json()? + "\n" } else { words() })?)
}

/// Writes a message to standard error; if that fails there is nobody left to tell.
pub fn warn(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", message(text));
}

/// A message as standard error can show it. Further lines are indented, so that none of them, as what a worker wrote
/// before it died, can be taken for a message of its own.
pub fn message(text: &str) -> Printable {
    let mut lines = text.split('\n');
    let mut out = lines.next().unwrap_or_default().to_owned();
    for line in lines {
        out += if line.is_empty() || line.starts_with(' ') { "\n" } else { "\n  " };
        out += line;
    }
    let shown = Printable::block(&out);
    if is_utf8() { shown } else { shown.in_ascii() }
}

/// Whether standard output is a terminal: somebody who reads along, and no pipe or file.
pub fn is_terminal() -> bool {
    io::stdout().is_terminal()
}

/// What standard output can show. Into a pipe or a file nothing is broken, unless COLUMNS says how wide it is.
pub fn style() -> Style {
    let is_terminal = is_terminal();
    let columns = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok()).filter(|&width| width > 0);
    let screen = || match console::Term::stdout().size_checked() {
        Some((_, width)) if width > 0 => usize::from(width),
        _ => USUAL_WIDTH,
    };
    Style {
        width: columns.unwrap_or_else(|| if is_terminal { screen() } else { usize::MAX }),
        unicode: is_utf8(),
        colour: has_colour(is_terminal),
    }
}

/// Whether to colour, as <https://no-color.org> and <https://bixense.com/clicolors> have it.
fn has_colour(is_terminal: bool) -> bool {
    let wanted = anstyle_query::clicolor().unwrap_or(true) && anstyle_query::term_supports_color();
    !anstyle_query::no_color() && (forced() || (is_terminal && wanted))
}

/// Whether colours are asked for, wherever they go.
fn forced() -> bool {
    anstyle_query::clicolor_force() && std::env::var_os("CLICOLOR_FORCE").is_some_and(|value| value != "0")
}

/// Whether the locale's character set is UTF-8, by the variable that POSIX lets decide; without any it is C.
fn is_utf8() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .iter()
        .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
    locale.is_some_and(|locale| locale.to_uppercase().replace('-', "").contains("UTF8"))
}
