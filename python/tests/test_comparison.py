"""Verdicts are those of the program."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

from support import RESULTS, Case, needs_program

import tlstax
from tlstax.program import ask


@needs_program
class Comparing(Case):
    def setUp(self) -> None:
        super().setUp()
        self.use_program()

    def slower(self, times: float = 1.5) -> Path:
        """The run in which the first case takes longer, and the last is missing."""
        found = json.loads(RESULTS.read_text(encoding="utf-8"))["measurements"][:-1]
        for batch in found[0]["outcome"]["batches"]:
            batch["cpu_ns"], batch["wall_ns"] = int(batch["cpu_ns"] * times), int(batch["wall_ns"] * times)
        return self.results("slower.json", started="2026-03-03T10:00:00Z", measurements=found)

    def test_every_verdict_of_the_program(self) -> None:
        path = self.slower()
        table = tlstax.compare(tlstax.load(RESULTS), path).changes()
        lines = list(csv.DictReader(io.StringIO(ask("compare", RESULTS, path, "--format", "csv"))))
        self.assertEqual(len(table), len(lines))
        for row, line in zip(table, lines):
            self.assertEqual((row["id"], row["metric"], row["verdict"]), (line["id"], line["metric"], line["verdict"]))
            self.assertEqual([row[name] for name in ("value", "low", "high")], figures(line))
        self.assertEqual([row["id"] for row in table.where(verdict="slower")], [table.rows[0]["id"]])
        self.assertAlmostEqual(table.rows[0]["value"], 1.5, places=2)
        self.assertEqual({row["run"] for row in table}, {"2026-03-03T10:00:00Z"})

    def test_what_else_differs_is_told(self) -> None:
        told = " ".join(note["what"] for note in tlstax.compare(RESULTS, self.slower()).notes())
        self.assertIn("only in the first run", told)

    def test_a_floor(self) -> None:
        verdicts = {row["verdict"] for row in tlstax.compare(RESULTS, self.slower(), floor=80).changes()}
        self.assertNotIn("slower", verdicts)

    def test_several(self) -> None:
        third = self.results("third.json", started="2026-04-04T10:00:00Z")
        found = tlstax.compare(RESULTS, self.slower(), third)
        self.assertEqual({row["run"][:7] for row in found.changes()}, {"2026-03", "2026-04"})
        self.assertIn("What changed", found._repr_html_())

    def test_nothing_in_common(self) -> None:
        path = self.results("none.json", started="later", measurements=[])
        with self.assertRaisesRegex(tlstax.ProgramFailed, "no case of a library in common"):
            tlstax.compare(RESULTS, path)


def figures(line: dict[str, str]) -> list[float | None]:
    return [float(line[name]) if line[name] else None for name in ("value", "low", "high")]
