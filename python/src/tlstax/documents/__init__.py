"""The documents of tlstax as types, a module for each schema."""
