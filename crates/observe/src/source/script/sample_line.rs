//! The first line of a sample: who, when, how much, by which event. Each part may be missing, as `-F` asked for.

use crate::source::event;

/// What the first line of a sample says.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct SampleLine<'l> {
    pub name: &'l [u8],
    /// The process, or the thread where the line has no process.
    pub process: Option<u32>,
    pub at_ns: Option<u64>,
    pub period: Option<u64>,
    /// Without modifiers.
    pub event: Option<&'l str>,
    /// What follows: the innermost frame of a sample without a stack.
    pub rest: &'l [u8],
}

/// Reads the first line of a sample; none of what is none.
pub fn parse(line: &[u8]) -> Option<SampleLine<'_>> {
    let timed = tokens(line).find_map(|(start, token)| Some((start, token, time(token)?)));
    let Some((start, token, at_ns)) = timed else {
        return without_time(line);
    };
    let (name, process) = who(&line[..start])?;
    let (period, event, rest) = what(&line[start + token.len()..]);
    Some(SampleLine { name, process, at_ns: Some(at_ns), period, event, rest: rest.trim_ascii() })
}

/// Seconds with a fraction of six or nine digits and a colon, in nanoseconds.
fn time(token: &[u8]) -> Option<u64> {
    let token = token.strip_suffix(b":")?;
    let dot = token.iter().position(|byte| *byte == b'.')?;
    let (seconds, fraction) = (&token[..dot], &token[dot + 1..]);
    let scale = match fraction.len() {
        6 => 1000,
        9 => 1,
        _ => return None,
    };
    number(seconds)?.checked_mul(1_000_000_000)?.checked_add(number(fraction)? * scale)
}

/// The name and the number before the time: `nginx 4711/4712 [001] `.
fn who(before: &[u8]) -> Option<(&[u8], Option<u32>)> {
    let mut name = before.trim_ascii_end();
    // Behind the number may stand the CPU, the mode of the sample, and the machine of a guest.
    for _ in 0..4 {
        let (start, token) = last_token(name)?;
        if let Some(process) = process(token) {
            return Some((name[..start].trim_ascii(), Some(process)));
        }
        name = name[..start].trim_ascii_end();
        if name.is_empty() {
            break;
        }
    }
    Some((before.trim_ascii(), None))
}

/// `4711` or `4711/4712`; kernel threads that are gone have -1.
fn process(token: &[u8]) -> Option<u32> {
    let (first, second) = match token.iter().position(|byte| *byte == b'/') {
        Some(slash) => (&token[..slash], Some(&token[slash + 1..])),
        None => (token, None),
    };
    if token == b"-1" || token == b"-1/-1" {
        return Some(u32::MAX);
    }
    second.is_none_or(|second| number(second).is_some()).then_some(())?;
    number(first).and_then(|number| u32::try_from(number).ok())
}

/// Period and event behind the time, and what follows them.
fn what(after: &[u8]) -> (Option<u64>, Option<&str>, &[u8]) {
    let mut all = tokens(after);
    let (Some((start, first)), second) = (all.next(), all.next()) else {
        return (None, None, &[]);
    };
    if let Some(event) = event_of(first) {
        return (None, Some(event), &after[start + first.len()..]);
    }
    match (number(first), second) {
        (Some(period), None) => (Some(period), None, &[]),
        (Some(period), Some((start, second))) => match event_of(second) {
            Some(event) => (Some(period), Some(event), &after[start + second.len()..]),
            None => (None, None, after),
        },
        _ => (None, None, after),
    }
}

/// `nginx 4711 250000 cpu-clock:`, `nginx 4711 cpu-clock:`, `nginx 4711`: without a time the line is read from its end.
fn without_time(line: &[u8]) -> Option<SampleLine<'_>> {
    let mut before = line.trim_ascii_end();
    let (mut event, mut period) = (None, None);
    let (start, token) = last_token(before)?;
    if let Some(name) = event_of(token) {
        event = Some(name);
        before = before[..start].trim_ascii_end();
        let (last, token) = last_token(before)?;
        let is_second_number =
            last_token(before[..last].trim_ascii_end()).is_some_and(|(_, one)| process(one).is_some());
        if is_second_number && let Some(number) = number(token) {
            period = Some(number);
            before = &before[..last];
        }
    }
    let (name, process) = who(before)?;
    (process.is_some() && !name.is_empty()).then_some(SampleLine {
        name,
        process,
        at_ns: None,
        period,
        event,
        rest: &[],
    })
}

fn event_of(token: &[u8]) -> Option<&str> {
    let token = std::str::from_utf8(token.strip_suffix(b":")?).ok()?;
    (!token.is_empty()).then(|| event::plain(token))
}

/// A number without sign.
pub fn number(text: &[u8]) -> Option<u64> {
    (!text.is_empty() && text.len() <= 19 && text.iter().all(u8::is_ascii_digit))
        .then(|| text.iter().fold(0, |number, digit| number * 10 + u64::from(digit - b'0')))
}

/// The words of a line, each with where it starts.
pub fn tokens(line: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut at = 0;
    std::iter::from_fn(move || {
        at += line[at..].iter().position(|byte| !byte.is_ascii_whitespace())?;
        let start = at;
        at += line[at..].iter().position(u8::is_ascii_whitespace).unwrap_or(line.len() - at);
        Some((start, &line[start..at]))
    })
}

fn last_token(text: &[u8]) -> Option<(usize, &[u8])> {
    let start = text.iter().rposition(u8::is_ascii_whitespace).map_or(0, |at| at + 1);
    (start < text.len()).then(|| (start, &text[start..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line<'l>(name: &'l str, process: u32, at_ns: u64, period: u64, event: &'l str) -> SampleLine<'l> {
        let some = |number: u64| (number > 0).then_some(number);
        SampleLine {
            name: name.as_bytes(),
            process: Some(process),
            at_ns: some(at_ns),
            period: some(period),
            event: (!event.is_empty()).then_some(event),
            rest: &[],
        }
    }

    fn parsed(text: &str) -> SampleLine<'_> {
        parse(text.as_bytes()).unwrap()
    }

    #[test]
    fn fields_are_found_whichever_were_asked_for() {
        let whole = line("nginx", 4711, 12_345_678_901_000, 250_000, "cpu-clock");
        assert_eq!(parsed("nginx 4711/4712 [001] 12345.678901:     250000 cpu-clock:pppH: "), whole);
        assert_eq!(parsed("nginx  4711 12345.678901:     250000 cpu-clock: "), whole);
        let precise = line("nginx", 4711, 12_345_678_901_234, 250_000, "cycles");
        assert_eq!(parsed("nginx 4711 [001] K 12345.678901234: 250000 cpu_core/cycles/: "), precise);
        assert_eq!(
            parsed("nginx 4711 12.000001: cycles:ppp: "),
            line("nginx", 4711, 12_000_001_000, 0, "cycles")
        );
        assert_eq!(parsed("nginx 4711 12.000001: 7 "), line("nginx", 4711, 12_000_001_000, 7, ""));
        assert_eq!(parsed("nginx 4711 250000 cycles: "), line("nginx", 4711, 0, 250_000, "cycles"));
        assert_eq!(parsed("nginx 4711 cycles: "), line("nginx", 4711, 0, 0, "cycles"));
        assert_eq!(parsed("nginx 4711 "), line("nginx", 4711, 0, 0, ""));
        assert_eq!(parsed("nginx 12.000001: cycles: ").process, None);
    }

    #[test]
    fn names_may_have_spaces_colons_and_numbers() {
        for name in ["nginx: worker 1", "kworker/0:1-ev", "a b c", "Web Content"] {
            let text = format!("{name} 4711/4712 [000] 1.000002: 1 cycles: ");
            assert_eq!(parsed(&text).name, name.as_bytes());
            assert_eq!(parsed(&text).process, Some(4711));
        }
    }

    #[test]
    fn the_frame_of_a_sample_without_a_stack_stands_behind_the_event() {
        let text =
            "           nginx  4711 [000] 1.000002:   1 cycles:  ffffffffa1 tcp_sendmsg ([kernel.kallsyms])";
        assert_eq!(parsed(text).rest, b"ffffffffa1 tcp_sendmsg ([kernel.kallsyms])");
        let text = "nginx 4711 1.000002:   555512345678 main (/usr/sbin/nginx)";
        assert_eq!(parsed(text).rest, b"555512345678 main (/usr/sbin/nginx)");
    }
}
