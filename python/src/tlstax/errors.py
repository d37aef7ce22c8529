"""What can go wrong. Each error says what failed, where, and what to do."""

from __future__ import annotations

from collections.abc import Sequence


class TlstaxError(Exception):
    """The root of all errors of this package."""


class DocumentError(TlstaxError):
    """A file that is not there, or that is no results document this package reads."""


class ProgramMissing(TlstaxError):
    """The program `tlstax`, which computes every figure, was not found."""


class ProgramFailed(TlstaxError):
    """The program ended with an error.

    `code` is its exit code: 2 wrong use or a bad document, 3 something is missing on this machine, 4 a mistake of
    tlstax, 130 interrupted; below zero the signal that ended it.
    """

    def __init__(self, command: Sequence[str], code: int, said: str) -> None:
        self.command = list(command)
        self.code = code
        self.said = said.strip()
        super().__init__(f"{' '.join(self.command)} ended with {code}: {self.said or 'it did not say why'}")


class ExtraMissing(TlstaxError, ImportError):
    """An optional package is not installed."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(f"{package} is not installed: pip install 'tlstax[{extra}]'")
