//! The worker for rustls: one TLS library with one cryptography provider, put behind [`tlstax_worker::Adapter`].
//!
//! It holds what is rustls and nothing else: what is measured, timed and printed is decided in the SDK.

mod adapter;
mod cpu;
mod primitive;
mod provider;
mod tls;

use std::process::ExitCode;

fn main() -> ExitCode {
    tlstax_worker::serve::main(|| {
        tlstax_worker::switches::apply(cpu::settings)?;
        provider::start()?;
        Ok(adapter::Rustls)
    })
}
