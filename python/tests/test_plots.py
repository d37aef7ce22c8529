"""Charts have every figure and its interval."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from unittest import mock, skipUnless

from support import RESULTS, Case

import tlstax


class Plots(Case):
    def setUp(self) -> None:
        super().setUp()
        self.use_stand_in()
        self.table = tlstax.load(RESULTS).summaries()

    @skipUnless(find_spec("altair"), "altair is not installed")
    def test_every_figure_is_in_the_chart(self) -> None:
        chart = tlstax.plot(self.table, log=True).to_dict()
        shown = chart["data"]["values"]
        figures = [row for row in self.table if row["value"] is not None]
        for one, row in zip(shown, figures, strict=True):
            self.assertEqual([one[name] for name in ("value", "low", "high")], [row["value"], row["low"], row["high"]])
        self.assertEqual(len({one["what"] for one in shown}), 5)
        self.assertIn(f"{len(self.table) - len(figures)} of {len(self.table)} rows without a figure", chart["title"])

    def test_without_altair(self) -> None:
        with mock.patch.dict(sys.modules, {"altair": None}):
            with self.assertRaisesRegex(tlstax.ExtraMissing, r"pip install 'tlstax\[plot\]'"):
                tlstax.plot(self.table)

    def test_a_column_that_is_not_there(self) -> None:
        with self.assertRaisesRegex(KeyError, "no column 'colour'"):
            tlstax.plot(self.table, color="colour")
