//! A line of folded stacks: frames and a count.

use memchr::memrchr;

/// A count above it is none: it is what a number with fractions can hold exactly, 2^53.
const MOST: f64 = 9_007_199_254_740_992.0;

/// The frames and the count of a line; none of what is no such line.
pub fn parse(line: &[u8]) -> Option<(&[u8], f64)> {
    let line = line.trim_ascii_end();
    let space = memrchr(b' ', line)?;
    let stack = line[..space].trim_ascii();
    let count = number(&line[space + 1..])?;
    (!stack.is_empty()).then_some((stack, count))
}

/// Most counts are a few digits, which are worth reading without the general way.
fn number(text: &[u8]) -> Option<f64> {
    if text.len() <= 15 && text.iter().all(u8::is_ascii_digit) && !text.is_empty() {
        let digits = text.iter().fold(0_u64, |number, digit| number * 10 + u64::from(digit - b'0'));
        #[expect(clippy::cast_precision_loss, reason = "15 digits are below 2^53")]
        return Some(digits as f64);
    }
    let is_number = text.iter().all(|byte| byte.is_ascii_digit() || b".eE+-".contains(byte));
    let number: f64 = std::str::from_utf8(text).ok().filter(|_| is_number)?.parse().ok()?;
    (0.0..=MOST).contains(&number).then_some(number)
}

/// Whether a line is one of folded stacks.
pub fn is_folded(line: &[u8]) -> bool {
    parse(line).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_frames_and_a_count() {
        let parse = |line: &'static str| parse(line.as_bytes());
        assert_eq!(parse("nginx;main;SSL_write 12"), Some((&b"nginx;main;SSL_write"[..], 12.0)));
        assert_eq!(
            parse("a;operator new(unsigned long) 3  "),
            Some((&b"a;operator new(unsigned long)"[..], 3.0))
        );
        assert_eq!(parse("a;b 1.25"), Some((&b"a;b"[..], 1.25)));
        assert_eq!(parse("a;b 123456789012345678"), None, "more than a fraction can hold");
        for broken in ["", "a;b", "12", " 12", "a;b -1", "a;b nan", "a;b inf", "a;b 0x10", "a;b 1e99"] {
            assert_eq!(parse(broken), None, "{broken:?}");
        }
    }
}
