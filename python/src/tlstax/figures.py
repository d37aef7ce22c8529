"""Figures that the program has computed, taken from its CSV, which has each with all its digits."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from typing import Any

from .documents.results import FlatCase, Results
from .table import Table

NUMBERS = frozenset({"value", "low", "high", "as_it_went"})
COUNTS = frozenset({"kept", "total"})
TEXTS = frozenset({"run", "id", "metric", "unit", "basis", "verdict", "hole"})


def figures(text: str, documents: Iterable[Results]) -> Table:
    """The rows of the program's CSV. Fields of a case are as its document has them, with their types."""
    cases = {found["id"]: found["case"] for document in documents for found in document["measurements"]}
    lines = csv.DictReader(io.StringIO(text, newline=""))
    rows = [_row(line, cases.get(line["id"], {})) for line in lines]
    return Table(rows, lines.fieldnames or [])


def _row(line: Mapping[str, str], case: FlatCase | Mapping[str, Any]) -> dict[str, Any]:
    return {name: case[name] if name in case else _typed(name, cell) for name, cell in line.items()}  # type: ignore[literal-required]


def _typed(name: str, cell: str) -> Any:
    """A cell as a value; an empty one is None."""
    if not cell:
        return None
    if name in NUMBERS:
        return float(cell)
    if name in COUNTS:
        return int(cell)
    return cell if name in TEXTS else _scalar(cell)


def _scalar(cell: str) -> str | int | bool:
    """A field of a case that the document leaves out because it is the usual one, as one thread."""
    if cell in ("true", "false"):
        return cell == "true"
    return int(cell) if cell.isdecimal() else cell
