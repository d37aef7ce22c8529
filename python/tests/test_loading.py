"""Files, patterns, and documents that are none of ours."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from support import GOLDEN, OLDER, RESULTS, Case

import tlstax


class Loading(Case):
    def test_a_path_is_a_run(self) -> None:
        for path in (RESULTS, str(RESULTS)):
            run = tlstax.load(path)
            assert isinstance(run, tlstax.Run)
            self.assertEqual((run.study, run.started, run.path), ("synthetic", "2026-01-02T10:00:00Z", RESULTS))

    def test_a_pattern_and_a_list_are_runs_in_order(self) -> None:
        paths = [self.results(f"{name}.json", started=name) for name in "ba"]
        self.assertEqual([run.started for run in tlstax.load(paths)], ["b", "a"])
        found = tlstax.load(str(self.folder / "*.json"))
        assert isinstance(found, tlstax.Runs)
        self.assertEqual([run.started for run in found], ["a", "b"])
        self.assertEqual([run.started for run in found[1:]], ["b"])

    def test_a_name_that_looks_like_a_pattern_is_a_file(self) -> None:
        self.assertIsInstance(tlstax.load(str(self.results("[a].json"))), tlstax.Run)

    def test_every_older_minor_and_a_newer_one_are_read(self) -> None:
        older = sorted(OLDER.glob("results.v1.*.json"))
        self.assertGreaterEqual(len(older), 6)
        for path in older:
            self.assertEqual(len(tlstax.load(path).batches()), 1, path)
        self.assertEqual(tlstax.load(self.results(schema={"major": 1, "minor": 99}, later=1)).study, "synthetic")


class Refused(Case):
    def refused(self, what: Any) -> str:
        with self.assertRaises(tlstax.DocumentError) as caught:
            tlstax.load(what)
        return str(caught.exception)

    def test_nothing_there(self) -> None:
        self.assertIn("no file matches", self.refused(str(self.folder / "*.json")))
        self.assertIn("no file was named", self.refused([]))
        self.assertIn("No such file", self.refused(self.folder / "absent.json"))
        self.assertIn("Is a directory", self.refused(self.folder))

    def test_no_document(self) -> None:
        for content in ("", "{", "not JSON", "[" * 100_000):
            self.assertIn("is no JSON document", self.refused(self.write("bad.json", content)))
        self.folder.joinpath("bad.json").write_bytes(b"\xff\xfe")
        self.assertIn("is no JSON document", self.refused(self.folder / "bad.json"))
        for content in ("1", "[]", "{}", '{"schema": 1}', '{"schema": {"major": "1"}}'):
            self.assertIn("is no document of tlstax", self.refused(self.write("bad.json", content)))

    def test_another_major_is_named(self) -> None:
        for major in (0, 2):
            message = self.refused(self.results(schema={"major": major, "minor": 3}))
            self.assertIn(f"results of version {major}.3, and this package reads 1.x", message)

    def test_other_documents_are_named(self) -> None:
        for kind in ("model", "plan", "workload"):
            self.assertIn(f"is a {kind}, and no results", self.refused(GOLDEN / f"{kind}.json"))

    def test_half_a_document(self) -> None:
        whole = json.loads(RESULTS.read_text(encoding="utf-8"))
        del whole["slices"], whole["host"]
        self.assertIn("host, slices missing", self.refused(self.write("half.json", whole)))

    def test_one_run_under_two_names(self) -> None:
        paths = [self.results("a.json"), self.results("b.json")]
        self.assertIn("hold the same run", self.refused(paths))

    def test_one_bad_file_of_a_pattern(self) -> None:
        self.results("a.json")
        self.write("b.json", "{}")
        self.assertIn("b.json", self.refused(str(self.folder / "*.json")))

    def test_home_is_found(self) -> None:
        self.environment(HOME=str(self.folder))
        self.results("a.json")
        self.assertEqual(tlstax.load(Path("~/a.json")).path, self.folder / "a.json")
        self.assertEqual(len(tlstax.load([os.path.join("~", "*.json")])), 1)
