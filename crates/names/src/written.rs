//! Names and sizes in a study's TOML, as people write them, and keys that it does not have.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, Visitor};

use tlstax_spec::{Bytes, Id, Limit};

use super::aliases::Aliased;
use super::closest::did_you_mean;
use super::lookup::lookup;
use super::size::bytes;

/// A list of lists of names.
///
/// # Errors
/// A word is no name of the vocabulary; with what it may have meant.
pub fn name_lists<'de, D: Deserializer<'de>, T: Aliased>(deserializer: D) -> Result<Vec<Vec<T>>, D::Error> {
    let lists = Vec::<Vec<Name<T>>>::deserialize(deserializer)?;
    Ok(lists.into_iter().map(|list| list.into_iter().map(|Name(member)| member).collect()).collect())
}

/// What a list of a study or a flag contains, as people write it.
pub trait Written: Clone {
    /// Reads a list of a study.
    ///
    /// # Errors
    /// It is no list of such things.
    fn list<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Self>, D::Error>;

    /// Reads one item of a flag.
    ///
    /// # Errors
    /// It is no such thing, or a number out of its range: a sentence.
    fn parse(text: &str, limit: Option<Limit>) -> Result<Self, String>;

    /// The item as [`Written::parse`] reads it.
    fn written(&self) -> String;

    /// All that there are, where these are few enough to be listed.
    fn choices() -> Vec<&'static str> {
        Vec::new()
    }

    /// The number that has to lie within a range, if it is one.
    fn number(&self) -> Option<u64> {
        None
    }
}

impl<T: Aliased> Written for T {
    fn list<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Self>, D::Error> {
        Ok(Vec::<Name<T>>::deserialize(deserializer)?.into_iter().map(|Name(member)| member).collect())
    }

    fn written(&self) -> String {
        self.canonical_name().to_owned()
    }

    fn parse(text: &str, _: Option<Limit>) -> Result<Self, String> {
        lookup(text).map_err(|problem| problem.to_string())
    }

    fn choices() -> Vec<&'static str> {
        T::MEMBERS.iter().map(|member| member.canonical_name()).collect()
    }
}

impl Written for bool {
    fn list<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Self>, D::Error> {
        Vec::deserialize(deserializer)
    }

    fn written(&self) -> String {
        self.to_string()
    }

    fn parse(text: &str, _: Option<Limit>) -> Result<Self, String> {
        text.parse().map_err(|_| format!("'{text}' is neither true nor false"))
    }

    fn choices() -> Vec<&'static str> {
        vec!["true", "false"]
    }
}

impl Written for u64 {
    fn list<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Self>, D::Error> {
        Vec::deserialize(deserializer)
    }

    fn written(&self) -> String {
        self.to_string()
    }

    fn parse(text: &str, limit: Option<Limit>) -> Result<Self, String> {
        let limit = limit.unwrap_or(Limit::NONE);
        let digits = text.strip_prefix('-').unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|one| one.is_ascii_digit()) {
            return Err(format!("'{text}' is no whole number: {} must be {}", limit.what, limit.range()));
        }
        let number = text.parse().ok().filter(|number| limit.allows(*number));
        number.ok_or_else(|| limit.refusal(text))
    }

    fn number(&self) -> Option<u64> {
        Some(*self)
    }
}

impl Written for Bytes {
    fn list<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Self>, D::Error> {
        Ok(Vec::<Size>::deserialize(deserializer)?.into_iter().map(|Size(bytes)| Self(bytes)).collect())
    }

    fn written(&self) -> String {
        match self.0 {
            0 => "0".to_owned(),
            bytes if bytes.is_multiple_of(1 << 20) => format!("{}M", bytes >> 20),
            bytes if bytes.is_multiple_of(1 << 10) => format!("{}k", bytes >> 10),
            bytes => bytes.to_string(),
        }
    }

    fn parse(text: &str, limit: Option<Limit>) -> Result<Self, String> {
        let limit = limit.unwrap_or(Limit::NONE);
        let bytes =
            bytes(text).map_err(|problem| format!("{problem}; {} must be {}", limit.what, limit.range()))?;
        if limit.allows(bytes) { Ok(Self(bytes)) } else { Err(limit.refusal(text)) }
    }

    fn number(&self) -> Option<u64> {
        Some(self.0)
    }
}

/// One id or a list of them.
impl Written for Id {
    fn list<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Self>, D::Error> {
        #[derive(serde::Deserialize)]
        #[serde(untagged)]
        enum Ids {
            One(Id),
            Several(Vec<Id>),
        }
        Ok(match Ids::deserialize(deserializer)? {
            Ids::One(id) => vec![id],
            Ids::Several(ids) => ids,
        })
    }

    fn written(&self) -> String {
        self.to_string()
    }

    fn parse(text: &str, _: Option<Limit>) -> Result<Self, String> {
        text.parse::<Self>().map_err(|problem| problem.to_string())
    }
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
