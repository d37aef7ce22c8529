//! Names and sizes in a study's TOML, as people write them, and keys that it does not have.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, Visitor};

use super::aliases::Aliased;
use super::closest::did_you_mean;
use super::lookup::lookup;
use super::size::bytes;

/// A list of names.
pub fn names<'de, D: Deserializer<'de>, T: Aliased>(deserializer: D) -> Result<Vec<T>, D::Error> {
    Ok(Vec::<Name<T>>::deserialize(deserializer)?.into_iter().map(|Name(member)| member).collect())
}

/// A list of lists of names.
pub fn name_lists<'de, D: Deserializer<'de>, T: Aliased>(deserializer: D) -> Result<Vec<Vec<T>>, D::Error> {
    let lists = Vec::<Vec<Name<T>>>::deserialize(deserializer)?;
    Ok(lists.into_iter().map(|list| list.into_iter().map(|Name(member)| member).collect()).collect())
}

/// A list of sizes: whole numbers of bytes, or text such as `16k`.
pub fn sizes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u64>, D::Error> {
    Ok(Vec::<Size>::deserialize(deserializer)?.into_iter().map(|Size(bytes)| bytes).collect())
}

struct Name<T>(T);

impl<'de, T: Aliased> Deserialize<'de> for Name<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader<T>(PhantomData<T>);

        impl<T: Aliased> Visitor<'_> for Reader<T> {
            type Value = Name<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "the name of a {}, in quotation marks", T::WHAT)
            }

            fn visit_str<E: Error>(self, word: &str) -> Result<Name<T>, E> {
                lookup(word).map(Name).map_err(E::custom)
            }
        }

        deserializer.deserialize_str(Reader(PhantomData))
    }
}

struct Size(u64);

impl<'de> Deserialize<'de> for Size {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;

        impl Visitor<'_> for Reader {
            type Value = Size;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a size: a whole number of bytes, or text such as \"16k\" or \"1MiB\"")
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<Size, E> {
                let refused = |_| E::custom(format!("{number} is out of range: no size is below 0"));
                u64::try_from(number).map(Size).map_err(refused)
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<Size, E> {
                Ok(Size(number))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Size, E> {
                bytes(text).map(Size).map_err(E::custom)
            }
        }

        deserializer.deserialize_any(Reader)
    }
}

/// The question whether another key was meant, on a line of its own, where a TOML file has a key that is not known. serde
/// names the key and those that are known in its message, and nowhere else.
pub fn unknown_key(error: &toml::de::Error) -> String {
    if !error.message().starts_with("unknown field") {
        return String::new();
    }
    let mut quoted = error.message().split('`').skip(1).step_by(2);
    let Some(key) = quoted.next() else { return String::new() };
    match did_you_mean(key, quoted).as_str() {
        "" => String::new(),
        question => format!("{}\n", question.trim_start()),
    }
}
