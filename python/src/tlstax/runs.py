"""`Run`, what one file of results holds, and `Runs`, several of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import Literal, overload

from .documents.results import FlatCase, Measurement, Results, Slice
from .errors import DocumentError
from .figures import figures
from .page import framed
from .program import ask
from .reading import read_results
from .table import Row, Table

Format = Literal["text", "markdown", "csv", "json", "html"]


class Run:
    """One run of one study on one machine: the document of a file, and what the program makes of it."""

    def __init__(self, path: str | PathLike[str]) -> None:
        """Reads the file; raises `DocumentError` if it is none of ours."""
        self.path = Path(path)
        self.document: Results = read_results(self.path)

    @property
    def study(self) -> str:
        return self.document["study"]["name"]

    @property
    def started(self) -> str:
        """When it began, UTC, RFC 3339; the column `run` of all tables."""
        return self.document["started"]

    def __repr__(self) -> str:
        return f"<Run of {self.study}, {self.started}: {len(self.document['measurements'])} cases, {self.path}>"

    def summaries(self) -> Table:
        """A row for each case and metric: the program's figures, each with `low`, `high`, `unit` and `basis`.

        A case without a figure has a row, too, with its reason in `hole`.
        """
        return self._summaries

    @cached_property
    def _summaries(self) -> Table:
        found = figures(self.report("csv"), [self.document])
        if any(row["run"] != self.started for row in found):
            raise DocumentError(f"{self.path} holds another run than when it was loaded: load it again")
        return found

    def batches(self) -> Table:
        """A row for each raw sample, with its case and the slice before it. Medians of them are not the figures."""
        return Table(chain.from_iterable(map(self._batches, self.document["measurements"])), self._columns())

    def _batches(self, found: Measurement) -> Iterator[Row]:
        if found["outcome"]["is"] != "measured":
            return
        case = self._case(found)
        slices = self.document["slices"]
        for batch in found["outcome"]["batches"]:
            before: Slice | Row = slices[batch["slice"]] if batch["slice"] < len(slices) else {}
            yield {**case, **batch, **before}

    def holes(self) -> Table:
        """A row for each case that the document has no samples of: what it `is`, and the reason.

        That too little was measured for a figure is found by the program alone, and stands in `summaries`.
        """
        return Table(self._holes(), ["run", "id", "is", "reason"])

    def _holes(self) -> Iterator[Row]:
        for found in self.document["measurements"]:
            outcome = found["outcome"]
            if outcome["is"] == "unsupported":
                yield {**self._case(found), "is": "unsupported", "reason": outcome["reason"]}
            elif outcome["is"] == "failed":
                more = {"stage": outcome["stage"], "stderr": outcome.get("stderr")}
                yield {**self._case(found), "is": "failed", "reason": outcome["message"], **more}
            elif outcome["is"] == "skipped":
                yield {**self._case(found), "is": "skipped", "reason": outcome["why"]}

    def _columns(self) -> Iterable[str]:
        """Those of cases, which stand before what was found."""
        return chain.from_iterable(map(self._case, self.document["measurements"]))

    def _case(self, found: Measurement) -> Row:
        case: FlatCase = found["case"]
        return {"run": self.started, "id": found["id"], **case}

    def report(self, form: Format = "text", *options: str) -> str:
        """The program's report; `options` are further flags of `tlstax report`."""
        return ask("report", self.path, "--format", form, *options)

    def _repr_html_(self) -> str:
        return framed(lambda: self.report("html"), repr(self))


class Runs(Sequence[Run]):
    """Several runs, in the order of their files. Tables have the rows of all; the column `run` tells them apart."""

    def __init__(self, runs: Iterable[Run]) -> None:
        """Raises `DocumentError` where two files hold the same run, as the program does."""
        self._runs = tuple(runs)
        seen: dict[tuple[str, int], Run] = {}
        for run in self._runs:
            other = seen.setdefault((run.started, run.document["study"]["seed"]), run)
            if other is not run:
                raise DocumentError(f"{other.path} and {run.path} hold the same run: name each run once")

    @overload
    def __getitem__(self, at: int) -> Run: ...
    @overload
    def __getitem__(self, at: slice) -> Runs: ...
    def __getitem__(self, at: int | slice) -> Run | Runs:
        return Runs(self._runs[at]) if isinstance(at, slice) else self._runs[at]

    def __len__(self) -> int:
        return len(self._runs)

    def __repr__(self) -> str:
        return f"<Runs: {', '.join(map(repr, self._runs))}>"

    def summaries(self) -> Table:
        return self._joined(Run.summaries)

    def batches(self) -> Table:
        return self._joined(Run.batches)

    def holes(self) -> Table:
        return self._joined(Run.holes)

    def _joined(self, of: Callable[[Run], Table]) -> Table:
        tables = [of(run) for run in self._runs]
        return Table(chain.from_iterable(tables), chain.from_iterable(table.columns for table in tables))

    def report(self, form: Format = "text", *options: str) -> str:
        """The runs side by side, a column for each."""
        return ask("report", *(run.path for run in self._runs), "--format", form, *options)

    def _repr_html_(self) -> str:
        return framed(lambda: self.report("html"), repr(self))
