//! [`FlatCase`]: a case as one flat row of optional fields, the form on the wire and in documents.

use serde::{Deserialize, Serialize};

use crate::{
    Algorithm, Bulk, Case, Contexts, Direction, Group, Handshake, Http, Idle, InvalidId, Key, Load, Op, Page,
    Params, Pattern, Primitive, Resumption, Sessions, Side, Suite, Tuning, Version, Workload,
};

macro_rules! row {
    ($(
        #[doc = $help:literal] $field:ident: $type:ty $(= $usual:expr)?, $row:ident $(, id($($id:tt)*)
        $(, list($($list:tt)*) $(limit($($limit:tt)*))? $(flag($($flag:tt)*))?)?)?;
    )*) => {
        /// A case as a flat row. Which fields are set depends on `kind`; see the types of the same names. Absent is as usual: one
        /// thread, shared contexts, a download over HTTP/1.1 in a closed loop, resumed on all connections, of a file, from a
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

/// The fields of all kinds of cases; `also_load` stands among them already.
macro_rules! flat_case {
    (
        case { $($case:tt)* }
        primitive { $($primitive:tt)* }
        handshake { $($handshake:tt)* }
        bulk { $($bulk:tt)* }
        idle { $($idle:tt)* }
        also_load { $($also_load:tt)* }
        load { $($load:tt)* }
        tuning { $($tuning:tt)* }
    ) => {
        row! {
            $($case)*
            $($primitive)*
            /// The protocol version; absent in a load over plain HTTP.
            version: Version, always;
            /// The cipher suite.
            suite: Suite, always;
            /// The key exchange group; absent with RSA key transport.
            group: Group, always;
            /// The key in the server's certificate.
            key: Key, always;
            $($handshake)*
            $($bulk)*
            $($idle)*
            /// The id of a load's client.
            client: String, always;
            $($load)*
            $($tuning)*
        }
    };
}

crate::dimensions!(flat_case);

/// A flat row that is no case.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CaseError {
    /// There is no such kind of workload.
    #[error("unknown kind of case '{0}'; known: primitive, handshake, bulk, idle, load")]
    UnknownKind(String),
    /// The library or the client has a name that is no id.
    #[error(transparent)]
    Id(#[from] InvalidId),
    /// A field that the kind needs is absent.
    #[error("a {kind} case needs the field '{field}'")]
    Missing {
        /// The kind.
        kind: String,
        /// The absent field.
        field: &'static str,
    },
}

impl From<Case> for FlatCase {
    fn from(case: Case) -> Self {
        let mut flat = Self {
            library: case.library.to_string(),
            kind: case.workload.kind().to_owned(),
            ..Self::default()
        };
        case.put(&mut flat);
        if let Some(params) = case.workload.params() {
            flat.version = Some(params.version);
            flat.suite = Some(params.suite);
            flat.group = params.group;
            flat.key = Some(params.key);
        }
        match case.workload {
            Workload::Primitive(primitive) => primitive.put(&mut flat),
            Workload::Handshake(handshake) => handshake.put(&mut flat),
            Workload::Bulk(bulk) => bulk.put(&mut flat),
            Workload::Idle(idle) => idle.put(&mut flat),
            Workload::Load(load) => {
                load.put(&mut flat);
                load.tuning.put(&mut flat);
                flat.client = Some(load.client.into());
            }
        }
        flat
    }
}

impl TryFrom<FlatCase> for Case {
    type Error = CaseError;

    fn try_from(flat: FlatCase) -> Result<Self, CaseError> {
        let workload = match flat.kind.as_str() {
            "primitive" => Workload::Primitive(Primitive::read(&flat)?),
            "handshake" => Workload::Handshake(Handshake::read(&flat, params(&flat)?)?),
            "bulk" => Workload::Bulk(Bulk::read(&flat, params(&flat)?)?),
            "idle" => Workload::Idle(Idle::read(&flat, params(&flat)?)?),
            "load" => {
                let client = need(&flat, "client", flat.client.clone())?.try_into()?;
                let params = flat.version.map(|_| params(&flat)).transpose()?;
                Workload::Load(Load::read(&flat, client, params, Tuning::read(&flat)?)?)
            }
            _ => return Err(CaseError::UnknownKind(flat.kind)),
        };
        let library = flat.library.clone().try_into()?;
        Self::read(&flat, library, workload)
    }
}

fn params(flat: &FlatCase) -> Result<Params, CaseError> {
    Ok(Params {
        version: need(flat, "version", flat.version)?,
        suite: need(flat, "suite", flat.suite)?,
        group: flat.group,
        key: need(flat, "key", flat.key)?,
    })
}

/// The value of a field that the kind of case must have.
pub(crate) fn need<T>(flat: &FlatCase, field: &'static str, value: Option<T>) -> Result<T, CaseError> {
    value.ok_or_else(|| CaseError::Missing { kind: flat.kind.clone(), field })
}
