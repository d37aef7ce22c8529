//! Tables of published figures.

use std::collections::BTreeMap;

/// The rows of a CSV, each by the names of its columns. Lines with `#` are comments; a cell with a comma stands in quotes.
pub fn rows(text: &'static str) -> Vec<BTreeMap<String, String>> {
    let mut lines = text.lines().filter(|line| !line.starts_with('#')).map(cells);
    let head = lines.next().unwrap();
    lines.map(|row| head.iter().cloned().zip(row).collect()).collect()
}

fn cells(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut quoted = false;
    for character in line.chars() {
        match character {
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            other => cells.last_mut().unwrap().push(other),
        }
    }
    cells
}
