//! Reading a line by its layout, where speed is the point: each field ends where what follows it stands first. What is no matter is
//! passed over, and nothing is allocated.

use memchr::memchr;
use tlstax_doc::Bad;

use super::field::Field;
use super::layout::{End, Layout, Step};
use super::time::Clock;
use super::values::{Values, is_one_word, leading_number};

/// Takes what the fields of a line say. Values are handed in, because they are too large to be passed back for each line.
pub fn scan<'l>(
    layout: &Layout,
    line: &'l [u8],
    clock: &mut Clock,
    values: &mut Values<'l>,
) -> Result<(), Bad> {
    let mut at = behind(line, 0, &layout.before).ok_or_else(|| other_or_cut(line, 0, &layout.before))?;
    for step in &layout.steps {
        at = take(step, line, at, values, clock)?;
    }
    if at == line.len() || layout.has_open_end { Ok(()) } else { Err(Bad::OtherFormat) }
}

/// Takes a field and what follows it; where the next one begins.
#[inline]
fn take<'l>(
    step: &Step,
    line: &'l [u8],
    at: usize,
    values: &mut Values<'l>,
    clock: &mut Clock,
) -> Result<usize, Bad> {
    let rest = &line[at..];
    match &step.field {
        Field::Text => Ok(text(step, line, at)?.1),
        Field::Request => {
            let (text, next) = text(step, line, at)?;
            values.set_request(text);
            Ok(next)
        }
        Field::Token => Ok(word(step, line, at)?.1),
        Field::Word(name) => {
            let (word, next) = word(step, line, at)?;
            values.words[*name as usize] = word;
            Ok(next)
        }
        Field::Number(number) => {
            let (value, length) = leading_number(rest)?;
            values.set_number(*number, value);
            let end = at + length;
            behind(line, end, &step.literal).ok_or_else(|| not_a_number(line, end, &step.literal))
        }
        Field::Time(form, counts) => {
            let (time, length) = clock.read(form, rest).ok_or_else(|| no_time(rest))?;
            if *counts {
                values.at += time;
            }
            literal(line, at + length, &step.literal)
        }
        Field::Captures => captures(step, line, at),
    }
}

/// A field that may be any text, and where the next one begins.
#[inline]
fn text<'l>(step: &Step, line: &'l [u8], at: usize) -> Result<(&'l [u8], usize), Bad> {
    let end = match step.end {
        End::Line => return Ok((&line[at..], line.len())),
        End::Quote => {
            let end = quote(line, at).ok_or(Bad::Cut)?;
            // A quote that is none of the layout's: a server that escapes does not write it.
            return match behind(line, end, &step.literal) {
                Some(next) => Ok((&line[at..end], next)),
                None if is_cut(line, end, &step.literal) => Err(Bad::Cut),
                None => Err(Bad::Quote),
            };
        }
        End::Literal => next_literal(line, at, &step.literal).ok_or(Bad::Cut)?,
    };
    Ok((&line[at..end], end + step.literal.len()))
}

/// Where the next quote is that has no backslash before it.
#[inline]
pub fn quote(line: &[u8], mut from: usize) -> Option<usize> {
    let begin = from;
    loop {
        let at = from + memchr(b'"', &line[from..])?;
        let backslashes = line[begin..at].iter().rev().take_while(|byte| **byte == b'\\').count();
        if backslashes % 2 == 0 {
            return Some(at);
        }
        from = at + 1;
    }
}

/// Where a literal stands next.
#[inline]
fn next_literal(line: &[u8], mut from: usize, literal: &[u8]) -> Option<usize> {
    let first = *literal.first()?;
    loop {
        let at = from + memchr(first, &line[from..])?;
        if behind(line, at, literal).is_some() {
            return Some(at);
        }
        from = at + 1;
    }
}

/// A field without spaces, and where the next one begins.
#[inline]
fn word<'l>(step: &Step, line: &'l [u8], at: usize) -> Result<(&'l [u8], usize), Bad> {
    let Some(first) = step.literal.first() else {
        let rest = &line[at..];
        is_one_word(rest)?;
        return Ok((rest, line.len()));
    };
    let mut end = at;
    loop {
        end = either(line, end, *first);
        if let Some(next) = behind(line, end, &step.literal) {
            return Ok((&line[at..end], next));
        }
        match line.get(end) {
            None => return Err(Bad::Cut),
            Some(b' ') => return Err(other_or_cut(line, end, &step.literal)),
            Some(_) => end += 1,
        }
    }
}

/// Where a byte or a space stands next, or the end of the line.
#[inline]
fn either(line: &[u8], mut at: usize, wanted: u8) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    // The lowest high bit that is set is that of the first byte that is zero.
    let zeros = |bytes: u64| bytes.wrapping_sub(ONES) & !bytes & (ONES << 7);
    // Eight at a time: words are too short for a call, and too long to be gone through one by one.
    while let Some(chunk) = line.get(at..at + 8).and_then(<[u8]>::first_chunk) {
        let bytes = u64::from_le_bytes(*chunk);
        let found = zeros(bytes ^ (ONES * u64::from(wanted))) | zeros(bytes ^ (ONES * u64::from(b' ')));
        if found != 0 {
            return at + (found.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    while let Some(byte) = line.get(at)
        && *byte != wanted
        && *byte != b' '
    {
        at += 1;
    }
    at
}

/// HAProxy writes captured headers in braces. Where nothing is captured, the space behind them is missing as well.
fn captures(step: &Step, line: &[u8], at: usize) -> Result<usize, Bad> {
    if line.get(at) != Some(&b'{') {
        let rest = step.literal.strip_prefix(b" ").unwrap_or(&step.literal);
        return literal(line, at, rest);
    }
    let end = at + memchr(b'}', &line[at..]).ok_or(Bad::Cut)? + 1;
    literal(line, end, &step.literal)
}

/// Passes over what has to stand here.
#[inline]
fn literal(line: &[u8], at: usize, literal: &[u8]) -> Result<usize, Bad> {
    behind(line, at, literal).ok_or_else(|| other_or_cut(line, at, literal))
}

/// The place behind a literal, if it stands here.
#[inline]
pub fn behind(line: &[u8], at: usize, literal: &[u8]) -> Option<usize> {
    // Compared without a call: most are of one to three bytes.
    let is_here = match literal {
        [] => true,
        [one] => line.get(at) == Some(one),
        [one, two] => line.get(at) == Some(one) && line.get(at + 1) == Some(two),
        [one, two, three] => {
            line.get(at) == Some(one) && line.get(at + 1) == Some(two) && line.get(at + 2) == Some(three)
        }
        more => line.get(at..at + more.len()) == Some(more),
    };
    is_here.then_some(at + literal.len())
}

/// Whether the line ends within the literal.
fn is_cut(line: &[u8], at: usize, literal: &[u8]) -> bool {
    line.len() - at < literal.len() && literal.starts_with(&line[at..])
}

#[cold]
fn other_or_cut(line: &[u8], at: usize, literal: &[u8]) -> Bad {
    if is_cut(line, at, literal) { Bad::Cut } else { Bad::OtherFormat }
}

#[cold]
fn not_a_number(line: &[u8], at: usize, literal: &[u8]) -> Bad {
    match line.get(at) {
        Some(byte) if byte.is_ascii_alphanumeric() || *byte == b'.' => Bad::Number,
        _ => other_or_cut(line, at, literal),
    }
}

/// A time that is cut off is none because the line is cut.
#[cold]
fn no_time(rest: &[u8]) -> Bad {
    const LONGEST: usize = 32;
    let is_cut = rest.len() < LONGEST && !rest.iter().any(|byte| matches!(byte, b']' | b'"'));
    if is_cut { Bad::Cut } else { Bad::Time }
}
