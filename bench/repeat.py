#!/usr/bin/env python3
"""Does the same come out again? Several runs of one study by one build.

For each kind of work: how far the same figure is apart over the runs, how wide its interval is in each, and which pairs of
intervals do not even touch. Then what `tlstax compare` says of successive runs: whatever it calls faster or slower is a
false alarm.

The machine decides with: it is called undisturbed between two readings of the reference kernels that both lie within 3 %
of the best of all the runs (the 5th percentile of the best run), so that a run in which somebody else was always there
shows none of it. The last table has the same figures by the share of its own batches that were undisturbed.
"""

import argparse
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from statistics import mean, median

import program
import show

# The promises, for each kind: the range over the runs, and the half width that each run prints; as medians and 90ths.
MEMORY, LOAD = ((0.01, 0.03), 0.01), ((0.03, 0.08), 0.03)
PROMISES = {"primitive": MEMORY, "handshake": MEMORY, "bulk": MEMORY, "load": LOAD}
DISJOINT = 0.05
FALSE = 0.01

# What is compared by `tlstax compare`; the elapsed time of a load is no figure of it.
METRICS = ("cpu", "client", "server")
CHANGED = ("faster", "slower")

# How far above the best a reading may lie, and up to which share of undisturbed batches each line of the last table goes.
QUIET = 0.03
SHARES = (0.02, 0.1, 0.3, 0.6, 1)


@dataclass
class Figure:
    """One metric of one case over the runs: value, low and high in each that has one."""

    kind: str
    found: list = field(default_factory=list)
    # The undisturbed share of the case's batches in each run.
    shares: list = field(default_factory=list)

    def range(self):
        values = [value for value, _, _ in self.found]
        return (max(values) - min(values)) / median(values)

    def half_widths(self):
        return [(high - low) / 2 / value for value, low, high in self.found]

    def pairs(self):
        """For each pair of runs, whether the intervals have nothing in common."""
        return [one[2] < other[1] or other[2] < one[1] for one, other in combinations(self.found, 2)]


def bench():
    arguments = parse()
    show.heading(f"{arguments.study}, {arguments.runs} times, {arguments.budget:g} s each")
    with program.scratch() as folder:
        runs = [run(folder, number, arguments) for number in range(arguments.runs)]
        best = best_of(runs)
        print_machine(runs, best)
        figures, holes = gather(runs, best)
        lines = print_kinds(figures, holes, arguments.runs)
        print_shares(figures)
        lines.append(print_alarms(folder, arguments.runs))
    print("\n" + "; ".join(lines))


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", "--rounds", type=int, default=5)
    parser.add_argument("--budget", type=float, default=100, help="of each run, in seconds")
    parser.add_argument("--study", default="quick", help="a study by its name or file")
    parser.add_argument("--library", help="only these, separated by commas")
    parser.add_argument("--quick", action="store_true", help="two runs of 30 s")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.runs, arguments.budget = 2, 30
    if arguments.runs < 2:
        parser.error("one run is no repetition: --runs 2 or more")
    return arguments


def run(folder, number, arguments):
    words = ["measure", arguments.study, "--budget", arguments.budget]
    words += ["--library", arguments.library] if arguments.library else []
    return program.measure(folder, f"run-{number}", *words)


# ---- the machine ----


def best_of(runs):
    """What each kernel takes at best: the 5th percentile of the run that has the lowest."""
    return {kernel: min(quantile([one[kernel] for one in run.results["slices"]], 0.05) for run in runs) for kernel in KERNELS}


KERNELS = ("latency_ns", "throughput_ns")


def quiet(one, other, best):
    """Whether the machine was undisturbed between two readings."""
    return all(reading[kernel] <= best[kernel] * (1 + QUIET) for reading in (one, other) for kernel in KERNELS)


def undisturbed(run, best):
    """The share of the time between the first and the last reading."""
    readings = run.results["slices"]
    whole = readings[-1]["at_ms"] - readings[0]["at_ms"]
    calm = sum(b["at_ms"] - a["at_ms"] for a, b in pairwise(readings) if quiet(a, b, best))
    return calm / whole if whole else 0


def undisturbed_batches(measurement, readings, best):
    """The share of a case's batches."""
    pairs = [readings[batch["slice"] : batch["slice"] + 2] for batch in program.batches(measurement)]
    return mean(len(pair) == 2 and quiet(*pair, best) for pair in pairs) if pairs else 0


def print_machine(runs, best):
    rows = []
    for number, one in enumerate(runs, 1):
        stolen = sum(reading.get("steal_ns", 0) for reading in one.results["slices"])
        worked = sum(batch["wall_ns"] for m in one.measurements() for batch in program.batches(m))
        lasted = one.results["slices"][-1]["at_ms"] / 1000
        rows.append([
            f"run {number}", show.percent(undisturbed(one, best)), show.percent(stolen / 1e9 / lasted),
            show.number(worked / 1e9), show.Right(len(one.results["slices"])), show.Right(one.results["study"]["rounds"]),
        ])
    show.table(["", "undisturbed", "stolen", "timed s", "readings", "rounds"], rows)
    shares = [undisturbed(one, best) for one in runs]
    print(f"\nthe machine was undisturbed for {show.spread(shares, show.percent)} of the time\n")


# ---- the figures ----


def gather(runs, best):
    """Figures by case and metric, those of all the runs; and by kind how many some run lacks."""
    figures = {}
    for one in runs:
        shares = {m["id"]: undisturbed_batches(m, one.results["slices"], best) for m in one.measurements()}
        for row in one.figures:
            if row["case"]["kind"] in PROMISES and row["metric"] in METRICS:
                figure = figures.setdefault((row["id"], row["metric"]), Figure(row["case"]["kind"]))
                if row["value"] is not None and row["low"] is not None:
                    figure.found.append((row["value"], row["low"], row["high"]))
                    figure.shares.append(shares[row["id"]])
    whole = [figure for figure in figures.values() if len(figure.found) == len(runs)]
    holes = {kind: sum(f.kind == kind for f in figures.values()) - sum(f.kind == kind for f in whole) for kind in PROMISES}
    return whole, holes


def print_kinds(figures, holes, runs):
    rows, lines = [], []
    for kind, (ranges, half_width) in PROMISES.items():
        mine = [figure for figure in figures if figure.kind == kind]
        if not mine:
            continue
        apart = [quantile([figure.range() for figure in mine], share) for share in (0.5, 0.9)]
        wide = [quantile([width for figure in mine for width in figure.half_widths()], share) for share in (0.5, 0.9)]
        rows.append([kind, show.Right(len(mine)), show.Right(holes[kind]), *map(percent, [*apart, *wide]), percent(disjoint(mine))])
        met = all(found <= limit for found, limit in zip(apart, ranges)) and wide[0] <= half_width
        asked = f"{percent(ranges[0])}, {percent(ranges[1])}, {percent(half_width)}"
        lines.append(f"{kind}: {percent(apart[0])}, {percent(apart[1])}, half width {percent(wide[0])}, asked {asked}: {show.verdict(met)}")
    if not rows:
        raise program.Cannot("no figure is in all the runs")
    head = ["", "figures", "not in all", "range, median", "90th", "half width, median", "90th", "disjoint pairs"]
    show.table(head, rows)
    share = disjoint(figures)
    lines.append(f"disjoint pairs of {runs} runs {percent(share)}, asked {percent(DISJOINT)}: {show.verdict(share <= DISJOINT)}")
    return lines


def print_shares(figures):
    """The same by how much of its own time a figure was undisturbed."""
    print()
    rows, above = [], 0
    for upto in SHARES:
        mine = [figure for figure in figures if above <= mean(figure.shares) < upto or upto == 1 == mean(figure.shares)]
        label, above = f"{above:.0%} to {upto:.0%}", upto
        if mine:
            apart = [quantile([figure.range() for figure in mine], share) for share in (0.5, 0.9)]
            wide = quantile([width for figure in mine for width in figure.half_widths()], 0.5)
            rows.append([label, show.Right(len(mine)), *map(percent, [*apart, wide, disjoint(mine)])])
    show.table(["batches undisturbed", "figures", "range, median", "90th", "half width, median", "disjoint pairs"], rows)


def disjoint(figures):
    return mean(pair for figure in figures for pair in figure.pairs())


def quantile(values, share):
    """The value at this rank, the nearest one."""
    return sorted(values)[round(share * (len(values) - 1))]


def percent(share):
    return show.percent(share, 2)


# ---- false alarms ----


def print_alarms(folder, runs):
    """What is called changed between one run and the next, though nothing did."""
    print()
    rows, changed, cases = [], 0, 0
    for old, new in pairwise(range(runs)):
        figures = program.compare(folder / f"run-{old}.json", folder / f"run-{new}.json")
        wrong = {row["id"] for row in figures if row["verdict"] in CHANGED}
        changed, cases = changed + len(wrong), cases + len({row["id"] for row in figures})
        said = [row["verdict"] for row in figures]
        rows.append([f"run {old + 1} and {new + 1}", *(show.Right(said.count(v)) for v in ("same", "cannot tell", *CHANGED))])
    show.table(["compare", "same", "cannot tell", "faster", "slower"], rows)
    return (
        f"{changed} of {cases} cases called changed, asked at most 1 in 100: {show.verdict(changed <= FALSE * cases)}"
    )


if __name__ == "__main__":
    program.main(bench)
