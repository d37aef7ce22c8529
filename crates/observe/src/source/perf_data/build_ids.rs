//! The build ids of files that had samples (`struct perf_record_header_build_id`).

use std::collections::HashMap;
use std::fmt::Write;

use super::fields::{Fields, Order};

/// The record says how long the id is (`PERF_RECORD_MISC_BUILD_ID_SIZE`).
const HAS_SIZE: u16 = 1 << 15;

/// The longest, SHA-1's.
const LONGEST: usize = 20;

/// Build ids by the path of the file.
#[derive(Debug, Default)]
pub struct BuildIds(HashMap<String, String>);

impl BuildIds {
    /// Takes one record after the other.
    pub fn take_all(&mut self, bytes: &[u8], order: Order) {
        let mut fields = Fields::of(bytes, order);
        let mut take = || {
            let (_kind, misc, size) = (fields.u32()?, fields.u16()?, fields.u16()?);
            let body = fields.take(usize::from(size).checked_sub(8)?)?;
            self.take(misc, body, order)
        };
        while take().is_some() {}
    }

    /// Takes one record: process, id, path.
    pub fn take(&mut self, misc: u16, body: &[u8], order: Order) -> Option<()> {
        let mut fields = Fields::of(body, order);
        let _process = fields.u32()?;
        let id = fields.take(24)?;
        let size = if misc & HAS_SIZE == 0 {
            id_size(&id[..LONGEST])
        } else {
            usize::from(id[LONGEST]).min(LONGEST)
        };
        // perf writes an empty one where it could not read the file.
        if size > 0 {
            self.0.insert(fields.text(), hexadecimal(&id[..size]));
        }
        Some(())
    }

    pub fn get(&self, path: &str) -> Option<&str> {
        self.0.get(path).map(String::as_str)
    }
}

/// Older recordings do not say it: without the words of zeros at the end.
fn id_size(id: &[u8]) -> usize {
    let zeros = id.rchunks(4).take_while(|word| word.iter().all(|byte| *byte == 0)).count();
    id.len() - 4 * zeros
}

pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
