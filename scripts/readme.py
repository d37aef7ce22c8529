#!/usr/bin/env python3
"""Puts real transcripts and a real picture into README.md: scripts/readme.py RESULTS.json
and a real transcript of claims into docs/write-ups.md: scripts/readme.py --claims RESULTS.json

The transcripts are printed by tlstax, the picture is a screenshot of the page that tlstax wrote, taken by Chromium.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TLSTAX = ROOT / "target/release/tlstax"
WRITE_UPS = ROOT / "docs/write-ups.md"
PICTURE = ROOT / "docs/report.png"
CHROMIUM = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars"]


LOAD = "load -l nginx --requests 0,1 --body 1024 --budget 40s"


def tlstax(*words):
    environment = {**os.environ, "COLUMNS": "100", "LC_ALL": "C.UTF-8"}
    return subprocess.run([TLSTAX, *words], check=True, capture_output=True, text=True, env=environment).stdout


def section(text, title):
    """One section of a report, without its last blank lines."""
    found = re.search(rf"^{title}\n.*?(?=^[A-Z][A-Z ]+\n|\Z)", text, re.M | re.S)
    return found.group(0).rstrip()


def fence(text):
    return "```text\n" + text.rstrip() + "\n```"


def replace(readme, name, text):
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    found = re.compile(re.escape(begin) + r".*?" + re.escape(end), re.S)
    if not found.search(readme):
        sys.exit(f"there is no place for {name}: put {begin} and {end} there")
    return found.sub(lambda _: f"{begin}\n{text}\n{end}", readme)


def photograph(results):
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder) / "report.html"
        page.write_text(tlstax("report", results, "--format", "html"))
        subprocess.run([*CHROMIUM, f"--user-data-dir={folder}/profile", "--window-size=1280,3100",
                        "--virtual-time-budget=5000", f"--screenshot={PICTURE}", f"file://{page}"],
                       check=True, capture_output=True)


def claims(results):
    """Of `tlstax claims`, which measures first, and then prints what it prints of results that exist."""
    printed = tlstax("claims", "--from", results)
    section = printed.split("\n\nMACHINE")[0]
    page = replace(WRITE_UPS.read_text(), "transcript: tlstax claims", fence(f"$ tlstax claims\n\n{section}"))
    WRITE_UPS.write_text(page)


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "--claims":
        return claims(sys.argv[2])
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    results = sys.argv[1]
    report = tlstax("report", results)
    readme = (ROOT / "README.md").read_text()
    scratch = tempfile.mkdtemp() + "/results"
    readme = replace(readme, "transcript: the handshakes of make run", fence(section(report, "HANDSHAKES")))
    readme = replace(readme, "transcript: tlstax check", fence(tlstax("check")))
    for words in ("suites intermediate -l openssl --no-measure", LOAD):
        printed = tlstax(*words.split(), *(["--quiet", "--output", scratch] if words == LOAD else []))
        printed = section(printed, "REQUESTS") if words == LOAD else printed
        readme = replace(readme, f"transcript: tlstax {words}", fence(f"$ tlstax {words}\n\n{printed}"))
    photograph(results)
    readme = replace(readme, "picture: the report page",
                     "![The top of the report page: machine, takeaways, tables, and bars with intervals](docs/report.png)")
    (ROOT / "README.md").write_text(readme)


main()
