"""Finding the program, and what it says when it fails."""

from __future__ import annotations

import shutil
from pathlib import Path
from unittest import mock

from support import RESULTS, Case, needs_program

import tlstax


class Finding(Case):
    def executable(self, *parts: str) -> Path:
        path = self.folder.joinpath(*parts)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("#!/bin/sh\n", encoding="utf-8")
        path.chmod(0o755)
        return path

    def test_the_order(self) -> None:
        self.use_no_program()
        brought = self.executable("wheel", "tlstax")
        with mock.patch("sysconfig.get_path", return_value=str(brought.parent)):
            self.assertEqual(tlstax.program(), str(brought))
            on_path = self.executable("bin", "tlstax")
            self.environment(PATH=str(on_path.parent))
            self.assertEqual(tlstax.program(), str(on_path))
            named = self.executable("mine")
            self.environment(TLSTAX=str(named))
            self.assertEqual(tlstax.program(), str(named))

    def test_a_wrong_name_is_told_and_not_passed_over(self) -> None:
        self.environment(TLSTAX=str(self.folder / "absent"))
        with self.assertRaisesRegex(tlstax.ProgramMissing, "TLSTAX names .*absent, which is no program"):
            tlstax.program()

    def test_without_it(self) -> None:
        self.use_no_program()
        run = tlstax.load(RESULTS)
        for ask in (run.summaries, run.report, lambda: tlstax.compare(run, run), lambda: tlstax.measure("quick")):
            with self.assertRaisesRegex(tlstax.ProgramMissing, "install the wheel .* or build it .* TLSTAX"):
                ask()
        self.assertGreater(len(run.batches()), 0)
        page = run._repr_html_()
        self.assertIn("synthetic", page)
        self.assertIn("No report: the program tlstax", page)


class Pages(Case):
    def test_a_run_is_its_report(self) -> None:
        self.use_stand_in()
        page = tlstax.load(RESULTS)._repr_html_()
        self.assertIn('sandbox="allow-scripts"', page)
        self.assertIn('srcdoc="&lt;p&gt;the report&lt;/p&gt;', page)

    @needs_program
    def test_the_real_report(self) -> None:
        self.use_program()
        run = tlstax.load(RESULTS)
        self.assertIn("What TLS costs", run._repr_html_())
        self.assertIn("HANDSHAKES", run.report("text", "--full"))


class Failing(Case):
    @needs_program
    def test_its_words_are_in_the_error(self) -> None:
        self.use_program()
        path = self.folder / "gone.json"
        shutil.copy(RESULTS, path)
        run = tlstax.load(path)
        path.unlink()
        with self.assertRaises(tlstax.ProgramFailed) as caught:
            run.summaries()
        self.assertEqual(caught.exception.code, 2)
        self.assertIn("gone.json", caught.exception.said)

    @needs_program
    def test_a_wrong_flag(self) -> None:
        self.use_program()
        with self.assertRaisesRegex(tlstax.ProgramFailed, "--nonsense"):
            tlstax.load(RESULTS).report("text", "--nonsense")
