"""`Table`: rows with the same columns, and the ways into data frames."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from typing import TYPE_CHECKING, Any

from .extras import extra

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

Row = dict[str, Any]

# So many rows are shown in a notebook.
SHOWN = 20


class Table:
    """Rows that all have the same columns; None where there is nothing."""

    def __init__(self, rows: Iterable[Row], columns: Iterable[str] = ()) -> None:
        """`columns` come first; others follow in the order in which rows have them."""
        given = list(rows)
        names = dict.fromkeys(columns)
        for row in given:
            names.update(dict.fromkeys(row))
        self.columns: list[str] = list(names)
        self.rows: list[Row] = [{name: row.get(name) for name in self.columns} for row in given]

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {len(self)} rows, {len(self.columns)} columns>"

    def where(self, **wanted: Any) -> Table:
        """The rows whose columns have these values: `table.where(kind="handshake", metric="server")`."""
        self.require(*wanted)
        keep = (row for row in self.rows if all(row[name] == value for name, value in wanted.items()))
        return Table(keep, self.columns)

    def require(self, *names: str) -> None:
        """Raises KeyError, with the columns that there are, if one of these is missing."""
        for name in names:
            if name not in self.columns:
                raise KeyError(f"no column {name!r}; there are {', '.join(self.columns) or 'none'}")

    def filled(self) -> Table:
        """Without the columns in which no row has anything."""
        names = [name for name in self.columns if any(row[name] is not None for row in self.rows)]
        return Table(({name: row[name] for name in names} for row in self.rows), names)

    def to_pandas(self) -> pandas.DataFrame:
        frame: pandas.DataFrame = extra("pandas", "pandas").DataFrame(self.rows, columns=self.columns)
        return frame

    def to_polars(self) -> polars.DataFrame:
        # Every row is looked at: what the first hundred lack, a later one may have.
        module = extra("polars", "polars")
        frame: polars.DataFrame = module.DataFrame(self._series(), infer_schema_length=None, strict=False)
        return frame

    def to_arrow(self) -> pyarrow.Table:
        table: pyarrow.Table = extra("pyarrow", "arrow").table(self._series())
        return table

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The Arrow C stream, by which DuckDB, narwhals and others take a table without a copy."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def _series(self) -> dict[str, list[Any]]:
        return {name: [row[name] for row in self.rows] for name in self.columns}

    def _repr_html_(self) -> str:
        filled = self.filled()
        head = "".join(f"<th>{escape(name)}</th>" for name in filled.columns)
        body = "".join(f"<tr>{''.join(map(_cell, row.values()))}</tr>" for row in filled.rows[:SHOWN])
        more = f"<p>{len(self)} rows, of which {SHOWN} are shown</p>" if len(self) > SHOWN else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def _cell(value: object) -> str:
    """None is an empty cell. Numbers are shortened here only: rows have all their digits."""
    text = "" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)
    return f"<td>{escape(text)}</td>"
