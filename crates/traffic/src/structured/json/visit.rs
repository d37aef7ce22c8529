//! Reading of an object: the values of fields are kept, the rest is passed over without being built.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::super::value::{Record, Value};
use super::paths::{Paths, Step};

/// Reads the fields of an object.
///
/// # Errors
/// It is no object, or there is something behind it.
pub fn read<'l>(line: &'l [u8], paths: &Paths, record: &mut Record<'l>) -> serde_json::Result<()> {
    let mut reader = serde_json::Deserializer::from_slice(line);
    reader.deserialize_map(Object { paths, record })?;
    reader.end()
}

/// An object with fields.
struct Object<'p, 'r, 'l> {
    paths: &'p Paths,
    record: &'r mut Record<'l>,
}

impl<'l> DeserializeSeed<'l> for Object<'_, '_, 'l> {
    type Value = ();

    fn deserialize<D: Deserializer<'l>>(self, reader: D) -> Result<(), D::Error> {
        reader.deserialize_any(self)
    }
}

impl<'l> Visitor<'l> for Object<'_, '_, 'l> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'l>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(step) = map.next_key_seed(Key(self.paths))? {
            match step {
                Some(Step::Field(field)) => {
                    let value = map.next_value_seed(Scalar)?;
                    self.record.set(*field, value);
                }
                Some(Step::Object(paths)) => map.next_value_seed(Object { paths, record: self.record })?,
                None => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }

    // Where an object could be, there is none.
    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }
}

/// A key: what stands under it.
struct Key<'p>(&'p Paths);

impl<'l, 'p> DeserializeSeed<'l> for Key<'p> {
    type Value = Option<&'p Step>;

    fn deserialize<D: Deserializer<'l>>(self, reader: D) -> Result<Self::Value, D::Error> {
        // As bytes: whether a key that is not looked for is UTF-8 is not asked.
        reader.deserialize_bytes(self)
    }
}

impl<'p> Visitor<'_> for Key<'p> {
    type Value = Option<&'p Step>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_bytes<E: Error>(self, key: &[u8]) -> Result<Self::Value, E> {
        Ok(self.0.get(key))
    }
}

/// The value of a field.
struct Scalar;

impl<'l> DeserializeSeed<'l> for Scalar {
    type Value = Value<'l>;

    fn deserialize<D: Deserializer<'l>>(self, reader: D) -> Result<Value<'l>, D::Error> {
        reader.deserialize_any(self)
    }
}

impl<'l> Visitor<'l> for Scalar {
    type Value = Value<'l>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value<'l>, E> {
        Ok(Value::Bool(value))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Value<'l>, E> {
        Ok(Value::Whole(number))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Value<'l>, E> {
        // Below zero there is nothing that is counted: what it is matters to nobody.
        Ok(u64::try_from(number).map_or(Value::Real(-1.0), Value::Whole))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Value<'l>, E> {
        Ok(Value::Real(number))
    }

    fn visit_unit<E: Error>(self) -> Result<Value<'l>, E> {
        Ok(Value::Null)
    }

    fn visit_borrowed_str<E: Error>(self, text: &'l str) -> Result<Value<'l>, E> {
        Ok(Value::text(text.as_bytes()))
    }

    // A text with escapes.
    fn visit_str<E: Error>(self, text: &str) -> Result<Value<'l>, E> {
        Ok(Value::Text(Cow::Owned(text.as_bytes().to_vec())))
    }

    fn visit_seq<A: SeqAccess<'l>>(self, mut list: A) -> Result<Value<'l>, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Value::Other)
    }

    fn visit_map<A: MapAccess<'l>>(self, mut map: A) -> Result<Value<'l>, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Value::Other)
    }
}
