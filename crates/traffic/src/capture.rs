//! Captures of packets: files and interfaces.
