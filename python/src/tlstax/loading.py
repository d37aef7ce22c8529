"""`load`: from paths and patterns to runs."""

from __future__ import annotations

import glob
from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from typing import overload

from .errors import DocumentError
from .runs import Run, Runs


@overload
def load(what: PathLike[str]) -> Run: ...
@overload
def load(what: str) -> Run | Runs: ...  # type: ignore[overload-overlap]  # a str is an iterable, too
@overload
def load(what: Iterable[str | PathLike[str]]) -> Runs: ...
def load(what: str | PathLike[str] | Iterable[str | PathLike[str]]) -> Run | Runs:
    """The run of a file, or the runs of a pattern (`"results/quick-*.json"`) or of several files and patterns.

    Raises `DocumentError` if a file is none of ours, a pattern matches nothing, or nothing was named.
    """
    if isinstance(what, PathLike) or (isinstance(what, str) and not _is_pattern(what)):
        return Run(Path(what).expanduser())
    several = [what] if isinstance(what, str) else list(what)
    if not several:
        raise DocumentError("no file was named: name one, or a pattern as results/*.json")
    return Runs(Run(path) for one in several for path in _files(one))


def _files(what: str | PathLike[str]) -> list[Path]:
    if not isinstance(what, str) or not _is_pattern(what):
        return [Path(what).expanduser()]
    found = sorted(glob.glob(str(Path(what).expanduser()), recursive=True))
    if not found:
        raise DocumentError(f"no file matches {what} (looked from {Path.cwd()})")
    return [Path(path) for path in found]


def _is_pattern(text: str) -> bool:
    """A file may have such a name, too."""
    return glob.has_magic(text) and not Path(text).expanduser().exists()
