//! [`Fields`]: numbers in the byte order of the machine that wrote them.

/// Numbers in the byte order of the machine that wrote them. What is behind the end is 0: lengths are checked before.
#[derive(Debug, Clone, Copy)]
pub struct Fields<'b> {
    bytes: &'b [u8],
    is_big: bool,
}

impl<'b> Fields<'b> {
    pub const fn of(bytes: &'b [u8], is_big: bool) -> Self {
        Self { bytes, is_big }
    }

    fn at<const N: usize>(self, at: usize) -> [u8; N] {
        self.bytes.get(at..at + N).and_then(|bytes| bytes.try_into().ok()).unwrap_or([0; N])
    }

    pub fn u16(self, at: usize) -> u16 {
        let bytes = self.at(at);
        if self.is_big { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) }
    }

    pub fn u32(self, at: usize) -> u32 {
        let bytes = self.at(at);
        if self.is_big { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) }
    }

    pub fn u64(self, at: usize) -> u64 {
        let bytes = self.at(at);
        if self.is_big { u64::from_be_bytes(bytes) } else { u64::from_le_bytes(bytes) }
    }

    /// The length of a packet or block.
    pub fn length(self, at: usize) -> usize {
        usize::try_from(self.u32(at)).unwrap_or(usize::MAX)
    }
}
