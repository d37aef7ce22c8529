//! What bulk data consist of. Without compression that makes no difference; with it, it is most of the cost.

use tlstax_spec::{Bulk, Compression, Content};

/// The words that are the most frequent in English.
const WORDS: [&str; 128] = [
    "the", "of", "and", "to", "in", "a", "is", "that", "for", "it", "as", "was", "with", "be", "by", "on",
    "not", "he", "his", "but", "at", "are", "this", "have", "from", "or", "had", "an", "they", "which",
    "one", "you", "were", "all", "her", "she", "there", "would", "their", "we", "him", "been", "has", "when",
    "who", "will", "no", "more", "if", "out", "so", "up", "said", "what", "its", "about", "than", "into",
    "them", "can", "only", "other", "time", "new", "some", "could", "these", "two", "may", "first", "then",
    "do", "any", "like", "my", "now", "over", "such", "our", "man", "me", "even", "most", "made", "after",
    "also", "did", "many", "off", "before", "must", "well", "back", "through", "years", "much", "where",
    "your", "way", "down", "should", "because", "long", "each", "just", "state", "people", "those", "too",
    "old", "how", "little", "good", "world", "make", "very", "year", "still", "see", "own", "work", "men",
    "day", "get", "here", "between", "both", "life",
];

/// Twice as far as DEFLATE looks back for what it has seen (RFC 1951, 2), over the ends of records: what comes again within that
/// would shrink to nothing.
const UNREPEATED: usize = 64 * 1024;

/// Buffers that are sent one after the other, and then again.
pub(crate) struct Payload {
    bytes: Vec<u8>,
    buffer: usize,
    next: usize,
}

impl Payload {
    pub(crate) fn of(bulk: &Bulk) -> Self {
        let buffer = bulk.buffer as usize;
        let length = buffer * UNREPEATED.div_ceil(buffer).max(1);
        let bytes = match (bulk.compression, bulk.content) {
            // Looks like nothing: 251 is the largest prime below 256.
            (Compression::None, _) => (0..buffer).map(|at| (at % 251) as u8).collect(),
            (Compression::Deflate, Content::Text) => text(length),
            (Compression::Deflate, Content::Random) => random(length),
            (Compression::Deflate, Content::Zeros) => vec![0; buffer],
        };
        Self { bytes, buffer, next: 0 }
    }

    /// The next buffer.
    pub(crate) fn next(&mut self) -> &[u8] {
        let from = self.next;
        self.next = (from + self.buffer) % self.bytes.len();
        &self.bytes[from..from + self.buffer]
    }
}

/// Words, a rank as often as its inverse, about; numbers, which no dictionary has; line ends. DEFLATE leaves a third of it, as of
/// English prose.
fn text(length: usize) -> Vec<u8> {
    let mut numbers = Numbers::new();
    let mut text = Vec::with_capacity(length + 16);
    while text.len() < length {
        let number = numbers.draw();
        let bits = |from: u32, below: u64| (number >> from) % below;
        match bits(40, 16) {
            0 => text.extend(bits(44, 10_000).to_string().bytes()),
            _ => text.extend(WORDS[bits(8, 2 << bits(0, 7)) as usize].bytes()),
        }
        text.extend(if bits(60, 16) == 0 { &b".\n"[..] } else { b" " });
    }
    text.truncate(length);
    text
}

fn random(length: usize) -> Vec<u8> {
    let mut numbers = Numbers::new();
    (0..length).map(|_| (numbers.draw() >> 32) as u8).collect()
}

/// The same numbers each time: Marsaglia, "Xorshift RNGs", 2003.
struct Numbers(u64);

impl Numbers {
    fn new() -> Self {
        Self(0x9e37_79b9_7f4a_7c15)
    }

    fn draw(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::setup::USUAL;

    fn payload(content: Content, buffer: u32) -> Payload {
        Payload::of(&Bulk { compression: Compression::Deflate, content, buffer, ..Bulk::usual(USUAL) })
    }

    #[test]
    fn text_is_words_and_the_same_each_time() {
        let text = payload(Content::Text, 262_144).bytes;
        assert_eq!(text, payload(Content::Text, 262_144).bytes);
        let words: HashSet<&[u8]> = text.split(|byte| b" .\n".contains(byte)).collect();
        assert!(WORDS.iter().all(|word| words.contains(word.as_bytes())));
        assert!(text.len() == 262_144 && words.len() > 2000, "{} words", words.len());
    }

    #[test]
    fn random_bytes_are_all_alike_frequent() {
        let mut counts = [0_u32; 256];
        for byte in payload(Content::Random, 262_144).bytes {
            counts[usize::from(byte)] += 1;
        }
        assert!(counts.iter().all(|count| (850..1200).contains(count)), "{counts:?}");
    }

    #[test]
    fn no_buffer_comes_again_within_the_window() {
        for buffer in [1000, 16_384, 60_000] {
            let mut payload = payload(Content::Random, buffer);
            let count = 65_536_u32.div_ceil(buffer);
            let sent: Vec<Vec<u8>> = (0..count).map(|_| payload.next().to_vec()).collect();
            let different: HashSet<&Vec<u8>> = sent.iter().collect();
            assert_eq!(different.len(), sent.len(), "buffers of {buffer}");
        }
        let mut plain = Payload::of(&Bulk { buffer: 1000, ..Bulk::usual(USUAL) });
        assert_eq!(plain.next().to_vec(), plain.next());
    }
}
