//! What syslog puts before a line.

use memchr::memmem;

/// No head is longer: a date, a host, and the name of a program.
const LONGEST: usize = 320;

/// The line behind what syslog has put before it: `Nov 22 21:22:13 host haproxy[12]: `, with or without a priority before that, or a
/// time of RFC 3339 in place of the date; none where nothing of the sort is there.
pub fn behind(line: &[u8]) -> Option<&[u8]> {
    let head = &line[..line.len().min(LONGEST)];
    let priority = if head.first() == Some(&b'<') { memchr::memchr(b'>', head)? + 1 } else { 0 };
    let rest = &head[priority..];
    if let Some(after) = rest.strip_prefix(b"1 ").filter(|_| priority > 0) {
        return structured(after).map(|length| &line[priority + 2 + length..]);
    }
    if priority == 0 && !is_date(rest) {
        return None;
    }
    // Behind the date, which has no colon with a space.
    let tag = memchr::memchr_iter(b':', rest).find(|at| rest.get(at + 1) == Some(&b' '))?;
    Some(&line[priority + tag + 2..])
}

/// `Nov 22 21:22:13`, or `2026-11-22T21:22:13.123456+00:00`.
fn is_date(text: &[u8]) -> bool {
    let is_month = |name: &[u8]| name[0].is_ascii_uppercase() && name[1..].iter().all(u8::is_ascii_lowercase);
    match text {
        [a, b, c, b' ', ..] => is_month(&[*a, *b, *c]) && text.get(6) == Some(&b' '),
        [y, _, _, _, b'-', _, _, b'-', _, _, b'T', ..] => y.is_ascii_digit(),
        _ => false,
    }
}

/// RFC 5424, behind its version: time, host, program, process and message of one word each, and structured data.
fn structured(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    for _ in 0..5 {
        at += memchr::memchr(b' ', text.get(at..)?)? + 1;
    }
    let data = text.get(at..)?;
    let end =
        if data.starts_with(b"[") { memmem::find(data, b"] ")? + 1 } else { memchr::memchr(b' ', data)? };
    Some(at + end + 1)
}
