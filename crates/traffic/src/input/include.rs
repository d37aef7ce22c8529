//! Configurations of servers with the files that they include.
