"""Measuring: flags, progress, failures and interrupts; by a stand-in, and once in earnest."""

from __future__ import annotations

import contextlib
import io
import os
import signal
import unittest
from pathlib import Path

from support import ROOT, Case, needs_program

import tlstax

LIBRARY = "rustls-aws-lc"
STUDY = """name = "hash"
question = "What does a hash cost?"
[[primitive]]
algorithms = ["sha256"]
sizes = [64]
"""


class Measuring(Case):
    def setUp(self) -> None:
        super().setUp()
        self.use_stand_in()

    def test_flags_and_lines(self) -> None:
        said: list[str] = []
        output = self.folder / "out.json"
        run = tlstax.measure(
            "quick", libraries=["openssl", "go"], without=["aes", "vaes,avx2"], budget=90, quick=True, precision=0.5,
            seed=7, if_busy="refuse", output=output, progress=said.append,
        )  # fmt: skip
        self.assertEqual((run.path, run.study), (output, "synthetic"))
        words = (
            "measure quick --quick --library openssl,go --budget 90s --precision 0.5 --seed 7 --if-busy refuse "
            f"--output {output} --without aes --without vaes,avx2"
        )
        self.assertEqual(said, [words])

    def test_progress(self) -> None:
        for progress, wanted in ((True, "measure quick"), (False, "")):
            with contextlib.redirect_stderr(io.StringIO()) as said:
                tlstax.measure("quick", output=self.folder / "out.json", progress=progress)
            self.assertTrue(said.getvalue().startswith(wanted) and bool(said.getvalue()) == progress)

    def test_where_results_lie(self) -> None:
        self.addCleanup(os.chdir, Path.cwd())
        os.chdir(self.folder)
        path = tlstax.measure("studies/mine.toml", progress=False).path
        self.assertRegex(str(path), r"^results/mine-\d{8}T\d{6}Z\.json$")
        self.assertTrue(path.is_file())

    def test_failure(self) -> None:
        with self.assertRaisesRegex(tlstax.ProgramFailed, "ended with 3: error: nothing could be measured") as caught:
            tlstax.measure("nothing", output=self.folder / "out", progress=lambda line: None)
        self.assertEqual(caught.exception.code, 3)

    def test_an_interrupt_ends_the_program_in_order(self) -> None:
        output = self.folder / "out.json"
        with self.assertRaises(KeyboardInterrupt):
            tlstax.measure("endless", output=output, progress=lambda line: signal.raise_signal(signal.SIGINT))
        self.assertEqual(tlstax.load(output).study, "synthetic")


class InEarnest(Case):
    @needs_program
    @unittest.skipUnless(
        (ROOT / "target/workers/bin" / LIBRARY).exists(), f"{LIBRARY} is not built: tlstax libraries build"
    )
    def test_a_run(self) -> None:
        self.use_program()
        said: list[str] = []
        output = self.folder / "run.json"
        run = tlstax.measure(
            self.write("hash.toml", STUDY),
            libraries=[LIBRARY],
            budget="4s",
            if_busy="go",
            output=output,
            progress=said.append,
        )
        self.assertIn(LIBRARY, {row["library"] for row in run.batches()})
        self.assertEqual({row["kind"] for row in run.summaries()}, {"primitive"})
        self.assertTrue(said)
