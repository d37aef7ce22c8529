"""Programs timed from outside: wall time, CPU time and peak memory of a process and all that it has waited for.

What belongs here: starting one program and what the kernel says of it. What does not: what it prints.
"""

import os
import signal
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass

from program import Cannot


@dataclass(frozen=True)
class Ran:
    """What a program took: seconds, seconds, bytes. Its peak is never below what this interpreter had when it was started."""

    wall: float
    cpu: float
    peak: int
    output: str


def run(words, seconds):
    """Runs a program to its end; none if it takes longer than so many seconds, and it is ended then."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        begin = time.monotonic()
        process = subprocess.Popen(
            list(map(str, words)),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=errors,
            env={**os.environ, "LC_ALL": "C"},
            start_new_session=True,
        )
        is_late = threading.Event()
        alarm = threading.Timer(seconds, end, [process.pid, is_late])
        alarm.start()
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - begin
        alarm.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        if is_late.is_set():
            return None
        if process.returncode != 0:
            raise Cannot(f"{words[0]}: exit code {process.returncode}: {text(errors).strip()[-400:]}")
        return Ran(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, text(output))


def end(group, is_late):
    is_late.set()
    os.killpg(group, signal.SIGKILL)


def text(file):
    file.seek(0)
    return file.read().decode(errors="replace")
