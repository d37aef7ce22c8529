//! The field that makes the head of a response longer: `x-tlstax-padding`.

pub const PADDING: &str = "x-tlstax-padding";

/// The value that gives the field's line so many bytes in HTTP/1.1, with name, colon, space and line end; none for 0. In HPACK
/// (RFC 7541, appendix B) X takes eight bits, so that Huffman's code does not shorten it.
pub fn padding_value(line: u32) -> Option<String> {
    (line > 0).then(|| "X".repeat((line as usize).saturating_sub(padding_line(0))))
}

/// The bytes of the field's line with a value of so many.
pub const fn padding_line(value: usize) -> usize {
    PADDING.len() + ": ".len() + value + "\r\n".len()
}
