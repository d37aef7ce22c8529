//! The workloads as types, made from their [`dimensions`](crate::dimensions): fields, usual values, fragments of ids, and the
//! way into a flat row and back.

use crate::dimensions::when;
use crate::flat::need;
use crate::{
    Algorithm, CaseError, Compression, Content, Contexts, Direction, FlatCase, Http, Id, Op, Page, Params,
    Pattern, Resumption, Sessions, Side,
};

/// What stands in a flat row for a value.
macro_rules! stated {
    (always, $value:expr $(, $usual:expr)?) => {
        Some($value)
    };
    (unless, $value:expr, $usual:expr) => {
        ($value != $usual).then_some($value)
    };
}

/// The value of a field of a flat row.
macro_rules! value {
    (always, $flat:ident . $field:ident $(, $usual:expr)?) => {
        need($flat, stringify!($field), $flat.$field)?
    };
    (unless, $flat:ident . $field:ident, $usual:expr) => {
        $flat.$field.unwrap_or($usual)
    };
}

/// Declares a type with the dimensions of one or two blocks as fields, after those that are none.
macro_rules! structure {
    (
        $(#[$meta:meta])* $name:ident { $($(#[$fixed_meta:meta])* $fixed:ident: $fixed_type:ty,)* }
        $(
            #[doc = $help:literal] $field:ident: $type:ty $(= $usual:expr)?, $row:ident, id($id:expr)
            $(, list($($list:tt)*) $(limit($($limit:tt)*))? $(flag($($flag:tt)*))?)?;
        )*
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        pub struct $name {
            $($(#[$fixed_meta])* pub $fixed: $fixed_type,)*
            $(#[doc = $help] pub $field: $type,)*
        }

        impl $name {
            /// Puts the dimensions into a flat row.
            pub(crate) fn put(&self, flat: &mut FlatCase) {
                $(flat.$field = stated!($row, self.$field $(, $usual)?);)*
            }

            /// Reads the dimensions from a flat row.
            pub(crate) fn read(flat: &FlatCase, $($fixed: $fixed_type),*) -> Result<Self, CaseError> {
                Ok(Self { $($fixed,)* $($field: value!($row, flat.$field $(, $usual)?),)* })
            }

            /// What each dimension adds to a case's id, with its name.
            pub(crate) fn fragments(&self) -> Vec<(&'static str, String)> {
                let of: &[(&'static str, fn(&Self) -> String)] = &[$((stringify!($field), $id)),*];
                of.iter().map(|(field, fragment)| (*field, fragment(self))).collect()
            }
        }
    };
}

/// Gives a type a constructor with the usual value of each dimension.
macro_rules! usual {
    (
        $(#[$meta:meta])* $name:ident::$new:ident($($fixed:ident: $fixed_type:ty),*)
        $(#[doc = $help:literal] $field:ident: $type:ty = $usual:expr, $row:ident, id($($id:tt)*)
            $(, list($($list:tt)*) $(limit($($limit:tt)*))? $(flag($($flag:tt)*))?)?;)*
    ) => {
        impl $name {
            $(#[$meta])*
            pub fn $new($($fixed: $fixed_type),*) -> Self {
                Self { $($fixed,)* $($field: $usual,)* }
            }
        }
    };
}

crate::dimensions! {
    structure! {
        /// One thing to measure: a library, a workload and the number of threads that do it at the same time.
        #[derive(serde::Serialize, serde::Deserialize)]
        #[serde(into = "FlatCase", try_from = "FlatCase")]
        Case {
            /// The id of the library in the registry; for a load, the server's: a library in a worker, or a program such as nginx.
            library: Id,
            workload: Workload,
        }
    }
    case
}

crate::dimensions! {
    structure! {
        /// One operation of one algorithm on messages of one size.
        #[derive(Copy)]
        Primitive {}
    }
    primitive
}

crate::dimensions! {
    structure! {
        /// A handshake in memory.
        #[derive(Copy)]
        Handshake {
            params: Params,
        }
    }
    handshake
}

crate::dimensions! {
    usual! {
        /// A full handshake with a chain of two, on contexts that all share.
        Handshake::usual(params: Params)
    }
    handshake
}

crate::dimensions! {
    structure! {
        /// Application data in memory.
        #[derive(Copy)]
        Bulk {
            params: Params,
        }
    }
    bulk
}

crate::dimensions! {
    usual! {
        /// Downloads in records of 16 KiB, within the cache.
        Bulk::usual(params: Params)
    }
    bulk
}

crate::dimensions! {
    structure! {
        /// Connections that do nothing after the handshake, to see what each takes in memory.
        #[derive(Copy)]
        Idle {
            params: Params,
        }
    }
    idle
}

crate::dimensions! {
    usual! {
        /// 500 connections of a server.
        Idle::usual(params: Params)
    }
    idle
}

crate::dimensions! {
    structure! {
        /// HTTP requests over loopback.
        Load {
            /// The id of the client: a library in a worker of its own, or a program such as curl.
            client: Id,
            /// What is negotiated; none is plain HTTP.
            params: Option<Params>,
            /// How a real server is set up.
            tuning: Tuning,
        }
    }
    also_load load
}

crate::dimensions! {
    usual! {
        /// As [`Load::new`], on a server that is set up otherwise.
        Load::usual(client: Id, params: Option<Params>, tuning: Tuning)
    }
    also_load load
}

crate::dimensions! {
    structure! {
        /// How a real server is set up, beside what has to be negotiated. [`Tuning::default`] is what most people run, on one core.
        #[derive(Copy)]
        Tuning {}
    }
    tuning
}

crate::dimensions! {
    usual! {
        /// What most people run, on one core.
        Tuning::usual()
    }
    tuning
}

/// The kinds of work that can be measured.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Workload {
    /// One cryptographic operation, without a protocol.
    Primitive(Primitive),
    /// TLS handshakes in memory, both sides in one thread.
    Handshake(Handshake),
    /// Application data in memory over an established connection, both sides in one thread.
    Bulk(Bulk),
    /// Memory of idle connections.
    Idle(Idle),
    /// HTTP requests over loopback, client and server each in a process of its own.
    Load(Load),
}

impl Load {
    /// Downloads over HTTP/1.1 in a closed loop, on 16 connections that are kept alive, of files without contents.
    pub fn new(client: Id, params: Option<Params>) -> Self {
        Self::usual(client, params, Tuning::default())
    }
}

impl Default for Tuning {
    fn default() -> Self {
        Self::usual()
    }
}
