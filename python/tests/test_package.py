"""The package as a whole: types, versions, and what it needs."""

from __future__ import annotations

import re
import subprocess
import sys
import typing
import unittest
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from support import ROOT

import tlstax

PYTHON = ROOT / "python"
SCHEMAS = sorted(path.name.split(".")[0] for path in (ROOT / "schemas").glob("*.schema.json"))


def run(*words: str, cwd: Path = PYTHON) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *words], cwd=cwd, capture_output=True, text=True, check=False)


class Package(unittest.TestCase):
    def test_types_are_those_of_the_schemas(self) -> None:
        done = run("scripts/schema_types.py", "--check")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_every_type_can_be_resolved(self) -> None:
        for name in SCHEMAS:
            module = import_module(f"tlstax.documents.{name}")
            kinds = [kind for kind in vars(module).values() if typing.is_typeddict(kind)]
            self.assertTrue(kinds)
            for kind in kinds:
                typing.get_type_hints(kind)

    @unittest.skipUnless(find_spec("mypy"), "mypy is not installed")
    def test_mypy_has_nothing_to_say(self) -> None:
        done = run("-m", "mypy", "--no-incremental")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_the_version_is_that_of_the_program(self) -> None:
        workspace = (ROOT / "Cargo.toml").read_text(encoding="utf-8")
        found = re.search(r'^version = "(.+)"$', workspace, re.MULTILINE)
        assert found
        self.assertEqual(tlstax.__version__, found[1])

    def test_nothing_is_required(self) -> None:
        """Imported where only the standard library can be."""
        source = str(Path(tlstax.__file__).parents[1])
        done = run("-S", "-c", f"import sys; sys.path.append({source!r}); import tlstax")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_types_are_told(self) -> None:
        self.assertTrue(Path(tlstax.__file__).with_name("py.typed").is_file())
