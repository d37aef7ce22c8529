//! HTTP without TLS, as connections like those of a library: what they cost is the cost of everything else.
//!
//! The server writes bodies with ordinary writes. A file server would use sendfile(2) and copy them once less.

use std::io::{self, Read, Write};

use crate::adapter::{Config, Connection, Negotiated, Transport};

/// Connections that pass everything on as it is.
pub(super) struct Plain;

impl Config for Plain {
    fn connect(&self, transport: Box<dyn Transport>) -> io::Result<Box<dyn Connection>> {
        Ok(Box::new(PlainConnection(transport)))
    }
}

struct PlainConnection(Box<dyn Transport>);

impl Connection for PlainConnection {
    fn handshake(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }

    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        self.0.write(data)
    }

    fn close(&mut self) -> io::Result<()> {
        // The end of the transport says all there is to say.
        Ok(())
    }

    fn negotiated(&self) -> Negotiated {
        Negotiated::default()
    }
}
