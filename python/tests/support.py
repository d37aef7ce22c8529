"""What tests share: documents whose figures are known, a stand-in for the program, and the program itself."""

from __future__ import annotations

import csv
import json
import os
import shutil
import stat
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "crates/report/tests/golden"
RESULTS = GOLDEN / "results.json"
OLDER = ROOT / "crates/doc/tests/golden"

STAND_IN = """#!{python}
import pathlib, shutil, signal, sys, time
golden, words = pathlib.Path({golden!r}), sys.argv[1:]
if words[0] == "report":
    with_html = words[words.index("--format") + 1] == "html"
    print("<p>the report</p>" if with_html else (golden / "report.csv").read_text(), end="")
elif words[0] == "measure" and words[1] == "nothing":
    print("error: nothing could be measured", file=sys.stderr)
    sys.exit(3)
elif words[0] == "measure":
    interrupted = []
    signal.signal(signal.SIGINT, lambda *_: interrupted.append(True))
    print(*words, file=sys.stderr, flush=True)
    while words[1] == "endless" and not interrupted:
        time.sleep(0.01)
    shutil.copy(golden / "results.json", words[words.index("--output") + 1])
    sys.exit(130 if interrupted else 0)
"""


def real_program() -> str | None:
    """The program that TLSTAX names, or that was built in this source tree."""
    built = [ROOT / "target" / profile / "tlstax" for profile in ("release", "debug")]
    return shutil.which(os.environ.get("TLSTAX", "")) or next((str(path) for path in built if path.is_file()), None)


REAL = real_program()
needs_program = unittest.skipUnless(REAL, "the program is not built: cargo build -p tlstax, or name it in TLSTAX")


def golden_csv(name: str = "report.csv") -> list[dict[str, str]]:
    with (GOLDEN / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


class Case(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self) -> None:
        self.folder = Path(self.entered(tempfile.TemporaryDirectory()))

    def entered(self, context: Any) -> Any:
        """enterContext, which is not in Python 3.10."""
        found = context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)
        return found

    def environment(self, **names: str) -> None:
        """Sets variables of the environment for this test."""
        self.entered(mock.patch.dict(os.environ, names))

    def use_stand_in(self) -> None:
        path = self.folder / "stand-in"
        path.write_text(STAND_IN.format(python=sys.executable, golden=str(GOLDEN)), encoding="utf-8")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        self.environment(TLSTAX=str(path))

    def use_program(self) -> None:
        self.environment(TLSTAX=REAL or "")

    def use_no_program(self) -> None:
        """Neither named, nor on the PATH, nor installed."""
        self.environment(TLSTAX="", PATH=str(self.folder))
        self.entered(mock.patch("sysconfig.get_path", return_value=str(self.folder)))

    def write(self, name: str, content: Any) -> Path:
        path = self.folder / name
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return path

    def results(self, name: str = "results.json", **changes: Any) -> Path:
        """A file of the results whose figures are known, with some of its fields changed."""
        return self.write(name, {**json.loads(RESULTS.read_text(encoding="utf-8")), **changes})
