//! From the stack table of a thread to frames.

use super::document::{Document, Thread};
use crate::collect::Collector;
use crate::frame::{Frame, FrameId};
use crate::resolve::demangle_printed;
use crate::source::module::{Module, module};
use crate::source::stack::DEEPEST;

/// The tables of one thread: its own, or those of all.
pub struct Stacks<'d> {
    document: &'d Document,
    thread: &'d Thread,
    /// Frames that were made.
    made: Vec<Option<FrameId>>,
    /// Frames that have an address only.
    pub nameless: u64,
}

/// A column of a table, of the thread or of all.
macro_rules! column {
    ($stacks:expr, $table:ident, $column:ident, $index:expr) => {{
        let (thread, document) = ($stacks.thread, $stacks.document);
        let table = thread.$table.as_ref().or(document.shared.$table.as_ref());
        table.and_then(|table| table.$column.get($index))
    }};
}

impl<'d> Stacks<'d> {
    pub fn of(thread: &'d Thread, document: &'d Document) -> Self {
        Self { document, thread, made: Vec::new(), nameless: 0 }
    }

    /// Puts the frames of a stack where the innermost comes first; no more than one beyond those that are kept.
    pub fn frames(&mut self, stack: Option<u32>, into: &mut Collector<'_>, frames: &mut Vec<FrameId>) {
        frames.clear();
        let mut next = stack.map(|stack| stack as usize);
        while let Some(at) = next.filter(|_| frames.len() <= DEEPEST) {
            let Some(frame) = column!(self, stack_table, frame, at) else {
                return;
            };
            let id = self.frame(*frame as usize, into);
            frames.push(id);
            next = column!(self, stack_table, prefix, at)
                .copied()
                .flatten()
                .and_then(|to| usize::try_from(to).ok());
        }
    }

    fn frame(&mut self, index: usize, into: &mut Collector<'_>) -> FrameId {
        if let Some(Some(id)) = self.made.get(index) {
            return *id;
        }
        let id = into.frame(self.make(index));
        // An index that leads nowhere is not worth the memory up to it.
        if column!(self, frame_table, func, index).is_some() {
            if self.made.len() <= index {
                self.made.resize(index + 1, None);
            }
            self.made[index] = Some(id);
        }
        id
    }

    fn make(&mut self, index: usize) -> Frame {
        let Some(func) = column!(self, frame_table, func, index).map(|func| *func as usize) else {
            return Frame::default();
        };
        let name =
            column!(self, func_table, name, func).and_then(|name| self.text(*name)).unwrap_or_default();
        let address = column!(self, frame_table, address, index).copied().flatten();
        let address = address.and_then(|address| u64::try_from(address).ok());
        let is_named = !name.is_empty() && !is_address(name);
        self.nameless += u64::from(!is_named);
        let (of, build_id) = self.module(func);
        let is_js = column!(self, func_table, is_js, func).copied().flatten().unwrap_or(false);
        let of = of.or_else(|| is_js.then(|| module("[jit]")).flatten());
        Frame {
            function: is_named.then(|| demangle_printed(name)),
            is_kernel: of.as_ref().is_some_and(|of| of.is_kernel),
            module: of.map(|of| of.name),
            build_id: build_id.map(|id| id.to_ascii_lowercase().into()),
            address: address.filter(|_| !is_named),
            ..Frame::default()
        }
    }

    /// The file of a function, and its build id.
    fn module(&self, func: usize) -> (Option<Module>, Option<&'d str>) {
        let resource = column!(self, func_table, resource, func).copied().flatten();
        let Some(resource) = resource.and_then(|resource| usize::try_from(resource).ok()) else {
            return (None, None);
        };
        let lib = column!(self, resource_table, lib, resource).copied().flatten();
        let lib = lib.and_then(|lib| self.document.libs.get(usize::try_from(lib).ok()?));
        let name =
            column!(self, resource_table, name, resource).copied().flatten().and_then(|name| self.text(name));
        let path =
            lib.and_then(|lib| lib.path.as_deref().filter(|path| !path.is_empty()).or(lib.name.as_deref()));
        let build_id =
            lib.and_then(|lib| lib.code_id.as_deref()).filter(|id| is_hexadecimal(id) && id.len() >= 16);
        (path.or(name).and_then(module), build_id)
    }

    fn text(&self, index: u32) -> Option<&'d str> {
        let texts = self.thread.string_array.as_ref().or(self.document.shared.string_array.as_ref());
        texts.and_then(|texts| texts.get(index as usize)).map(String::as_str)
    }
}

/// What a recorder puts in place of a name that it did not look up.
fn is_address(name: &str) -> bool {
    name.strip_prefix("0x").is_some_and(is_hexadecimal)
}

fn is_hexadecimal(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_hexdigit())
}
