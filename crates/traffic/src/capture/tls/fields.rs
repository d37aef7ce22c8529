//! [`Fields`]: the fields of a message, one after the other.

/// The fields of a message that are still to be read. Behind its end there are none, which is no error: messages may be cut.
#[derive(Debug, Clone, Copy)]
pub struct Fields<'m>(pub &'m [u8]);

impl<'m> Fields<'m> {
    pub fn bytes(&mut self, count: usize) -> Option<&'m [u8]> {
        let (bytes, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(bytes)
    }

    pub fn u8(&mut self) -> Option<u8> {
        self.bytes(1).map(|bytes| bytes[0])
    }

    pub fn u16(&mut self) -> Option<u16> {
        self.bytes(2).map(|bytes| u16::from_be_bytes([bytes[0], bytes[1]]))
    }

    /// A vector with its length before it in one byte.
    pub fn short(&mut self) -> Option<&'m [u8]> {
        let length = self.u8()?;
        self.bytes(length.into())
    }

    /// A vector with its length before it in two bytes.
    pub fn long(&mut self) -> Option<&'m [u8]> {
        let length = self.u16()?;
        self.bytes(length.into())
    }

    /// Whether extensions are there, and all of them: nothing was cut off.
    pub fn has_all_extensions(mut self) -> bool {
        self.long().is_some()
    }

    /// The extensions that are there whole: types and bodies.
    pub fn extensions(mut self) -> impl Iterator<Item = (u16, &'m [u8])> {
        // The length of all; where they are cut, fewer are there.
        let length = self.u16().unwrap_or(0);
        let mut rest = Fields(&self.0[..self.0.len().min(length.into())]);
        std::iter::from_fn(move || Some((rest.u16()?, rest.long()?)))
    }
}
