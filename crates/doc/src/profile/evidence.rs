//! [`Evidence`]: by what a stack was given its class.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// By what a stack was given its class, the strongest first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "by", content = "what", rename_all = "kebab-case")]
pub enum Evidence {
    /// A function at the border of two libraries, which has a name even where the rest is stripped.
    Boundary(String),
    /// The name of a function.
    Symbol(String),
    /// A table that was made for exactly this build of a library: its build id.
    BuildId(String),
    /// Instructions that only one algorithm has.
    Instructions(String),
    /// Nothing but the file that the code is in.
    Module(String),
    /// Nothing: why.
    Nothing(String),
}

impl Evidence {
    /// One word for tables.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Boundary(_) => "boundary",
            Self::Symbol(_) => "symbol",
            Self::BuildId(_) => "build id",
            Self::Instructions(_) => "instructions",
            Self::Module(_) => "module",
            Self::Nothing(_) => "nothing",
        }
    }

    /// The name that it stands on, or why there is none.
    pub fn what(&self) -> &str {
        match self {
            Self::Boundary(what)
            | Self::Symbol(what)
            | Self::BuildId(what)
            | Self::Instructions(what)
            | Self::Module(what)
            | Self::Nothing(what) => what,
        }
    }
}
