//! Reading the summaries that load generators print for people.

use tlstax_spec::Nanos;

/// The first number after a label, wherever it is.
pub fn number_after<T: std::str::FromStr>(text: &str, label: &str) -> Option<T> {
    let rest = text.split_once(label)?.1.trim_start();
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
    rest[..end].parse().ok()
}

/// The number in front of a label: of `7 failed` that of ` failed`.
pub fn number_before(text: &str, label: &str) -> Option<u64> {
    let front = text.split_once(label)?.0;
    let digits = front.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    front[digits..].parse().ok()
}

/// A length of time with its unit: `395us`, `77.37ms`, `1.26s`, `2.00m`.
pub fn time(text: &str) -> Option<Nanos> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.')?;
    let (number, unit) = text.split_at(end);
    let unit = match unit {
        "us" => 1e3,
        "ms" => 1e6,
        "s" => 1e9,
        "m" => 60e9,
        "h" => 3600e9,
        _ => return None,
    };
    Some(Nanos((number.parse::<f64>().ok()? * unit).round() as u64))
}

pub fn seconds(seconds: f64) -> Nanos {
    Nanos((seconds * 1e9).round() as u64)
}

/// The problem with a summary that cannot be read, with the end of it.
pub fn not_understood(client: &str, output: &str) -> String {
    format!("what {client} printed is not understood: {}", end(output))
}

/// The end of what a program printed, short enough for a message.
pub fn end(output: &str) -> &str {
    const BOUND: usize = 300;
    let output = output.trim();
    let mut start = output.len().saturating_sub(BOUND);
    while !output.is_char_boundary(start) {
        start += 1;
    }
    &output[start..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_times_are_found() {
        let text = "requests: 10 total, 7 failed, took 1.50 seconds, x1 ü2 y";
        assert_eq!(number_after(text, "requests:"), Some(10_u64));
        assert_eq!(number_after(text, "took"), Some(1.5));
        assert_eq!(number_after::<u64>(text, "total"), None);
        assert_eq!(number_before(text, " failed"), Some(7));
        assert_eq!((number_before(text, " y"), number_before(text, "requests")), (Some(2), None));
        assert_eq!(number_before("é y", " y"), None);
        assert_eq!(
            ["395us", "77.37ms", "1.26s", "2.00m"].map(time),
            [
                Some(Nanos(395_000)),
                Some(Nanos(77_370_000)),
                Some(Nanos(1_260_000_000)),
                Some(Nanos(120_000_000_000))
            ]
        );
        assert_eq!(["", "5", "s", "1.2.3s", "5 parsecs"].map(time), [None; 5]);
    }

    #[test]
    fn the_end_is_whole_characters() {
        assert_eq!(end(" short\n"), "short");
        let long = end(&"ü".repeat(400)).to_owned();
        assert!(long.len() <= 300 && long.chars().all(|c| c == 'ü'));
    }
}
