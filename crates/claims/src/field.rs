//! The fields of cases as a claims file has them, made from the dimensions.

use serde_json::Value as Json;
use tlstax_names::Written;
use tlstax_spec::{
    Algorithm, Bytes, Compression, Content, Contexts, Direction, Group, Http, Id, Key, Limit, Op, Page,
    Pattern, Resumption, Sessions, Side, Suite, Version,
};

/// A field of a case, and how its value is read: into what stands in a flat row.
pub(crate) struct Field {
    pub name: &'static str,
    pub read: fn(&str) -> Result<Json, String>,
}

fn read<T: Written>(text: &str, limit: Option<Limit>) -> Result<Json, String> {
    let item = T::parse(text, limit)?;
    Ok(match (item.number(), item.written().as_str()) {
        (Some(number), _) => number.into(),
        (None, "true") => true.into(),
        (None, "false") => false.into(),
        (None, name) => name.into(),
    })
}

macro_rules! reader {
    ([$type:ty]) => {
        |text| read::<$type>(text, None)
    };
    ([$type:ty][$item:ty]) => {
        |text| read::<$item>(text, None)
    };
    ([$type:ty][$item:ty] limit(0 or $($limit:tt)+)) => {
        |text| read::<$item>(text, Some(Limit::new($($limit)+).or_zero()))
    };
    ([$type:ty][$item:ty] limit($($limit:tt)+)) => {
        |text| read::<$item>(text, Some(Limit::new($($limit)+)))
    };
}

macro_rules! block {
    ($constant:ident: $(
        #[doc = $help:literal] $field:ident: $type:ty $(= $usual:expr)?, $row:ident, id($($id:tt)*)
        $(, list($key:ident: $item:ty = $default:expr) $(limit($($limit:tt)*))? $(flag($($flag:tt)*))?)?;
    )*) => {
        const $constant: &[Field] = &[$(Field {
            name: stringify!($field),
            read: reader!([$type] $([$item] $(limit($($limit)*))?)?),
        }),*];
    };
}

tlstax_spec::dimensions! { block! { CASE: } case }
tlstax_spec::dimensions! { block! { PRIMITIVE: } primitive }
tlstax_spec::dimensions! { block! { HANDSHAKE: } handshake }
tlstax_spec::dimensions! { block! { BULK: } bulk }
tlstax_spec::dimensions! { block! { IDLE: } idle }
tlstax_spec::dimensions! { block! { ALSO_LOAD: } also_load }
tlstax_spec::dimensions! { block! { LOAD: } load }
tlstax_spec::dimensions! { block! { TUNING: } tuning }

pub(crate) const PARAMS: &[Field] = &[
    Field { name: "version", read: |text| read::<Version>(text, None) },
    Field { name: "suite", read: |text| read::<Suite>(text, None) },
    Field { name: "group", read: |text| read::<Group>(text, None) },
    Field { name: "key", read: |text| read::<Key>(text, None) },
];

const CLIENT: &[Field] = &[Field { name: "client", read: |text| read::<Id>(text, None) }];

/// Each kind of case with its fields.
pub(crate) const KINDS: [(&str, &[&[Field]]); 5] = [
    ("primitive", &[PRIMITIVE, CASE]),
    ("handshake", &[PARAMS, HANDSHAKE, CASE]),
    ("bulk", &[PARAMS, BULK]),
    ("idle", &[PARAMS, IDLE]),
    ("load", &[PARAMS, CLIENT, ALSO_LOAD, LOAD, TUNING, CASE]),
];
