//! [`FlatCase`]: a case as one flat row of optional fields, the form on the wire and in documents.

use serde::{Deserialize, Serialize};

use crate::{
    Algorithm, Compression, Content, Contexts, Direction, Group, Http, InvalidId, Key, Op, Page, Pattern,
    Resumption, Sessions, Side, Suite, Version,
};

macro_rules! row {
    ($(
        #[doc = $help:literal] $field:ident: $type:ty $(= $usual:expr)?, $row:ident $(, id($($id:tt)*)
        $(, list($($list:tt)*) $(limit($($limit:tt)*))? $(flag($($flag:tt)*))?)?)?;
    )*) => {
        /// A case as a flat row. Which fields are set depends on `kind`; see the types of the same names. Absent is as usual: one
        /// thread, shared contexts, no compression, a download over HTTP/1.1 in a closed loop, resumed on all connections, of a file, from a
        /// server as most people run it, with sendfile, on one core.
        #[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub struct FlatCase {
            /// The id of the library.
            #[cfg_attr(feature = "schema", schemars(with = "crate::Id"))]
            pub library: String,
            /// primitive, handshake, bulk, idle or load.
            pub kind: String,
            $(
                #[doc = $help]
                #[serde(default, skip_serializing_if = "Option::is_none")]
                pub $field: Option<$type>,
            )*
        }

        impl FlatCase {
            /// The name of each field, in their order.
            pub const FIELDS: &'static [&'static str] = &["library", "kind", $(stringify!($field)),*];
        }
    };
}

// The fields of all kinds of cases; those of `also_load` stand among them already.
crate::dimensions! {
    row! {}
    case primitive
    {
        /// The protocol version; absent in a load over plain HTTP.
        version: Version, always;
        /// The cipher suite.
        suite: Suite, always;
        /// The key exchange group; absent with RSA key transport.
        group: Group, always;
        /// The key in the server's certificate.
        key: Key, always;
    }
    handshake bulk idle
    {
        /// The id of a load's client.
        client: String, always;
    }
    load tuning
}

/// A flat row that is no case.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CaseError {
    #[error("unknown kind of case '{0}'; known: primitive, handshake, bulk, idle, load")]
    UnknownKind(String),
    /// The library or the client has a name that is no id.
    #[error(transparent)]
    Id(#[from] InvalidId),
    #[error("a {kind} case needs the field '{field}'")]
    Missing { kind: String, field: &'static str },
}

/// The value of a field that the kind of case must have.
pub(crate) fn need<T>(flat: &FlatCase, field: &'static str, value: Option<T>) -> Result<T, CaseError> {
    value.ok_or_else(|| CaseError::Missing { kind: flat.kind.clone(), field })
}
