"""The program under test, as the benches see it: how it is run, and what its results say.

What belongs here: running `tlstax`, reading its documents. What does not: statistics of one bench, tables.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TLSTAX = ROOT / "target/release/tlstax"

# The exit code of the project's scripts for a machine that lacks something.
ENVIRONMENT = 3


# The exit code of tlstax when no case has a figure.
NO_FIGURE = 3


class Cannot(Exception):
    """A bench cannot say anything; the text says why and what to do."""


class NoFigure(Cannot):
    """A run went through, and none of its cases has a figure: on a busy machine a second may not be enough."""


def main(bench):
    """Runs a bench as a program: what it cannot do is told in one line."""
    try:
        bench()
    except Cannot as reason:
        print(f"error: {reason}", file=sys.stderr)
        sys.exit(ENVIRONMENT)
    except KeyboardInterrupt:
        sys.exit(130)


def measuring_core():
    """The logical CPU that tlstax measures on: the last one that it may use."""
    return max(os.sched_getaffinity(0))


@contextlib.contextmanager
def scratch():
    """A folder for results that nobody wants to keep."""
    with tempfile.TemporaryDirectory(prefix="tlstax-bench-") as folder:
        yield Path(folder)


def interrupted(seconds, *words):
    """Starts `tlstax`, and stops it after so many seconds as a user would: what there is by then stays. Returns what it said of that."""
    process = subprocess.Popen([built(), *map(str, words)], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        _, said = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGINT)
        _, said = process.communicate()
    return said.strip()


def built():
    if not TLSTAX.exists():
        raise Cannot("target/release/tlstax is not built: cargo build --release -p tlstax")
    return TLSTAX


def tlstax(*words):
    """What `tlstax` prints on its standard output."""
    done = subprocess.run([built(), *map(str, words)], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        kind = NoFigure if done.returncode == NO_FIGURE else Cannot
        raise kind(f"tlstax {' '.join(map(str, words))}: exit code {done.returncode}\n{done.stderr.strip()}")
    return done.stdout


def ended(*words):
    """The exit code of `tlstax`, and what it prints on its standard output."""
    done = subprocess.run([built(), *map(str, words)], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    return done.returncode, done.stdout


class Run:
    """One run of `tlstax`: its raw results and the summaries that it printed."""

    def __init__(self, results, figures):
        self.results = results
        self.figures = figures

    def measurements(self, **fields):
        """The measurements whose case has these fields."""
        return [m for m in self.results["measurements"] if fits(m["case"], fields)]

    def figure(self, identity, metric):
        """One summary, or none where it has no value."""
        rows = [row for row in self.figures if (row["id"], row["metric"]) == (identity, metric)]
        return rows[0] if rows and rows[0]["value"] is not None else None


def fits(case, fields):
    return all(case.get(field) == value for field, value in fields.items())


def measure(folder, name, *words):
    """Runs a measuring verb and returns its results; they stay in the folder under this name."""
    path = folder / f"{name}.json"
    view = json.loads(tlstax(*words, "--json", "--quiet", "--output", path))
    return Run(json.loads(path.read_text()), view["figures"])


def compare(old, new):
    """The rows of `tlstax compare` for two files of results."""
    return json.loads(tlstax("compare", old, new, "--json"))["figures"]


def batches(measurement):
    """The raw samples of a measurement; none for a hole."""
    return measurement["outcome"].get("batches", [])


def hole(measurement):
    """Why a measurement has no figure, or an empty text."""
    outcome = measurement["outcome"]
    words = [outcome.get(field, "") for field in ("reason", "message", "why")]
    return "" if outcome["is"] == "measured" else f"{outcome['is']}: {' '.join(filter(None, words))}"


def library_version(results, identity):
    """What a library said of itself when it was measured."""
    for library in results["libraries"]:
        if library["id"] == identity:
            if library.get("unavailable"):
                raise Cannot(f"the library {identity} is not there: {library['unavailable']}")
            return library["hello"]["version"]
    raise Cannot(f"the library {identity} took no part")


def libraries():
    """The registry after asking each library who it is."""
    return json.loads(tlstax("libraries", "--json"))
