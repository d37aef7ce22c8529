#!/usr/bin/env python3
"""`tlstax traffic` against programs that people count logs and captures with: how fast, with how much memory, and whether the counts
are the same.

Inputs are made once (traffic_inputs.py, traffic_capture.py) and lie in the cache of tlstax; they are read before the first round, so
that they are in memory. Programs take turns in an order shuffled anew in each round. Every program of a table counts requests and
bytes by protocol, suite and resumption (connections in captures), and an answer that is another than what is true stops the bench. A
floor does less than that: it counts lines, decodes, or copies packets.
"""

import argparse
import random
from multiprocessing import Process
from pathlib import Path
from statistics import median

import program
import show
import timed
import traffic_capture
import traffic_inputs
import traffic_peers as peers
from traffic_peers import Program

# The promises: bytes per second of a core, and the peak of any of our runs.
LOG, TWO_THREADS, JSON, CAPTURE = 1e9, 1.8, 0.7e9, 1e9
# Of the speed of a decoder alone.
DECODER = 0.95
PEAK = 200e6

# Seconds that a program may take for a round.
PATIENCE = 180

GB, MB = 1e9, 1e6


def bench():
    arguments = parse()
    size = int((100 if arguments.quick else 1100) * MB)
    # In a process of its own: what a program is started from counts as its peak.
    making = Process(target=make, args=(size, arguments.seed))
    making.start()
    making.join()
    if making.exitcode != 0:
        raise program.Cannot("the inputs could not be made; see above")
    print(f"inputs of {size / GB:g} GB in {traffic_inputs.folder()}, seed {arguments.seed}")
    with program.scratch() as folder:
        bench_of = Bench(folder, arguments, size)
        parts = {"log": bench_of.log, "json": bench_of.json, "packed": bench_of.packed, "capture": bench_of.capture}
        for name in arguments.only.split(",") if arguments.only else parts:
            parts[name]()
        bench_of.last_lines()


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="inputs of 100 MB and two rounds")
    parser.add_argument("--seed", type=int, default=traffic_inputs.SEED)
    parser.add_argument("--only", default="", help="of log, json, packed, capture: these, with commas")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.rounds = 2
    return arguments


class Inputs:
    """All of them; a part is what a slow program gets."""

    def __init__(self, size, seed):
        part = min(size, int(100 * MB))
        self.log = traffic_inputs.nginx_log(size, seed)
        self.log_part = traffic_inputs.nginx_log(part, seed)
        self.json = traffic_inputs.caddy_log(size, seed)
        self.json_part = traffic_inputs.caddy_log(part // 2, seed)
        self.capture = traffic_capture.made(size, seed)
        self.capture_part = traffic_capture.made(part, seed)
        packed = traffic_inputs.nginx_log(min(size, int(400 * MB)), seed)
        self.unpacked = packed
        self.gzip = traffic_inputs.packed(packed, "gzip", ".gz")
        self.zstd = traffic_inputs.packed(packed, "zstd", ".zst")


def make(size, seed):
    try:
        Inputs(size, seed)
    except program.Cannot as reason:
        raise SystemExit(f"error: {reason}") from None


class Bench:
    """All comparisons, and what became of the promises."""

    def __init__(self, folder, arguments, size):
        self.folder, self.rounds = folder, arguments.rounds
        self.inputs = Inputs(size, arguments.seed)
        self.draw = random.Random(arguments.seed)
        self.lines, self.peak = [], 0

    def log(self):
        log, part = self.inputs.log, self.inputs.log_part
        show.heading(f"An access log of nginx: combined, with TLS fields; {log.size / log.entries:.0f} bytes a line")
        form = f"nginx:{traffic_inputs.nginx_configuration()}"
        ours = [peers.tlstax(log.path, self.folder, threads, "--format", form) for threads in (1, 2)]
        duckdb = [peers.duckdb(log.path, threads, peers.OF_NGINX) for threads in (1, 2)]
        entrants = [(one, log) for one in [*ours, peers.mawk(log.path), *duckdb, peers.lines(log.path)]]
        entrants += self.if_there(lambda: (peers.goaccess(part.path, self.folder), part))
        speeds = self.compare(entrants)
        self.promise("access log, one thread", speeds[ours[0].name], LOG)
        more = [two / one for one, two in zip(speeds[ours[0].name], speeds[ours[1].name])]
        self.promise("access log, two threads by one", more, TWO_THREADS, unit="")

    def json(self):
        log, part = self.inputs.json, self.inputs.json_part
        show.heading(f"An access log of Caddy, JSON lines; {log.size / log.entries:.0f} bytes a line")
        ours = [peers.tlstax(log.path, self.folder, threads) for threads in (1, 2)]
        duckdb = [peers.duckdb(log.path, threads, peers.OF_CADDY, peers.of_code_points) for threads in (1, 2)]
        entrants = [(one, log) for one in [*ours, *duckdb, peers.lines(log.path)]]
        entrants += self.if_there(lambda: (peers.jq(part.path), part))
        speeds = self.compare(entrants)
        self.promise("JSON lines, one thread", speeds[ours[0].name], JSON)

    def packed(self):
        plain = self.inputs.unpacked
        form = f"nginx:{traffic_inputs.nginx_configuration()}"
        for packed, name, more in [
            (self.inputs.gzip, "gzip", lambda path: [peers.pipe("zcat | wc -l", "zcat", path), peers.zlib_ng(path)]),
            (self.inputs.zstd, "zstd", lambda path: [peers.decoder("zstd alone", ["zstd", "-dc", path])]),
        ]:
            show.heading(f"The log of nginx, {name} of {packed.size / plain.size:.0%}; GB/s of the log")
            ours = peers.tlstax(packed.path, self.folder, 2, "--format", form)
            entrants = [(one, plain) for one in [ours, *more(packed.path)]]
            if name == "gzip":
                entrants += self.if_there(lambda: (peers.pipe("pigz -dc | wc -l", "pigz -dc", self.inputs.gzip.path), plain))
            speeds = self.compare(entrants)
            bare = speeds[entrants[2][0].name if name == "gzip" else entrants[1][0].name]
            self.promise(f"{name} by its decoder alone", [one / other for one, other in zip(speeds[ours.name], bare)], DECODER, unit="")

    def capture(self):
        capture, part = self.inputs.capture, self.inputs.capture_part
        show.heading(f"A capture of TLS, {capture.entries} connections of 1 MiB in segments of {traffic_capture.SEGMENT} bytes")
        ours = [peers.tlstax(capture.path, self.folder, threads, of="connections") for threads in (1, 2)]
        entrants = [(one, capture) for one in ours]
        entrants += self.if_there(lambda: (peers.tcpdump(capture.path), capture))
        entrants += self.if_there(lambda: (peers.tshark(part.path), part))
        speeds = self.compare(entrants)
        self.promise("capture, one thread", speeds[ours[0].name], CAPTURE)

    def if_there(self, make):
        """A program with its input, or a line that says what is missing."""
        try:
            return [make()]
        except program.Cannot as reason:
            print(f"  left out: {reason}", flush=True)
            return []

    def compare(self, entrants):
        """Runs all in turn, prints what they took, and returns bytes per second by name, round by round."""
        for _, source in entrants:
            warm(source.path)
        ran = {one.name: [] for one, _ in entrants}
        for _ in range(self.rounds):
            for one, source in self.draw.sample(entrants, len(entrants)):
                ran[one.name].append(self.once(one, source))
        rows = []
        for one, source in entrants:
            runs = [run for run in ran[one.name] if run]
            if not runs:
                rows.append([one.name, f"longer than {PATIENCE} s for {source.size / MB:.0f} MB", "", "", ""])
                continue
            rows.append([one.name, show.spread([source.size / run.wall / GB for run in runs]),
                         show.number(median(run.cpu / source.size * GB for run in runs)),
                         show.Right(f"{max(run.peak for run in runs) / MB:.0f}"), "floor" if one.is_floor else told(one, source)])
        show.table(["", "GB/s", "CPU s/GB", "peak MB", ""], rows)
        return {name: [self.size_of(entrants, name) / run.wall for run in runs if run] for name, runs in ran.items()}

    def size_of(self, entrants, name):
        return next(source.size for one, source in entrants if one.name == name)

    def once(self, one, source):
        run = timed.run(one.words, PATIENCE)
        if run is None:
            return None
        agree(one, one.answer(run.output), source)
        if one.name.startswith("tlstax"):
            self.peak = max(self.peak, run.peak)
        return run

    def promise(self, what, values, limit, unit="GB/s"):
        """Prints a figure beside its promise: at least `limit`."""
        if not values:
            self.lines.append(f"{what}: no figure")
        else:
            scale = GB if unit else 1
            met = show.verdict(median(values) >= limit)
            reached = show.spread([value / scale for value in values])
            self.lines.append(f"{what}: {reached} {unit}".rstrip() + f", asked {limit / scale:g}: {met}")
        print(f"  {self.lines[-1]}", flush=True)

    def last_lines(self):
        met = show.verdict(self.peak <= PEAK)
        self.lines.append(f"peak memory of any run of tlstax: {self.peak / MB:.0f} MB, asked {PEAK / MB:.0f}: {met}")
        show.heading("Promises; all counts agree")
        for line in self.lines:
            print(line)


def told(one, source):
    """What a program that counts has counted."""
    return f"{source.entries} counted" if not one.is_floor else ""


def warm(path: Path):
    """Reads a file, so that it is in memory."""
    with path.open("rb", buffering=0) as file:
        buffer = bytearray(1 << 20)
        while file.readinto(buffer):
            pass


def agree(one: Program, answer, source):
    """Whether an answer is true, as far as it goes."""
    if answer is None:
        return
    if isinstance(answer, int):
        true = source.entries
    else:
        parts = len(next(iter(answer), ()))
        has_bytes = all(known[1] is not None for known in answer.values())
        true = {}
        for key, (number, size) in source.counts.items():
            known = true.get(key[:parts], (0, 0 if has_bytes else None))
            true[key[:parts]] = (known[0] + number, known[1] + size if has_bytes else None)
    if answer != true:
        raise program.Cannot(f"{one.name} has counted {answer} in {source.path}, where there are {true}")


if __name__ == "__main__":
    program.main(bench)
