"""Optional packages, imported when they are needed."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from .errors import ExtraMissing


def extra(package: str, name: str) -> Any:
    """The module of an optional package; `name` is the extra of tlstax that brings it."""
    try:
        return import_module(package)
    except ModuleNotFoundError as error:
        # Something that the package itself lacks is another mistake, with a message of its own.
        if error.name != package:
            raise
        raise ExtraMissing(package, name) from None
