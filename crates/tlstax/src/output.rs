//! The only place that writes to standard output and standard error.

use std::io::{self, IsTerminal, Write};

use tlstax_report::Style;

/// Writes to standard output. A reader that has gone away, as `| head` does, is no error.
pub fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

/// Writes a line to standard error; if that fails there is nobody left to tell.
pub fn warn(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}

/// What standard output can show: its width, and colours unless NO_COLOR says otherwise (<https://no-color.org>).
pub fn style() -> Style {
    let is_terminal = io::stdout().is_terminal();
    let no_colour = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .iter()
        .find_map(|name| std::env::var(name).ok().filter(|v| !v.is_empty()));
    Style {
        width: if is_terminal {
            usize::from(console::Term::stdout().size().1)
        } else {
            Style::default().width
        },
        unicode: !is_terminal
            || locale.is_some_and(|locale| locale.to_uppercase().replace('-', "").contains("UTF8")),
        colour: is_terminal && !no_colour,
    }
}
