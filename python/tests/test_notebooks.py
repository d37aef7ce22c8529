"""The notebooks run from top to bottom, without Jupyter (charts only where Altair is), and are kept without outputs."""

from __future__ import annotations

import contextlib
import io
import json
import os
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from support import ROOT, Case, needs_program

NOTEBOOKS = ROOT / "python/notebooks"


class Notebooks(Case):
    def cells(self, name: str) -> list[dict[str, Any]]:
        cells: list[dict[str, Any]] = json.loads((NOTEBOOKS / name).read_text(encoding="utf-8"))["cells"]
        return [cell for cell in cells if cell["cell_type"] == "code"]

    def execute(self, name: str) -> None:
        self.addCleanup(os.chdir, Path.cwd())
        os.chdir(NOTEBOOKS)
        names: dict[str, Any] = {}
        for number, cell in enumerate(self.cells(name)):
            source = "".join(cell["source"])
            if "tlstax.plot(" not in source or find_spec("altair"):
                with contextlib.redirect_stdout(io.StringIO()):
                    exec(compile(source, f"{name}, cell {number}", "exec"), names)

    def test_they_are_kept_without_outputs(self) -> None:
        found = sorted(path.name for path in NOTEBOOKS.glob("*.ipynb"))
        self.assertEqual(found, ["compare.ipynb", "look.ipynb"])
        for name in found:
            for cell in self.cells(name):
                self.assertEqual((cell["outputs"], cell["execution_count"]), ([], None), name)

    def test_look(self) -> None:
        self.use_stand_in()
        self.execute("look.ipynb")

    @needs_program
    def test_compare(self) -> None:
        self.use_program()
        self.execute("compare.ipynb")
