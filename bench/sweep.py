#!/usr/bin/env python3
"""A whole sweep by tlstax and by `openssl speed -seconds 1`: how long each takes, and how sure each is.

The same list for both: ten bulk algorithms at six sizes and twelve public-key operations, with the calls of `openssl
speed`. The sweeps alternate. The width of tlstax's 95 % interval (the whole of it, as a share of the value; the median
over its sweeps) stands against the range over the runs of `openssl speed`.
"""

import argparse
import time
from dataclasses import dataclass, field
from statistics import median

import openssl
import program
import show

CIPHERS = ["aes-128-gcm", "aes-256-gcm", "chacha20-poly1305", "aes-128-cbc", "aes-256-cbc"]
HASHES = ["md5", "sha1", "sha256", "sha384", "sha512"]
SIZES = [16, 64, 256, 1024, 8192, 16384]
KEYS = ["rsa-2048", "rsa-4096", "ecdsa-p256", "ecdsa-p384", "ed25519", "ecdh-p256", "x25519"]

# The promises: at most so much of the time, and so many cases of which the interval is no wider than the range.
SHARE = 0.1
NARROW = 60

STUDY = """
name = "sweep"
question = "What `openssl speed` would be asked for."

[[primitive]]
algorithms = {bulk}
ops = ["encrypt", "digest"]
sizes = {sizes}
patterns = ["speed"]

[[primitive]]
algorithms = {keys}
ops = ["sign", "verify", "derive"]
patterns = ["speed"]
"""


@dataclass
class Found:
    """One case: calls per second, and the relative width of our interval, in each sweep."""

    theirs: list = field(default_factory=list)
    ours: list = field(default_factory=list)
    widths: list = field(default_factory=list)

    def spread(self):
        return (max(self.theirs) - min(self.theirs)) / median(self.theirs)

    def width(self):
        return median(self.widths) if self.widths else None


def bench():
    arguments = parse()
    commands = list(all_commands())
    found = {(c.algorithm, op, c.size): Found() for c in commands for op in c.ops}
    show.heading("A sweep by tlstax and by openssl speed")
    print(f"{openssl.version()}; {len(found)} cases; {arguments.runs} sweeps of each, in turn\n", flush=True)
    walls = {"tlstax": [], "openssl": []}
    with program.scratch() as folder:
        for _ in range(arguments.runs):
            walls["tlstax"].append(timed(lambda: our_sweep(folder, arguments.budget, found)))
            walls["openssl"].append(timed(lambda: their_sweep(commands, found)))
    print_cases(found)
    print_verdict(found, walls)


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", "--rounds", type=int, default=5, help="sweeps of each")
    parser.add_argument("--budget", type=float, default=6.5, help="of our sweep, in seconds")
    parser.add_argument("--quick", action="store_true", help="two sweeps of each")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.runs = 2
    return arguments


def all_commands():
    for size in SIZES:
        yield from (openssl.cipher(name, "encrypt", size) for name in CIPHERS)
        yield from (openssl.digest(name, size) for name in HASHES)
    for name in KEYS:
        yield openssl.public_key(name)


def timed(work):
    begun = time.monotonic()
    work()
    return time.monotonic() - begun


def our_sweep(folder, budget, found):
    study = folder / "sweep.toml"
    study.write_text(STUDY.format(bulk=CIPHERS + HASHES, sizes=SIZES, keys=KEYS))
    # A precision that hardly any case reaches: all share the whole budget, none stops at the default of 1 %.
    words = ["--library", "openssl", "--budget", budget, "--precision", "0.1"]
    run = program.measure(folder, "sweep", "measure", study, *words)
    for measurement in run.measurements():
        case = measurement["case"]
        one = found[case["algorithm"], case["op"], case.get("size", 0)]
        if figure := run.figure(measurement["id"], "cpu"):
            one.ours.append(1e9 / figure["value"])
            one.widths.append((figure["high"] - figure["low"]) / figure["value"])


def their_sweep(commands, found):
    for command in commands:
        speeds = openssl.speeds(program.measuring_core(), 1, command.words)
        for op, speed in zip(command.ops, speeds, strict=True):
            found[command.algorithm, op, command.size].theirs.append(speed)


def print_cases(found):
    head = ["algorithm", "operation", "size", "openssl", "range", "tlstax", "interval", "no wider"]
    rows = []
    for (algorithm, op, size), one in found.items():
        unit = size / 1e6 if size else 1
        theirs = show.number(median(one.theirs) * unit)
        ours = show.number(median(one.ours) * unit if one.ours else None)
        cells = [theirs, show.percent(one.spread()), ours, show.percent(one.width())]
        rows.append([algorithm, op, show.Right(size or "-"), *cells, "yes" if narrow(one) else "no"])
    show.table(head, rows)


def narrow(one):
    return one.width() is not None and one.width() <= one.spread()


def print_verdict(found, walls):
    ours, theirs = median(walls["tlstax"]), median(walls["openssl"])
    widths = [one.width() for one in found.values() if one.widths]
    print(f"\nmedian over the cases: interval {show.percent(median(widths) if widths else None)}, ", end="")
    print(f"range of openssl speed {show.percent(median(one.spread() for one in found.values()))}")
    within = sum(narrow(one) for one in found.values())
    print(
        f"wall time {show.spread(walls['tlstax'])} s against {show.spread(walls['openssl'])} s: "
        f"ratio {ours / theirs:.3f}, asked {SHARE}: {show.verdict(ours <= SHARE * theirs)}; "
        f"interval no wider than the range in {within} of {len(found)} cases, asked {NARROW}: {show.verdict(within >= NARROW)}"
    )


if __name__ == "__main__":
    program.main(bench)
