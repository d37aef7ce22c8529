#!/usr/bin/env python3
"""The same library measured by tlstax and by `openssl speed`.

Both run at the same time on the same core, so that the scheduler lets them take turns every few milliseconds and each
sees the same machine: on a shared one the same command differs by 1.3 and more within minutes, and no order of runs
one after another would cancel that. The costs of both are CPU time, so it does not matter who waits. That of `openssl
speed` is read off the scheduler, because its own clock has steps of 10 ms, 2 % of what it gets of a second; the number
of calls is its own. It knows only the mean of its second, noisy moments included; the like of it is the mean over all
raw batches of tlstax in that second, not the headline figure, which is of quiet moments only. That one is printed
too, beside the figure with the calls of a TLS stack.
"""

import argparse
import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from statistics import median

import openssl
import program
import show

LIBRARY = "openssl"
AEADS = ["aes-128-gcm", "aes-256-gcm", "aes-128-ccm", "chacha20-poly1305"]
CIPHERS = [*AEADS, "aes-128-cbc", "aes-256-cbc", "3des-cbc", "rc4"]
SEALERS = ["aes-128-cbc-hmac-sha1", "aes-256-cbc-hmac-sha1", "aes-128-cbc-hmac-sha256", "aes-256-cbc-hmac-sha256"]
HASHES = ["md5", "sha1", "sha256", "sha384", "sha512"]
MACS = ["hmac-sha1", "hmac-sha256", "hmac-sha384"]
SIZES = [64, 256, 1024, 8192, 16384]

# The promise: from this size on, and for operations without one, the first limit; below it the second.
LARGE = 1024
LIMITS = {True: 0.03, False: 0.06}


@dataclass
class Found:
    """What the rounds gave for one case, in calls per second of CPU time."""

    theirs: list = field(default_factory=list)
    ours: list = field(default_factory=list)
    headline: list = field(default_factory=list)
    tls: list = field(default_factory=list)
    hole: str = ""
    lost: list = field(default_factory=list)

    def ratios(self):
        return [ours / theirs for ours, theirs in zip(self.ours, self.theirs)]


def bench():
    arguments = parse()
    wanted = arguments.algorithm
    commands = [c for c in all_commands(arguments.size) if not wanted or c.algorithm in wanted]
    if not commands:
        raise program.Cannot("none of the algorithms that are named is one of openssl speed")
    found = {(c.algorithm, op, c.size): Found() for c in commands for op in c.ops}
    order = random.Random(arguments.seed)
    print_head(arguments, sum(len(c.ops) for c in commands))
    with program.scratch() as folder:
        for _ in range(arguments.rounds):
            order.shuffle(commands)
            for command in commands:
                side_by_side(command, arguments.seconds, folder, found)
    print_cases(found)
    print_verdict(found)


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("algorithm", nargs="*", help="only these, by our names")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=1, help="of each measurement of `openssl speed`")
    parser.add_argument("--size", type=sizes, default=SIZES, metavar="BYTES,...", help="message sizes in bytes")
    parser.add_argument("--seed", type=int, default=1, help="of the order of cases")
    parser.add_argument("--quick", action="store_true", help="two rounds at 64, 1024 and 16384 bytes")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.rounds, arguments.size = 2, [64, 1024, 16384]
    return arguments


def sizes(text):
    return [int(size) for size in text.split(",")]


def all_commands(sizes):
    ways = ("encrypt", "decrypt")
    commands = [openssl.cipher(name, op, size) for name in CIPHERS for op in ways for size in sizes]
    commands += [openssl.cipher(name, "encrypt", size) for name in SEALERS for size in sizes]
    commands += [openssl.digest(name, size) for name in HASHES for size in sizes]
    commands += [openssl.mac(name, size) for name in MACS for size in sizes]
    return commands + [openssl.public_key(name) for name in [*openssl.SIGNERS, *openssl.EXCHANGES]]


def side_by_side(command, seconds, folder, found):
    """One call of `openssl speed`, with tlstax beside each of its measurements."""
    process = openssl.start(program.measuring_core(), seconds, command.words)
    ops, said, pairs = iter(command.ops), [], []
    with ThreadPoolExecutor() as beside:
        # The clock of the process is read as its lines come, so nothing here may wait for tlstax.
        for line in process.stderr:
            now = openssl.cpu_seconds(process)
            said.append(line)
            if openssl.begins(line):
                op, begun = next(ops), now
                mine = beside.submit(measure, command, op, seconds, folder)
            elif calls := openssl.answer(line):
                pairs.append((op, calls / (now - begun), mine))
    if process.wait() != 0 or len(pairs) != len(command.ops):
        raise program.Cannot(f"openssl speed {' '.join(command.words)}: {''.join(said).strip()[-300:]}")
    for op, theirs, mine in pairs:
        case = found[command.algorithm, op, command.size]
        try:
            note(case, theirs, mine.result())
        except program.NoFigure as reason:
            case.lost.append(reason)


def measure(command, op, seconds, folder):
    """The same measurement by tlstax, with the calls of `openssl speed` and with those of TLS."""
    words = ["speed", command.algorithm, "--op", op, "--pattern", "speed,tls", "--library", LIBRARY]
    # A precision that is never reached: it goes on for as long as the other.
    words += ["--budget", seconds, "--precision", "0.001"]
    return program.measure(folder, f"beside-{op}", *words, *(["--size", command.size] if command.size else []))


def note(found, theirs, run):
    check_version(run)
    (speed,) = run.measurements(pattern="speed")
    (tls,) = run.measurements(pattern="tls")
    found.hole = program.hole(speed)
    if found.hole:
        return
    found.theirs.append(theirs)
    found.ours.append(mean(speed))
    for measurement, kept in ((speed, found.headline), (tls, found.tls)):
        if figure := run.figure(measurement["id"], "cpu"):
            kept.append(1e9 / figure["value"])


def mean(measurement):
    """Calls per second of CPU time over all batches, as `openssl speed` counts them."""
    batches = program.batches(measurement)
    return sum(b["iterations"] for b in batches) / sum(b["cpu_ns"] for b in batches) * 1e9


def check_version(run):
    theirs, ours = openssl.version(), program.library_version(run.results, LIBRARY)
    if theirs != ours:
        raise program.Cannot(f"two libraries: openssl speed runs with {theirs}, tlstax with {ours}")


def print_head(arguments, cases):
    show.heading("tlstax beside openssl speed")
    print(
        f"{openssl.version()}, both on CPU {program.measuring_core()} at the same time; {cases} cases, "
        f"{arguments.rounds} rounds of {arguments.seconds} s.\n"
        "MB/s or operations/s of CPU time, median [range] over rounds, means over the whole of each round.\n"
        "ratio: tlstax / openssl within rounds, its median and range. headline: what tlstax prints (quiet moments).\n"
        "TLS: the same with the calls of a TLS stack in place of those of openssl speed.\n",
        flush=True,
    )


def print_cases(found):
    head = ["algorithm", "operation", "size", "openssl", "tlstax", "ratio", "range", "headline", "TLS"]
    show.table(head, [row(case, one) for case, one in found.items()])


def row(case, found):
    algorithm, op, size = case
    named = [algorithm, op, show.Right(size or "-")]
    if found.hole:
        return [*named, "-", "-", "-", "-", "-", found.hole]
    unit = size / 1e6 if size else 1
    scaled = [[value * unit for value in values] for values in (found.theirs, found.ours, found.headline, found.tls)]
    ratios = found.ratios()
    reach = show.Right(f"{show.deviation(min(ratios))} to {show.deviation(max(ratios))}")
    last = [show.number(median(values) if values else None) for values in scaled[2:]]
    return [*named, *map(show.spread, scaled[:2]), show.deviation(median(ratios)), reach, *last]


def print_verdict(found):
    off = {case: abs(median(one.ratios()) - 1) for case, one in found.items() if one.ours}
    holes = [f"{len(found) - len(off)} cases without a figure"] if len(off) < len(found) else []
    lost = [reason for one in found.values() for reason in one.lost]
    if lost and not off:
        raise lost[0]
    lost = [f"{len(lost)} measurements gave tlstax no figure in their second and are left out"] if lost else []
    print("\n" + "; ".join([*judged(off, True), *judged(off, False), *holes, *lost]))


def judged(off, large):
    """Where the worst case of a kind lies, and whether it keeps the limit of its kind."""
    mine = {case: value for case, value in off.items() if (case[2] == 0 or case[2] >= LARGE) == large}
    if not mine:
        return []
    worst, limit = max(mine, key=mine.get), LIMITS[large]
    above = sum(value > limit for value in mine.values())
    name = " ".join(str(part) for part in worst if part)
    return [
        f"{'from' if large else 'below'} {LARGE} bytes: worst {show.percent(mine[worst])} ({name}), "
        f"{above} of {len(mine)} above {show.percent(limit, 0)}: {show.verdict(above == 0)}"
    ]


if __name__ == "__main__":
    program.main(bench)
