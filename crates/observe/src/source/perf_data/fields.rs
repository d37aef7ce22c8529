//! [`Fields`]: the fields of a record, one after the other, in the byte order of the machine that wrote it.

/// The byte order of the machine that recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    Little,
    Big,
}

/// The fields of a record. Each gives none where the record ends before it.
#[derive(Debug, Clone, Copy)]
pub struct Fields<'b> {
    bytes: &'b [u8],
    order: Order,
}

impl<'b> Fields<'b> {
    pub fn of(bytes: &'b [u8], order: Order) -> Self {
        Self { bytes, order }
    }

    pub fn rest(&self) -> &'b [u8] {
        self.bytes
    }

    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub fn take(&mut self, length: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.bytes.split_at_checked(length)?;
        self.bytes = rest;
        Some(taken)
    }

    /// So many items of a size.
    pub fn items(&mut self, count: u64, size: usize) -> Option<&'b [u8]> {
        self.take(usize::try_from(count).ok()?.checked_mul(size)?)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.bytes.split_first_chunk()?;
        self.bytes = rest;
        Some(*taken)
    }

    pub fn u16(&mut self) -> Option<u16> {
        let bytes = self.array()?;
        Some(if self.order == Order::Little { u16::from_le_bytes(bytes) } else { u16::from_be_bytes(bytes) })
    }

    pub fn u32(&mut self) -> Option<u32> {
        let bytes = self.array()?;
        Some(if self.order == Order::Little { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) })
    }

    pub fn u64(&mut self) -> Option<u64> {
        let bytes = self.array()?;
        Some(if self.order == Order::Little { u64::from_le_bytes(bytes) } else { u64::from_be_bytes(bytes) })
    }

    /// A text that ends with a zero, or with the record.
    pub fn text(&self) -> String {
        let end = memchr::memchr(0, self.bytes).unwrap_or(self.bytes.len());
        String::from_utf8_lossy(&self.bytes[..end]).into_owned()
    }

    /// A text with its length before it, filled up with zeros (`perf_header_string`).
    pub fn counted_text(&mut self) -> Option<String> {
        let length = self.u32()?;
        Some(Self::of(self.items(length.into(), 1)?, self.order).text())
    }
}
