//! The matrix of each kind of case, made from its dimensions.

use serde::Deserializer;
use serde::de::MapAccess;
use tlstax_names::Written;
use tlstax_spec::{
    Algorithm, Bulk, Bytes, Compression, Content, Contexts, Direction, Group, Handshake, Http, Id, Idle, Key,
    Limit, Load, Op, Page, Pattern, Primitive, Resumption, Sessions, Side, Suite, Tuning, Version,
};

use super::matrix::{self, Draft, Flag, List, Matrix, Narrow, Value};
use super::params::Negotiated;

/// Nothing, or something in a constant.
macro_rules! option {
    () => {
        None
    };
    ($something:expr) => {
        Some($something)
    };
}

macro_rules! limit {
    () => {
        None
    };
    (0 or $($limit:tt)+) => {
        Some(Limit::new($($limit)+).or_zero())
    };
    ($($limit:tt)+) => {
        Some(Limit::new($($limit)+))
    };
}

macro_rules! flag {
    ($heading:expr;) => {
        None
    };
    ($heading:expr; $name:literal $value:ident $($short:literal)? $(or $absent:literal)?) => {
        Some(Flag {
            name: $name,
            short: option!($($short)?),
            value: stringify!($value),
            absent: option!($($absent)?),
            heading: $heading,
        })
    };
}

/// Declares the matrix of a kind of work: keys that are no dimensions, and a list for each row of the blocks. The fields of a
/// block are those of the part of a draft, and their flags stand under the heading.
macro_rules! matrix {
    (
        $(#[$meta:meta])* $matrix:ident of $work:ident in $place:literal, needs [$($required:literal),*],
        { $($(#[$other_meta:meta])* $other:ident $(or $alias:literal)?: $other_type:ty,)* }
        $(block($part:ident, $heading:expr): $(
            #[doc = $help:literal] $field:ident: $type:ty $(= $usual:expr)?, $row:ident, id($id:expr)
            $(, list($key:ident: $item:ty = $default:expr) $(limit($($limit:tt)*))? $(flag($($flag:tt)*))?)?;
        )*)*
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq)]
        pub struct $matrix {
            $($(#[$other_meta])* pub $other: $other_type,)*
            $($($(#[doc = $help] pub $key: Vec<$item>,)?)*)*
        }

        impl Default for $matrix {
            fn default() -> Self {
                Self { $($other: Default::default(),)* $($($($key: $default.to_vec(),)?)*)* }
            }
        }

        impl Matrix for $matrix {
            type Work = $work;
            const PLACE: &'static str = $place;
            const KEYS: &'static [&'static str] =
                &[$(stringify!($other), $($alias,)?)* $($($(stringify!($key),)?)*)*];
            const REQUIRED: &'static [&'static str] = &[$($required),*];
            const LISTS: &'static [List<Self>] = &[$($($(List {
                key: stringify!($key),
                help: $help,
                limit: limit!($($($limit)*)?),
                flag: flag!($heading; $($($flag)*)?),
                choices: <$item>::choices,
                check: |text, limit| <$item>::parse(text, limit).map(drop),
                set: |matrix, items| {
                    matrix.$key = items.iter().filter_map(|item| <$item>::parse(item, None).ok()).collect();
                },
                written: |matrix| matrix.$key.iter().map(Written::written).collect(),
                numbers: |matrix| matrix.$key.iter().filter_map(Written::number).collect(),
                each: |matrix, draft| {
                    let with = |item: &$item| {
                        let mut draft = draft.clone();
                        draft.$part().$field = Narrow::<$type>::narrow(*item);
                        draft
                    };
                    matrix.$key.iter().map(with).collect()
                },
            },)?)*)*];

            fn read<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
                $(if key == stringify!($other) $(|| key == $alias)? {
                    self.$other = Value::read(map)?;
                })*
                $($($(if key == stringify!($key) {
                    self.$key = Value::read(map)?;
                })?)*)*
                Ok(())
            }
        }

        impl<'de> serde::Deserialize<'de> for $matrix {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                matrix::read(deserializer)
            }
        }
    };
}

/// As `matrix!`, for work on connections.
macro_rules! connections {
    (
        $(#[$meta:meta])* $matrix:ident of $work:ident in $place:literal, needs $needs:tt,
        { $($other:tt)* } $($blocks:tt)*
    ) => {
        matrix! {
            $(#[$meta])* $matrix of $work in $place, needs $needs,
            {
                /// Protocol versions; none is plain HTTP only, where there is plain HTTP.
                versions: Vec<Version>,
                suites: Vec<Suite>,
                /// Key exchange groups; suites with RSA key transport need none.
                groups: Vec<Group>,
                keys: Vec<Key>,
                $($other)*
            }
            $($blocks)*
        }

        impl $matrix {
            pub(super) fn negotiated(&self) -> Negotiated<'_> {
                let Self { versions, suites, groups, keys, .. } = self;
                Negotiated { versions, suites, groups, keys }
            }
        }
    };
}

/// What a draft consists of.
impl<W> Draft<W> {
    fn case(&mut self) -> &mut Self {
        self
    }

    fn work(&mut self) -> &mut W {
        &mut self.work
    }
}

impl Draft<Load> {
    fn tuning(&mut self) -> &mut Tuning {
        &mut self.work.tuning
    }
}

tlstax_spec::dimensions! {
    matrix! {
        /// Every combination of these; operations that an algorithm does not have are left out.
        PrimitiveMatrix of Primitive in "[[primitive]]", needs ["algorithms"],
        {
            algorithms: Vec<Algorithm>,
            /// Operations; all that the algorithm has where there are none.
            ops: Vec<Op>,
            /// Of the libraries that take part only these; all where there are none.
            libraries: Vec<Id>,
        }
    }
    { block(work, None): } primitive
    { block(case, None): } case
}

tlstax_spec::dimensions! {
    connections! {
        /// The combinations that exist of these: a suite of another version, or one that does not fit the certificate key or
        /// the group, makes no case.
        HandshakeMatrix of Handshake in "[[handshake]]", needs ["versions", "suites", "groups", "keys"],
        {
            /// Of the libraries that take part only these; all where there are none.
            libraries: Vec<Id>,
        }
    }
    { block(work, None): } handshake
    { block(case, None): } case
}

tlstax_spec::dimensions! {
    connections! {
        /// As [`HandshakeMatrix`], for application data.
        BulkMatrix of Bulk in "[[bulk]]", needs ["versions", "suites", "groups", "keys"],
        {
            /// Of the libraries that take part only these; all where there are none.
            libraries: Vec<Id>,
        }
    }
    { block(work, None): } bulk
}

tlstax_spec::dimensions! {
    connections! {
        /// As [`HandshakeMatrix`], for connections that do nothing.
        IdleMatrix of Idle in "[[idle]]", needs ["versions", "suites", "groups", "keys"],
        {
            /// Of the libraries that take part only these; all where there are none.
            libraries: Vec<Id>,
        }
    }
    { block(work, None): } idle
}

tlstax_spec::dimensions! {
    connections! {
        /// Loads over loopback: plain HTTP, HTTPS in the combinations that exist, or both.
        LoadMatrix of Load in "[[load]]", needs [],
        {
            /// Whether to add plain HTTP to each combination of connections, requests and bodies.
            plain: bool,
            /// Who serves, in place of the libraries that are measured otherwise: real servers, or libraries. Real servers that
            /// the user names take the place of those in the list.
            servers: Vec<Id>,
            /// The clients, one or a list: libraries in workers, or programs such as curl. A library that is not there is
            /// replaced by the server's own; so is none at all, and the client of a real server is then lean.
            clients or "client": Vec<Id>,
        }
    }
    { block(work, None): } also_load load
    { block(tuning, Some("Real servers")): } tuning
    { block(case, None): } case
}
