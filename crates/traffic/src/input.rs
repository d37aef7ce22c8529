//! Files, standard input and archives, read in parallel.
