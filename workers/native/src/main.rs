//! The worker for TLS libraries written in C. `tlx.h` is what a library is asked, `backends/` are the answers,
//! [`ffi`] declares them to Rust, and [`adapter`] and [`connection`] put them behind the traits of the worker SDK.

mod adapter;
mod connection;
mod ffi;
#[cfg(test)]
mod tests;
mod values;

use std::process::ExitCode;

fn main() -> ExitCode {
    tlstax_worker::serve::main(|| {
        tlstax_worker::switches::apply(adapter::settings)?;
        adapter::NativeAdapter::start()
    })
}
