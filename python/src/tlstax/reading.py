"""Files of results, read and held against what this package knows."""

from __future__ import annotations

import json
from os import PathLike, fspath
from pathlib import Path
from typing import Any, cast

from .documents.results import Results
from .errors import DocumentError

# The major version of the results that this package reads. Newer minors only add what it can do without.
MAJOR = 1


def read_results(path: str | PathLike[str]) -> Results:
    """The document of a file.

    Raises `DocumentError` if it cannot be read, is no JSON, no results, or of another major version.
    """
    at = Path(fspath(path))
    try:
        document: Any = json.loads(at.read_text(encoding="utf-8"))
    except OSError as error:
        raise DocumentError(f"{at} cannot be read: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise DocumentError(f"{at} is no JSON document: {error}") from error
    problem = _problem(document)
    if problem:
        raise DocumentError(f"{at} {problem}")
    return cast(Results, document)


def _problem(document: Any) -> str | None:
    """Why a document is none that this package reads."""
    schema = document.get("schema") if isinstance(document, dict) else None
    if not isinstance(schema, dict) or not isinstance(schema.get("major"), int):
        return "is no document of tlstax: it has no version of its form"
    kind = document.get("document", "results")
    if kind != "results":
        return f"is a {kind}, and no results: print it with `tlstax report`"
    if schema["major"] != MAJOR:
        version = f"{schema['major']}.{schema.get('minor')}"
        return f"has results of version {version}, and this package reads {MAJOR}.x: install one of its time"
    missing = sorted(Results.__required_keys__ - document.keys())
    return f"is no whole results document: {', '.join(missing)} missing" if missing else None
