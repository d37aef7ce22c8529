//! From measured loads to a model.

