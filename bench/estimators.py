#!/usr/bin/env python3
"""How far candidates for the estimator of the undisturbed cost range over recorded runs of one build.

Each file is a results document whose batches have parts, of the same study on the same machine. For each figure and each candidate: the
range over the files, relative to the median; as it is, and at equal clock (divided by the run's median reading of the latency
kernel). The last row is what tlstax itself computes. Nothing here shares code with crates/stats.
"""

import argparse
import csv
import json
import subprocess
from bisect import bisect_right
from statistics import median

import program
import show

FIELDS = {
    "primitive": [("cpu", "parts_ns")],
    "handshake": [("client", "client_parts_ns"), ("server", "server_parts_ns")],
    "bulk": [("client", "client_parts_ns"), ("server", "server_parts_ns")],
}


def bench():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", metavar="RESULTS.json", help="two or more runs of one study")
    arguments = parser.parse_args()
    if len(arguments.files) < 2:
        raise program.Cannot("a range needs two files or more")
    runs = [Run(path) for path in arguments.files]
    shared = [key for key in runs[0].figures if all(key in run.figures for run in runs)]
    if not shared:
        raise program.Cannot("the files have no figure with parts in common")
    show.heading(f"{len(shared)} figures over {len(runs)} runs, whose usual clock ranges by {show.percent(ranged([run.clock for run in runs]))}")
    rows = [row(name, shared, runs, lambda run, key: estimate(run.figures[key])) for name, estimate in CANDIDATES]
    rows.append(row("tlstax", shared, runs, lambda run, key: run.own.get(key)))
    show.table(["estimator", "range, median", "9th decile", "at equal clock", "9th decile"], rows)


class Run:
    """The parts of a run, and what tlstax makes of it."""

    def __init__(self, path):
        with open(path) as file:
            document = json.load(file)
        readings = [reading["latency_ns"] for reading in document["slices"]]
        self.clock = median(readings)
        self.figures = {}
        for measurement in document["measurements"]:
            for metric, name in FIELDS.get(measurement["case"]["kind"], []):
                batches = [Batch(batch, name, readings, self.clock) for batch in measurement["outcome"].get("batches", []) if name in batch]
                sittings = {}
                for batch in batches:
                    sittings.setdefault(document["slices"][batch.slice]["sitting"], []).append(batch)
                if len(sittings) > 1:
                    self.figures[measurement["id"], metric] = list(sittings.values())
        self.own = own(path)


class Batch:
    def __init__(self, batch, name, readings, clock):
        self.slice = batch["slice"]
        each = batch["iterations"] / len(batch[name])
        around = readings[self.slice : self.slice + 2]
        self.parts = [part / each for part in batch[name]]
        self.levelled = [part * clock * len(around) / sum(around) for part in self.parts]


def own(path):
    command = [program.TLSTAX, "report", path, "--format", "csv"]
    rows = csv.DictReader(subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines())
    return {(row["id"], row["metric"]): float(row["value"]) for row in rows if row["value"]}


def row(name, keys, runs, estimate):
    values = [[estimate(run, key) for run in runs] for key in keys]
    known = [figures for figures in values if all(figures)]
    plain = sorted(ranged(figures) for figures in known)
    level = sorted(ranged([figure / run.clock for figure, run in zip(figures, runs)]) for figures in known)
    at = lambda sorted_values, share: show.percent(sorted_values[int(share * (len(sorted_values) - 1))], 2)
    return [name, at(plain, 0.5), at(plain, 0.9), at(level, 0.5), at(level, 0.9)]


def ranged(values):
    return (max(values) - min(values)) / median(values)


# ---- the candidates; each takes the batches by sittings ----


def all_of(sittings, name):
    return sorted(part for batches in sittings for batch in batches for part in getattr(batch, name))


def median_of_batches(sittings):
    return median(median(batch.parts) for batches in sittings for batch in batches)


def quantile(share):
    def of(sittings):
        parts = all_of(sittings, "parts")
        return parts[int(share * (len(parts) - 1))]

    return of


def lower_mode(values, share=0.3, window=0.01):
    """The lowest window of this relative width that has so large a share of the fullest one's values: their median."""
    values = sorted(values)
    counts = [bisect_right(values, value * (1 + window)) - at for at, value in enumerate(values)]
    start = next(at for at, count in enumerate(counts) if count >= share * max(counts))
    near = range(start, bisect_right(values, values[start] * (1 + 2 * window)))
    best = max(near, key=lambda at: counts[at])
    return median(values[best : best + counts[best]])


def half_sample_mode(values):
    """Bickel and Fruehwirth, "On a fast, robust estimator of the mode", 2006."""
    values = sorted(values)
    while len(values) > 3:
        half = (len(values) + 1) // 2
        start = min(range(len(values) - half + 1), key=lambda at: values[at + half - 1] - values[at])
        values = values[start : start + half]
    return median(values)


def pooled(mode, name):
    return lambda sittings: mode(all_of(sittings, name))


def by_sittings(mode):
    return lambda sittings: median(mode(all_of([batches], "levelled")) for batches in sittings)


CANDIDATES = [
    ("median of batches", median_of_batches),
    ("smallest part", quantile(0.0)),
    ("2nd percentile of parts", quantile(0.02)),
    ("lower mode of parts", pooled(lower_mode, "parts")),
    ("the same at the usual clock", pooled(lower_mode, "levelled")),
    ("half-sample mode at the usual clock, by sittings", by_sittings(half_sample_mode)),
    ("lower mode at the usual clock, by sittings", by_sittings(lower_mode)),
]


if __name__ == "__main__":
    program.main(bench)
