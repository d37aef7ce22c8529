"""The program `tlstax`: where it is, and what it prints."""

from __future__ import annotations

import os
import shutil
import subprocess
import sysconfig
from collections.abc import Iterator
from pathlib import Path

from .errors import ProgramFailed, ProgramMissing

NAME = "tlstax"


def program() -> str:
    """The path of the program: what TLSTAX names, else that on the PATH, else that which the wheel brought.

    Raises `ProgramMissing` if there is none.
    """
    named = os.environ.get("TLSTAX")
    if named:
        found = shutil.which(named)
        if not found:
            raise ProgramMissing(f"TLSTAX names {named}, which is no program: name one, or unset it")
        return found
    for found in _candidates():
        return found
    raise ProgramMissing(
        "the program tlstax, which computes the figures, is not here: install the wheel of this platform or the .deb, "
        "or build it (cargo build --release -p tlstax), and put it on the PATH or name it in TLSTAX. "
        "Batches and holes of documents can be read without it"
    )


def _candidates() -> Iterator[str]:
    on_path = shutil.which(NAME)
    if on_path:
        yield on_path
    for scheme in (sysconfig.get_default_scheme(), sysconfig.get_preferred_scheme("user")):
        inside = shutil.which(NAME, path=sysconfig.get_path("scripts", scheme))
        if inside:
            yield inside


def ask(*words: str | Path) -> str:
    """What the program prints to standard output.

    Raises `ProgramMissing`, and `ProgramFailed` with what it said if it ends with an error.
    """
    command = [program(), *map(str, words)]
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", env=environment(), check=False
    )
    if done.returncode != 0:
        raise ProgramFailed(command, done.returncode, done.stderr)
    return done.stdout


def environment() -> dict[str, str]:
    """Text is UTF-8 and has no colours, whatever the caller's is."""
    return {**os.environ, "LC_ALL": "C.UTF-8", "NO_COLOR": "1", "CLICOLOR_FORCE": "0"}
