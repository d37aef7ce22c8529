//! From addresses to frames: mappings of processes, symbols and unwind tables of files.

mod call;
mod demangle;
mod files;
mod image;
mod instructions;
mod jit;
mod kernel;
mod layout;
mod machine;
mod mapping;
mod notes;
mod resolver;
mod row;
mod slots;
mod symbols;
mod unwind_table;
mod vdso;
mod view;
mod walk;

pub use demangle::demangle_printed;
pub use machine::Architecture;
pub use mapping::Mapping;
pub use resolver::Resolver;
