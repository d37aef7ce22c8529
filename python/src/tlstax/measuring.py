"""`measure`: runs the program, and tells how far it is."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterable
from datetime import datetime, timezone
from os import PathLike
from pathlib import Path
from typing import Literal

from .errors import ProgramFailed
from .program import environment, program
from .runs import Run

Progress = bool | Callable[[str], None]
IfBusy = Literal["wait", "refuse", "go"]

# The last lines of what the program said that stand in an error.
KEPT = 20


def measure(
    study: str | PathLike[str],
    *,
    libraries: Iterable[str] | None = None,
    without: Iterable[str] = (),
    budget: str | float | None = None,
    precision: float | None = None,
    quick: bool = False,
    count: Literal["instructions", "callgrind"] | None = None,
    seed: int | None = None,
    if_busy: IfBusy | None = None,
    output: str | PathLike[str] | None = None,
    progress: Progress = True,
) -> Run:
    """Measures a study, named or by the path of a .toml file, and returns its run.

    `libraries` are ids, the registry's default ones if None; `without` are features of the CPU, each another row;
    `budget` is seconds or a time as "5m"; `precision` is in percent. The results are written to `output`, or to
    results/STUDY-TIME.json. `progress` writes what the program says to standard error, or hands each line to a
    function; False is silent.

    Raises `ProgramMissing`, and `ProgramFailed` if nothing could be measured. Interrupted, it ends the program in
    order, which writes what it has, and raises KeyboardInterrupt.
    """
    command = [program(), "measure", str(study)]
    path = _results(study, output)
    options = {
        "--library": ",".join(libraries) if libraries is not None else None,
        "--budget": f"{budget}s" if isinstance(budget, (int, float)) else budget,
        "--precision": precision,
        "--count": count,
        "--seed": seed,
        "--if-busy": if_busy,
        "--output": path,
    }
    words = [word for name, value in options.items() if value is not None for word in (name, str(value))]
    words += [word for features in without for word in ("--without", features)]
    flags = [*(["--quick"] if quick else []), *(["--quiet"] if progress is False else [])]
    _run([*command, *flags, *words], progress)
    return Run(path)


def _results(study: str | PathLike[str], output: str | PathLike[str] | None) -> Path:
    """The program writes FILE.json, whatever ending it is given."""
    if output is not None:
        path = Path(output)
        return path if path.suffix == ".json" else path.with_name(path.name + ".json")
    now = datetime.now(timezone.utc).strftime("%Y%m%dT%H%M%SZ")
    path = Path("results") / f"{Path(study).stem}-{now}.json"
    path.parent.mkdir(exist_ok=True)
    return path


def _run(command: list[str], progress: Progress) -> None:
    """Runs the program to its end. On a terminal it draws its bar itself."""
    draws = progress is True and sys.stderr is sys.__stderr__ and sys.stderr is not None and sys.stderr.isatty()
    said: deque[str] = deque(maxlen=KEPT)
    # A session of its own: an interrupt of the terminal would reach it twice, and a second one ends it at once.
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=None if draws else subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
        env=environment(),
        start_new_session=True,
    ) as child:
        try:
            for line in child.stderr or ():
                said.append(line)
                _tell(line.rstrip("\n"), progress)
            code = child.wait()
        except BaseException:
            _end(child)
            raise
    if code != 0:
        raise ProgramFailed(command, code, "".join(said))


def _end(child: subprocess.Popen[str]) -> None:
    """Ends it in order: it writes what it has found. Who is interrupted again waits no longer."""
    child.send_signal(signal.SIGINT)
    try:
        child.communicate()
    except BaseException:
        child.kill()
        raise


def _tell(line: str, progress: Progress) -> None:
    if callable(progress):
        progress(line)
    elif progress:
        print(line, file=sys.stderr, flush=True)
