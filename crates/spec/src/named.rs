//! Enumerations whose members go by one fixed name on the wire, in files and on the screen.

/// A name that is in none of our vocabularies.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown {what} '{name}'; known: {known}")]
pub struct UnknownName {
    /// What kind of name was expected, for example `group`.
    pub what: &'static str,
    pub name: String,
    /// Every name that would have been accepted.
    pub known: String,
}

/// A closed set of members that go by one fixed name each.
pub trait Named: Copy + Eq + 'static {
    /// What kind of name it is, for example `group`.
    const WHAT: &'static str;

    /// Every member, in the order tables show them.
    const MEMBERS: &'static [Self];

    fn canonical_name(self) -> &'static str;
}

/// Declares a field-less enumeration with one name per member, `ALL`, `name`, `Display`, `FromStr` and serde.
macro_rules! named {
    ($(#[$meta:meta])* $what:literal $type:ident { $($(#[$doc:meta])* $member:ident = $name:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub enum $type { $($(#[$doc])* #[serde(rename = $name)] $member),+ }

        impl $type {
            pub const ALL: &'static [Self] = &[$(Self::$member),+];

            /// The one name of this member.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$member => $name),+ }
            }
        }

        impl $crate::Named for $type {
            const WHAT: &'static str = $what;
            const MEMBERS: &'static [Self] = Self::ALL;

            fn canonical_name(self) -> &'static str {
                self.name()
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::UnknownName;

            fn from_str(name: &str) -> Result<Self, Self::Err> {
                Self::ALL.iter().copied().find(|member| member.name() == name).ok_or_else(|| $crate::UnknownName {
                    what: $what,
                    name: name.to_owned(),
                    known: [$($name),+].join(", "),
                })
            }
        }
    };
}

pub(crate) use named;
