#!/usr/bin/env python3
"""Puts real transcripts and a real picture into README.md and docs/using.md: scripts/readme.py RESULTS.json
and a real transcript of claims into docs/write-ups.md: scripts/readme.py --claims RESULTS.json

The transcripts are printed by tlstax, the picture is a screenshot of the page that tlstax wrote, taken by Chromium. RESULTS.json
is what `make run` wrote: its answer stands in README.md, as a terminal shows it.
"""

import os
import pathlib
import pty
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
USING = ROOT / "docs/using.md"
TLSTAX = ROOT / "target/release/tlstax"
WRITE_UPS = ROOT / "docs/write-ups.md"
PICTURE = ROOT / "docs/report.png"
CHROMIUM = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars"]
ENVIRONMENT = {**os.environ, "COLUMNS": "100", "LC_ALL": "C.UTF-8", "NO_COLOR": "1"}


LOAD = "load -l nginx --requests 0,1 --body 1024 --budget 40s"
SUITES = "suites intermediate -l openssl --no-measure"


def tlstax(*words):
    return subprocess.run([TLSTAX, *words], check=True, capture_output=True, text=True, env=ENVIRONMENT).stdout


def in_a_terminal(folder, *words):
    """What is printed to a terminal by a command in this folder."""
    ours, theirs = pty.openpty()
    with subprocess.Popen([TLSTAX, *words], cwd=folder, stdin=subprocess.DEVNULL, stdout=theirs, env=ENVIRONMENT) as child:
        os.close(theirs)
        printed = b""
        try:
            while part := os.read(ours, 4096):
                printed += part
        except OSError:
            pass  # Linux says so when the other end is closed.
    os.close(ours)
    if child.returncode != 0:
        sys.exit(f"tlstax {' '.join(words)} ended with {child.returncode}")
    return printed.decode().replace("\r\n", "\n")


def section(text, title):
    """One section of a report, without its last blank lines."""
    found = re.search(rf"^{title}\n.*?(?=^[A-Z][A-Z ]+\n|\Z)", text, re.M | re.S)
    return found.group(0).rstrip()


def fence(text):
    return "```text\n" + text.rstrip() + "\n```"


def replace(path, name, text):
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    page = path.read_text()
    found = re.compile(re.escape(begin) + r".*?" + re.escape(end), re.S)
    if not found.search(page):
        sys.exit(f"{path} has no place for {name}: put {begin} and {end} there")
    path.write_text(found.sub(lambda _: f"{begin}\n{text}\n{end}", page))


def photograph(results):
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder) / "report.html"
        page.write_text(tlstax("report", results, "--format", "html"))
        subprocess.run([*CHROMIUM, f"--user-data-dir={folder}/profile", "--window-size=1280,3100",
                        "--virtual-time-budget=5000", f"--screenshot={PICTURE}", f"file://{page}"],
                       check=True, capture_output=True)


def claims(results):
    """What a terminal says of all claims, and the table of them, which `tlstax claims` prints of results that it has just made, too."""
    path = pathlib.Path(results).resolve()
    words = ["claims", "--from", f"{path.parent.name}/{path.name}"]
    said = in_a_terminal(path.parent.parent, *words)
    replace(WRITE_UPS, "transcript: tlstax claims", fence(f"$ tlstax {' '.join(words)}\n\n{said}"))
    table = re.search(r"^\| verdict .*?(?=^> |^## |^- )", tlstax("claims", "--from", results, "--format", "md"), re.M | re.S)
    replace(WRITE_UPS, "table: tlstax claims --format md", table.group(0).rstrip())


def answer(results):
    """The answer of a run, asked for where the run was made: in the folder above that of its results."""
    path = pathlib.Path(results).resolve()
    return in_a_terminal(path.parent.parent, "report", f"{path.parent.name}/{path.name}")


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "--claims":
        return claims(sys.argv[2])
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    results = sys.argv[1]
    scratch = tempfile.mkdtemp() + "/results"
    replace(README, "transcript: tlstax measure quick", fence(answer(results)))
    replace(USING, "transcript: the handshakes of make run", fence(section(tlstax("report", results), "HANDSHAKES")))
    replace(USING, "transcript: tlstax check", fence(tlstax("check")))
    replace(USING, f"transcript: tlstax {SUITES}", fence(f"$ tlstax {SUITES}\n\n{tlstax(*SUITES.split())}"))
    load = section(tlstax(*LOAD.split(), "--quiet", "--output", scratch), "REQUESTS")
    replace(USING, f"transcript: tlstax {LOAD}", fence(f"$ tlstax {LOAD}\n\n{load}"))
    photograph(results)
    replace(README, "picture: the report page",
            "![The top of the report page: machine, takeaways, tables, and bars with intervals](docs/report.png)")


main()
