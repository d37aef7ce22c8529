//! Words in lines, by the columns of the screen that letters take.

use unicode_width::UnicodeWidthStr;

/// Columns of the screen that a text takes: none for a mark on a letter, two for a Chinese character.
pub(crate) fn columns(text: &str) -> usize {
    text.width()
}

/// Words in as many lines as they need, the first after `lead`, the others below its end; no lines without words. A word
/// that is wider than the screen makes a line that is.
pub(crate) fn lines(words: impl IntoIterator<Item = String>, lead: &str, width: usize) -> Vec<String> {
    let indent = columns(lead);
    let mut lines: Vec<String> = Vec::new();
    let mut room = 0;
    for word in words {
        let taken = columns(&word);
        match lines.last_mut().filter(|_| taken < room) {
            Some(line) => {
                line.push(' ');
                line.push_str(&word);
                room -= taken + 1;
            }
            None => {
                let before = if lines.is_empty() { lead.to_owned() } else { " ".repeat(indent) };
                lines.push(before + &word);
                room = width.saturating_sub(indent).saturating_sub(taken);
            }
        }
    }
    lines
}

/// A word in pieces of at most so many columns; a letter that is wider is a piece.
pub(crate) fn pieces(word: &str, width: usize) -> Vec<String> {
    if columns(word) <= width {
        return vec![word.to_owned()];
    }
    let mut pieces = vec![String::new()];
    for letter in word.chars() {
        let last = pieces.len() - 1;
        let piece = &mut pieces[last];
        piece.push(letter);
        // Of the whole piece: a letter may change how wide the one before it is.
        if columns(piece) > width && piece.chars().count() > 1 {
            piece.pop();
            pieces.push(String::from(letter));
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(text: &str, lead: &str, width: usize) -> Vec<String> {
        lines(text.split(' ').map(str::to_owned), lead, width)
    }

    #[test]
    fn lines_are_as_wide_as_the_screen_and_hang_below_their_lead() {
        assert_eq!(filled("one two three", "- ", 9), ["- one two", "  three"]);
        assert_eq!(filled("one two three", "- ", 8), ["- one", "  two", "  three"]);
        assert_eq!(filled("overlong a b", "", 5), ["overlong", "a b"]);
        assert_eq!(lines([], "- ", 9), [""; 0]);
    }

    #[test]
    fn wide_letters_take_two_columns() {
        assert_eq!(filled("日本 語", "", 6), ["日本", "語"]);
        assert_eq!(filled("日本 語", "", 7), ["日本 語"]);
        assert_eq!(pieces("日本語", 4), ["日本", "語"]);
        assert_eq!(pieces("日", 1), ["日"]);
        assert_eq!(pieces("abcd", 4), ["abcd"]);
    }
}
