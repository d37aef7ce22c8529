"""Batches and holes of documents, without the program, and what tables can become."""

from __future__ import annotations

import json
import sys
from importlib.util import find_spec
from typing import Any
from unittest import mock, skipUnless

from support import RESULTS, Case, golden_csv

import tlstax
from tlstax.documents.results import Batch, FlatCase, Slice


class OfDocuments(Case):
    def setUp(self) -> None:
        super().setUp()
        self.use_no_program()
        self.run_ = tlstax.load(RESULTS)
        self.document: Any = json.loads(RESULTS.read_text(encoding="utf-8"))

    def test_every_batch_is_a_row_with_its_case_and_slice(self) -> None:
        measured = [found for found in self.document["measurements"] if found["outcome"]["is"] == "measured"]
        batches = [(found, batch) for found in measured for batch in found["outcome"]["batches"]]
        table = self.run_.batches()
        self.assertEqual(len(table), len(batches))
        for row, (found, batch) in zip(table, batches):
            before = self.document["slices"][batch["slice"]]
            wanted = {"run": self.run_.started, "id": found["id"], **found["case"], **batch, **before}
            self.assertEqual({name: row[name] for name in wanted}, wanted)
            self.assertEqual({row[name] for name in table.columns if name not in wanted}, {None})

    def test_no_field_hides_another(self) -> None:
        fields = [kind.__required_keys__ | kind.__optional_keys__ for kind in (FlatCase, Batch, Slice)]
        self.assertEqual(len(frozenset().union(*fields, {"run", "id"})), sum(map(len, fields)) + 2)

    def test_every_hole_is_a_row_with_its_reason(self) -> None:
        table = self.run_.holes()
        self.assertEqual([row["is"] for row in table], ["unsupported"] * 3 + ["failed"] + ["skipped"] * 3)
        self.assertTrue(all(row["reason"] for row in table))
        told = {row["id"]: row["hole"] for row in golden_csv() if row["hole"]}
        for row in table:
            self.assertIn(row["reason"], told[row["id"]])

    def test_a_whole_run_has_no_hole(self) -> None:
        measured = [found for found in self.document["measurements"] if found["outcome"]["is"] == "measured"]
        table = tlstax.load(self.results(measurements=measured)).holes()
        self.assertEqual((len(table), table.columns), (0, ["run", "id", "is", "reason"]))

    def test_several_runs_are_one_table(self) -> None:
        runs = tlstax.load([RESULTS, self.results(started="later")])
        self.assertEqual(len(runs.batches()), 2 * len(self.run_.batches()))
        self.assertEqual(len(runs.holes().where(run="later")), len(self.run_.holes()))


class Tables(Case):
    table = tlstax.Table([{"a": 1, "b": "<b>"}, {"a": 2, "c": [1, 2]}], ["id"])

    def test_all_rows_have_all_columns(self) -> None:
        self.assertEqual(self.table.columns, ["id", "a", "b", "c"])
        self.assertEqual(list(self.table)[0], {"id": None, "a": 1, "b": "<b>", "c": None})
        self.assertEqual(self.table.filled().columns, ["a", "b", "c"])

    def test_where(self) -> None:
        self.assertEqual([row["a"] for row in self.table.where(b=None)], [2])
        with self.assertRaisesRegex(KeyError, "no column 'z'; there are id, a, b, c"):
            self.table.where(z=1)

    def test_html_is_escaped_and_short(self) -> None:
        page = self.table._repr_html_()
        self.assertIn("&lt;b&gt;", page)
        self.assertNotIn("<th>id</th>", page)
        long = tlstax.Table({"a": number} for number in range(1000))._repr_html_()
        self.assertEqual(long.count("<tr>"), 21)
        self.assertIn("1000 rows, of which 20 are shown", long)

    def test_what_is_not_installed_is_named_with_its_extra(self) -> None:
        ways = [("pandas", "pandas"), ("polars", "polars"), ("pyarrow", "arrow")]
        for (package, extra), to in zip(ways, (self.table.to_pandas, self.table.to_polars, self.table.to_arrow)):
            with mock.patch.dict(sys.modules, {package: None}):
                with self.assertRaisesRegex(tlstax.ExtraMissing, rf"{package} is not .*'tlstax\[{extra}\]'"):
                    to()

    @skipUnless(find_spec("pandas"), "pandas is not installed")
    def test_pandas(self) -> None:
        frame = self.table.to_pandas()
        self.assertEqual((list(frame.columns), list(frame["a"])), (self.table.columns, [1, 2]))
        self.assertEqual(list(tlstax.Table([], ["a"]).to_pandas().columns), ["a"])

    @skipUnless(find_spec("polars"), "polars is not installed")
    def test_polars(self) -> None:
        self.assertEqual(self.table.to_polars().to_dicts(), self.table.rows)

    @skipUnless(find_spec("pyarrow"), "pyarrow is not installed")
    def test_arrow(self) -> None:
        self.assertEqual(self.table.to_arrow().to_pylist(), self.table.rows)

    @skipUnless(find_spec("polars") and find_spec("pyarrow"), "polars or pyarrow is not installed")
    def test_arrow_stream(self) -> None:
        import polars

        frame: Any = polars.DataFrame(self.table)
        self.assertEqual(frame.to_dicts(), self.table.rows)
