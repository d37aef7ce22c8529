//! The packages here pin sources; nothing of them is compiled.
