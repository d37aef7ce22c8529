//! Patterns as shells have them: `*` stands for any bytes, `?` for one.

/// Whether a text is of a pattern, from end to end.
pub fn fits(pattern: &[u8], text: &[u8]) -> bool {
    let (mut p, mut t) = (0, 0);
    // Where the last star was, and up to where in the text it reaches by now.
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        match pattern.get(p) {
            Some(b'*') => {
                star = Some((p, t));
                p += 1;
            }
            Some(&letter) if letter == b'?' || letter == text[t] => {
                p += 1;
                t += 1;
            }
            _ => {
                let Some((at, reach)) = star else { return false };
                star = Some((at, reach + 1));
                (p, t) = (at + 1, reach + 1);
            }
        }
    }
    pattern[p..].iter().all(|letter| *letter == b'*')
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn a_star_stands_for_any_bytes() {
        for (pattern, text) in
            [("*", ""), ("a*", "abc"), ("*c", "abc"), ("a*b*c", "axxbyybc"), ("?", "x"), ("", "")]
        {
            assert!(fits(pattern.as_bytes(), text.as_bytes()), "{pattern} {text}");
        }
        for (pattern, text) in [("a", "ab"), ("?", ""), ("a*c", "abcd"), ("*ab", "aab?"), ("b*", "ab")] {
            assert!(!fits(pattern.as_bytes(), text.as_bytes()), "{pattern} {text}");
        }
    }
}
