//! What names the rows of a table, and the words for the parameters of a connection.

mod field;
mod fields;
mod load;
mod names;

pub(crate) use field::Labels;
pub(crate) use fields::{BULK, HANDSHAKE, IDLE, KIND, POST_QUANTUM};
pub(crate) use load::{
    BODY, CIPHERS, CLIENT, KEEPING, LOAD, ON_SERVER, PACED, SCHEME, TRANSFER, keeping, way,
};
pub(crate) use names::{cipher, group, key, operation, version};
