"""`compare`: the program's verdicts on two or more runs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property
from os import PathLike

from .documents.results import Note
from .figures import figures
from .page import framed
from .program import ask
from .runs import Format, Run
from .table import Table


class Comparison:
    """Later runs against the first, case by case."""

    def __init__(self, runs: Sequence[Run], floor: float | None = None) -> None:
        self.runs = tuple(runs)
        self._flags = [] if floor is None else ["--floor", str(floor)]

    def __repr__(self) -> str:
        return f"<Comparison of {', '.join(str(run.path) for run in self.runs)}>"

    def changes(self) -> Table:
        """A row for each case and metric: `value` is new/old, above 1 is slower, with `low`, `high` and `verdict`.

        The verdict is faster, slower, same or cannot tell; `run` is the later of the two runs.
        """
        return self._changes

    @cached_property
    def _changes(self) -> Table:
        return figures(self.report("csv"), [run.document for run in self.runs])

    def notes(self) -> list[Note]:
        """What else differs between the runs: machines, versions, loaded files, cases that only one of them has."""
        sections = json.loads(self.report("json"))["sections"]
        blocks = [block for section in sections for block in section["blocks"]]
        return [note for block in blocks if block["is"] == "notes" for note in block["notes"]]

    def report(self, form: Format = "text") -> str:
        return ask("compare", *(run.path for run in self.runs), "--format", form, *self._flags)

    def _repr_html_(self) -> str:
        return framed(lambda: self.report("html"), repr(self))


def compare(old: Run | str | PathLike[str], *new: Run | str | PathLike[str], floor: float | None = None) -> Comparison:
    """Compares runs of the same cases. Changes below `floor` percent are never called changes.

    The program is asked at once, so that what does not compare raises `ProgramFailed` here.
    """
    runs = [one if isinstance(one, Run) else Run(one) for one in (old, *new)]
    found = Comparison(runs, floor)
    found.changes()
    return found
