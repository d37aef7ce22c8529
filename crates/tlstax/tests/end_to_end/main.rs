//! The program from end to end, with scripted workers: no crypto, no time, but real processes, pipes, files and signals.
//!
//! `make test` builds the scripted worker; by hand it is `target/release/tlstax libraries build control`.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

mod affinity;
mod bad_input;
mod beside;
mod building;
mod checking;
mod claims;
mod comparing;
mod completing;
mod compression;
mod conforming;
mod counting;
mod external;
mod faults;
mod ids;
mod interop;
mod interruption;
mod losses;
mod measuring;
mod meeting;
mod needs;
mod network;
mod nothing;
mod own_libraries;
mod parts_of_loads;
mod places;
mod printing;
mod processes;
mod project;
mod quota;
mod rounds;
mod run;
mod running_server;
mod servers;
mod showing;
mod site;
mod stage;
mod study_of_claims;
mod suites;
mod taking_part;
mod terminals;
mod uploads;
mod versions;
mod words;
