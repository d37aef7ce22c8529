//! Lines that the servers wrote themselves.
