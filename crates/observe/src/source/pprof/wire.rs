//! The fields of a protobuf message, one after the other, without a copy of what is in them.

use micropb::{DecodeError, PbDecoder, WIRE_TYPE_I32, WIRE_TYPE_I64, WIRE_TYPE_LEN, WIRE_TYPE_VARINT};

/// A message cannot be read on from here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Broken;

impl<E> From<DecodeError<E>> for Broken {
    fn from(_: DecodeError<E>) -> Self {
        Self
    }
}

/// What a field holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value<'b> {
    Number(u64),
    /// A text, a message, or packed numbers.
    Bytes(&'b [u8]),
}

impl<'b> Value<'b> {
    /// 0 of what is no number, as protobuf has it for what is missing.
    pub fn number(self) -> u64 {
        match self {
            Self::Number(number) => number,
            Self::Bytes(_) => 0,
        }
    }

    /// Nothing of what is a number.
    pub fn bytes(self) -> &'b [u8] {
        match self {
            Self::Number(_) => &[],
            Self::Bytes(bytes) => bytes,
        }
    }

    /// Appends the numbers of a repeated field, which may be packed.
    pub fn numbers(self, into: &mut Vec<u64>) -> Result<(), Broken> {
        match self {
            Self::Number(number) => into.push(number),
            Self::Bytes(mut packed) => {
                while !packed.is_empty() {
                    let mut decoder = PbDecoder::new(packed);
                    into.push(decoder.decode_varint64()?);
                    packed = decoder.into_reader();
                }
            }
        }
        Ok(())
    }
}

/// The fields of a message.
#[derive(Debug, Clone, Copy)]
pub struct Fields<'b>(&'b [u8]);

impl<'b> Fields<'b> {
    pub fn of(message: &'b [u8]) -> Self {
        Self(message)
    }

    fn field(&mut self) -> Result<(u32, Value<'b>), Broken> {
        let mut decoder = PbDecoder::new(self.0);
        let tag = decoder.decode_tag()?;
        let value = match tag.wire_type() {
            WIRE_TYPE_VARINT => Value::Number(decoder.decode_varint64()?),
            WIRE_TYPE_I64 => Value::Number(decoder.decode_fixed64()?),
            WIRE_TYPE_I32 => Value::Number(decoder.decode_fixed32()?.into()),
            WIRE_TYPE_LEN => {
                let length = usize::try_from(decoder.decode_varint64()?).map_err(|_| Broken)?;
                let (bytes, rest) = decoder.into_reader().split_at_checked(length).ok_or(Broken)?;
                self.0 = rest;
                return valid(tag.field_num(), Value::Bytes(bytes));
            }
            // Groups are of the second version of protobuf, and not in a profile.
            _ => return Err(Broken),
        };
        self.0 = decoder.into_reader();
        valid(tag.field_num(), value)
    }
}

fn valid(field: u32, value: Value<'_>) -> Result<(u32, Value<'_>), Broken> {
    if field == 0 { Err(Broken) } else { Ok((field, value)) }
}

impl<'b> Iterator for Fields<'b> {
    type Item = Result<(u32, Value<'b>), Broken>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let field = self.field();
        if field.is_err() {
            self.0 = &[];
        }
        Some(field)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_come_in_order_and_a_broken_one_ends_them() {
        let fields: Vec<_> = Fields::of(&[0x08, 0x96, 0x01, 0x12, 0x02, b'h', b'i']).collect();
        assert_eq!(fields, [Ok((1, Value::Number(150))), Ok((2, Value::Bytes(b"hi")))]);
        assert_eq!(Fields::of(&[0x12, 0x05, b'h']).collect::<Vec<_>>(), [Err(Broken)]);
        assert_eq!(Fields::of(&[0x0b]).collect::<Vec<_>>(), [Err(Broken)], "a group");
        assert_eq!(Fields::of(&[0x00, 0x01]).collect::<Vec<_>>(), [Err(Broken)], "field 0");
    }

    #[test]
    fn repeated_numbers_are_packed_or_not() {
        let mut numbers = Vec::new();
        Value::Bytes(&[1, 0x96, 1]).numbers(&mut numbers).unwrap();
        Value::Number(7).numbers(&mut numbers).unwrap();
        assert_eq!(numbers, [1, 150, 7]);
        assert_eq!(Value::Bytes(&[0x96]).numbers(&mut numbers), Err(Broken));
    }
}
