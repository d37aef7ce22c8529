"""Figures are those of the program, every one of them."""

from __future__ import annotations

import json
import math
from typing import Any

from support import GOLDEN, OLDER, RESULTS, Case, golden_csv, needs_program

import tlstax
from tlstax.program import ask


def cell(value: Any) -> str:
    """A value as CSV has it."""
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)


def same(cell_of_csv: str, value: Any) -> bool:
    return float(cell_of_csv) == value if isinstance(value, float) else cell_of_csv == cell(value)


class Figures(Case):
    def hold(self, rows: list[dict[str, str]], table: tlstax.Table) -> None:
        self.assertEqual(len(rows), len(table))
        self.assertEqual(list(rows[0]), table.columns)
        for line, row in zip(rows, table):
            wrong = [name for name, value in row.items() if not same(line[name], value)]
            self.assertEqual(wrong, [], line["id"])

    def test_every_figure_of_the_csv(self) -> None:
        self.use_stand_in()
        table = tlstax.load(RESULTS).summaries()
        self.hold(golden_csv(), table)
        figures = [row for row in table if row["value"] is not None]
        self.assertGreater(len(figures), 200)
        for row in figures:
            self.assertTrue(row["low"] <= row["value"] <= row["high"] and row["unit"] and row["basis"], row)

    @needs_program
    def test_every_figure_of_the_program(self) -> None:
        self.use_program()
        self.hold(golden_csv(), tlstax.load(RESULTS).summaries())
        self.hold(golden_csv("servers.csv"), tlstax.load(GOLDEN / "servers.results.json").summaries())

    @needs_program
    def test_they_are_those_that_the_program_shows(self) -> None:
        """Tables and charts have them in other units: here messages of 16 KiB, in MB/s."""
        self.use_program()
        shown = quantities(json.loads(ask("report", RESULTS, "--format", "json")))
        table = tlstax.load(RESULTS).summaries().where(kind="primitive", size=16384)
        figures = [row["size"] / row["value"] * 1000 for row in table if row["value"]]
        self.assertGreater(len(figures), 5)
        for figure in figures:
            self.assertTrue(any(math.isclose(figure, one, rel_tol=1e-9) for one in shown), figure)

    def test_fields_of_a_case_have_the_types_of_the_document(self) -> None:
        self.use_stand_in()
        cases = {found["id"]: found["case"] for found in tlstax.load(RESULTS).document["measurements"]}
        for row in tlstax.load(RESULTS).summaries():
            case: Any = cases[row["id"]]
            self.assertEqual({name: row[name] for name in case}, case)
            self.assertIs(type(row["threads"]), int)

    def test_texts_keep_what_csv_would_change(self) -> None:
        """The program's CSV has an apostrophe before what a spreadsheet takes for a formula; a size is no text."""
        self.use_stand_in()
        document = json.loads(RESULTS.read_text(encoding="utf-8"))
        document["measurements"][0]["case"]["algorithm"] = "=1+1"
        path = self.results(measurements=document["measurements"])
        self.assertEqual(tlstax.load(path).summaries().rows[0]["algorithm"], "=1+1")

    def test_a_file_that_became_another_run_is_refused(self) -> None:
        self.use_stand_in()
        run = tlstax.load(self.results(started="2020-01-01T00:00:00Z"))
        with self.assertRaisesRegex(tlstax.DocumentError, "holds another run than when it was loaded"):
            run.summaries()

    @needs_program
    def test_several_runs(self) -> None:
        self.use_program()
        runs = tlstax.load([RESULTS, self.results(started="2026-02-02T10:00:00Z")])
        table = runs.summaries()
        for run in runs:
            self.assertEqual(len(table.where(run=run.started)), len(golden_csv()))
        self.assertIn("2026-02-02", runs.report("text") + runs.report("json"))

    @needs_program
    def test_older_documents(self) -> None:
        self.use_program()
        for path in sorted(OLDER.glob("results.v1.*.json")):
            table = tlstax.load(path).summaries()
            self.assertTrue(all("too little was measured" in row["hole"] for row in table), path)


def quantities(block: Any) -> list[float]:
    if isinstance(block, dict) and block.get("is") == "quantity":
        return [block["value"]]
    inner = block.values() if isinstance(block, dict) else block if isinstance(block, list) else []
    return [value for one in inner for value in quantities(one)]
