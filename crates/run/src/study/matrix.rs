//! What matrices have in common: lists, of which each combination that exists is a case.

use std::marker::PhantomData;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use tlstax_names::Written;
use tlstax_spec::{Bytes, Limit};

pub trait Matrix: Default + Clone + 'static {
    /// What a case of it does.
    type Work: 'static;
    /// Its heading in the file of a study.
    const PLACE: &'static str;
    /// Its lists that are dimensions, in the order of their declaration.
    const LISTS: &'static [List<Self>];
    /// Every key that it can have.
    const KEYS: &'static [&'static str];
    const REQUIRED: &'static [&'static str];

    /// Reads the value of a key.
    ///
    /// # Errors
    /// The value is none of the key's.
    fn read<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error>;
}

#[derive(Debug)]
pub struct List<M: Matrix> {
    /// Its key in a study.
    pub key: &'static str,
    /// What its items are, as its declaration has it.
    pub help: &'static str,
    /// Between which numbers they must lie.
    pub limit: Option<Limit>,
    pub flag: Option<Flag>,
    /// All that an item can be, where that is a vocabulary.
    pub choices: fn() -> Vec<&'static str>,
    /// Whether a text is an item: its complaint if not.
    pub check: fn(&str, Option<Limit>) -> Result<(), String>,
    /// Puts items in the place of those there are; they have passed the check.
    pub set: fn(&mut M, &[&str]),
    /// The items as they are written.
    pub written: fn(&M) -> Vec<String>,
    /// The items that are numbers.
    pub numbers: fn(&M) -> Vec<u64>,
    /// A draft with each item in its place.
    pub(super) each: fn(&M, &Draft<M::Work>) -> Drafts<M>,
}

/// A flag of the command line.
#[derive(Debug, Clone, Copy)]
pub struct Flag {
    /// Its long form.
    pub name: &'static str,
    pub short: Option<char>,
    /// The name of its value.
    pub value: &'static str,
    /// What it is where it is absent, if that is not the default of studies.
    pub absent: Option<&'static str>,
    /// The heading that it stands under.
    pub heading: Option<&'static str>,
}

/// A case without its library.
#[derive(Debug, Clone)]
pub struct Draft<W> {
    pub(super) threads: u16,
    pub(super) work: W,
}

/// Cases of a matrix, on the way to every combination.
pub(super) type Drafts<M> = Vec<Draft<<M as Matrix>::Work>>;

/// Every combination of the items of all lists but `settled`; those in `first` vary slower than the others, the last one fastest.
pub(super) fn combine<M: Matrix>(
    matrix: &M,
    drafts: Drafts<M>,
    settled: &[&str],
    first: &[&str],
) -> Drafts<M> {
    let mut lists: Vec<&List<M>> = M::LISTS.iter().filter(|list| !settled.contains(&list.key)).collect();
    lists.sort_by_key(|list| first.iter().position(|key| *key == list.key).unwrap_or(first.len()));
    lists
        .into_iter()
        .fold(drafts, |drafts, list| drafts.iter().flat_map(|draft| (list.each)(matrix, draft)).collect())
}

/// The number of combinations of all lists but `settled`. An empty list counts as one: the others are multiplied before it is
/// seen that nothing comes of them.
pub(super) fn combinations<M: Matrix>(matrix: &M, settled: &[&str]) -> usize {
    let lists = M::LISTS.iter().filter(|list| !settled.contains(&list.key));
    lists.fold(1, |product, list| product.saturating_mul((list.written)(matrix).len().max(1)))
}

/// From an item of a list to the value of a field. Every number has passed its limit, which lies within the narrower type.
pub(super) trait Narrow<T> {
    fn narrow(self) -> T;
}

impl<T> Narrow<T> for T {
    fn narrow(self) -> T {
        self
    }
}

macro_rules! narrow {
    ($($item:ty: $number:expr => $($type:ty)+;)+) => {$($(
        impl Narrow<$type> for $item {
            fn narrow(self) -> $type {
                let number: u64 = $number(self);
                <$type>::try_from(number)
                    .unwrap_or_else(|_| unreachable!("{number} is within the limits of a study"))
            }
        }
    )+)+};
}

narrow! {
    u64: std::convert::identity => u8 u16 u32;
    Bytes: |Bytes(bytes)| bytes => u32;
}

/// What can be the value of a key: a list, or whether something takes part.
pub(super) trait Value: Sized {
    fn read<'de, A: MapAccess<'de>>(map: &mut A) -> Result<Self, A::Error>;
}

impl<T: Written> Value for Vec<T> {
    fn read<'de, A: MapAccess<'de>>(map: &mut A) -> Result<Self, A::Error> {
        struct Items<T>(PhantomData<T>);

        impl<'de, T: Written> DeserializeSeed<'de> for Items<T> {
            type Value = Vec<T>;

            fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Vec<T>, D::Error> {
                T::list(deserializer)
            }
        }

        map.next_value_seed(Items(PhantomData))
    }
}

impl Value for bool {
    fn read<'de, A: MapAccess<'de>>(map: &mut A) -> Result<Self, A::Error> {
        map.next_value()
    }
}

pub(super) fn read<'de, M: Matrix, D: Deserializer<'de>>(deserializer: D) -> Result<M, D::Error> {
    struct Reader<M>(PhantomData<M>);

    impl<'de, M: Matrix> Visitor<'de> for Reader<M> {
        type Value = M;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            write!(f, "a table {}", M::PLACE)
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<M, A::Error> {
            let mut matrix = M::default();
            let mut seen = Vec::new();
            while let Some(key) = map.next_key_seed(Key(M::KEYS))? {
                match key.as_str() {
                    // What is different in the quick form of the study, see `Extent::Quick`.
                    "quick" => drop(map.next_value::<IgnoredAny>()?),
                    key => matrix.read(key, &mut map)?,
                }
                seen.push(key);
            }
            match M::REQUIRED.iter().find(|key| !seen.iter().any(|seen| seen == *key)) {
                Some(absent) => Err(A::Error::missing_field(absent)),
                None => Ok(matrix),
            }
        }
    }

    deserializer.deserialize_map(Reader(PhantomData))
}

/// Reads one of these keys: refused here, an unknown one is shown in its line.
struct Key(&'static [&'static str]);

impl<'de> DeserializeSeed<'de> for Key {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<String, D::Error> {
        let key: String = serde::Deserialize::deserialize(deserializer)?;
        match key == "quick" || self.0.contains(&key.as_str()) {
            true => Ok(key),
            false => Err(D::Error::unknown_field(&key, self.0)),
        }
    }
}
