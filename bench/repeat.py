#!/usr/bin/env python3
"""Does the same come out again? Several runs of one study by one build.

For each kind of work: how far the same figure is apart over the runs, how wide its interval is in each, and which pairs of
intervals do not even touch. Then what `tlstax compare` says of successive runs: whatever it calls faster or slower is a
false alarm.

The machine decides with. machine.py reads off the readings of the reference kernels for how much of the time nobody
disturbed it, and how fast its clock was: the range is printed as it is, which is what is promised, and at equal clock. The
second table of figures has the same by the share of their own batches that were undisturbed.
"""

import argparse
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from statistics import mean, median

import machine
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

# Up to which share of undisturbed batches each line of the table goes.
SHARES = (0.02, 0.1, 0.3, 0.6, 1)

# How many figures are named.
WORST = 8


@dataclass
class Figure:
    """One metric of one case over the runs: value, low and high in each that has one."""

    name: str
    kind: str
    found: list = field(default_factory=list)
    # What each rests on, and the clock of the run.
    bases: list = field(default_factory=list)
    clocks: list = field(default_factory=list)
    # The undisturbed share of the case's batches in each run.
    shares: list = field(default_factory=list)

    def range(self):
        return apart([value for value, _, _ in self.found])

    def range_at_equal_clock(self):
        return apart([value / clock for (value, _, _), clock in zip(self.found, self.clocks)])

    def half_widths(self):
        return [(high - low) / 2 / value for value, low, high in self.found]

    def pairs(self):
        """For each pair of runs, whether the intervals have nothing in common."""
        return [one[2] < other[1] or other[2] < one[1] for one, other in combinations(self.found, 2)]


def apart(values):
    return (max(values) - min(values)) / median(values)


def bench():
    arguments = parse()
    show.heading(f"{arguments.study}, {arguments.runs} times, {arguments.budget:g} s each")
    with program.scratch() as folder:
        runs = [run(folder, number, arguments) for number in range(arguments.runs)]
        usual = machine.usual_balance(runs)
        print_machine(runs, usual)
        figures, holes = gather(runs, usual)
        lines = print_kinds(figures, holes, arguments.runs)
        print_shares(figures)
        print_worst(figures)
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


def print_machine(runs, usual):
    rows, shares = [], []
    for number, one in enumerate(runs, 1):
        readings = one.results["slices"]
        stolen = sum(reading.get("steal_ns", 0) for reading in readings) / 1e6 / max(readings[-1]["at_ms"], 1)
        worked = sum(batch["wall_ns"] for m in one.measurements() for batch in program.batches(m))
        clock = machine.clock(one, usual)
        shares.append(machine.undisturbed_time(one, usual))
        cells = [show.percent(shares[-1]), show.number(clock / 1000), show.percent(stolen), show.percent(machine.kept_off(one))]
        rows.append([f"run {number}", *cells, show.number(worked / 1e9), show.Right(len(readings)), show.Right(one.results["study"]["rounds"])])
    show.table(["", "undisturbed", "latency kernel us", "stolen", "batches kept off", "timed s", "readings", "rounds"], rows)
    print(f"\nthe machine was undisturbed for {show.spread(shares, show.percent)} of the time\n")


# ---- the figures ----


def gather(runs, usual):
    """Figures by case and metric, those of all the runs; and by kind how many some run lacks."""
    figures = {}
    for one in runs:
        shares = {m["id"]: machine.undisturbed_batches(one, m, usual) for m in one.measurements()}
        clock = machine.clock(one, usual)
        for row in one.figures:
            if row["case"]["kind"] in PROMISES and row["metric"] in METRICS:
                key = row["id"], row["metric"]
                figure = figures.setdefault(key, Figure(" ".join(key), row["case"]["kind"]))
                if row["value"] is not None and row["low"] is not None:
                    figure.found.append((row["value"], row["low"], row["high"]))
                    figure.shares.append(shares[row["id"]])
                    figure.clocks.append(clock)
                    figure.bases.append(row["basis"])
    whole = [figure for figure in figures.values() if len(figure.found) == len(runs)]
    holes = {kind: sum(f.kind == kind for f in figures.values()) - sum(f.kind == kind for f in whole) for kind in PROMISES}
    return whole, holes


def print_kinds(figures, holes, runs):
    rows, lines = [], []
    for kind, (ranges, half_width) in PROMISES.items():
        mine = [figure for figure in figures if figure.kind == kind]
        if not mine:
            continue
        ranged = spread_of(figure.range() for figure in mine)
        level = spread_of(figure.range_at_equal_clock() for figure in mine)
        wide = spread_of(width for figure in mine for width in figure.half_widths())
        rows.append([kind, show.Right(len(mine)), show.Right(holes[kind]), *map(percent, [*ranged, *level, *wide, disjoint(mine)])])
        met = all(found <= limit for found, limit in zip(ranged, ranges)) and wide[0] <= half_width
        asked = f"{percent(ranges[0])}, {percent(ranges[1])}, {percent(half_width)}"
        lines.append(f"{kind}: {percent(ranged[0])}, {percent(ranged[1])}, half width {percent(wide[0])}, asked {asked}: {show.verdict(met)}")
    if not rows:
        raise program.Cannot("no figure is in all the runs")
    head = ["", "figures", "not in all", "range, median", "90th", "at equal clock", "90th", "half width, median", "90th", "disjoint pairs"]
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
            ranged, level = (spread_of(map(of, mine)) for of in (Figure.range, Figure.range_at_equal_clock))
            wide, _ = spread_of(width for figure in mine for width in figure.half_widths())
            rows.append([label, show.Right(len(mine)), *map(percent, [*ranged, *level, wide, disjoint(mine)])])
    show.table(["batches undisturbed", "figures", "range, median", "90th", "at equal clock", "90th", "half width, median", "disjoint pairs"], rows)


def print_worst(figures):
    """The figures that are furthest apart, for whoever looks for the reason."""
    worst = sorted(figures, key=Figure.range, reverse=True)[:WORST]
    values = [", ".join(show.number(value) for value, _, _ in figure.found) for figure in worst]
    print()
    rows = [[percent(one.range()), one.name, said, ", ".join(one.bases)] for one, said in zip(worst, values)]
    show.table(["range", "furthest apart", "ns in each run", "basis"], rows)


def disjoint(figures):
    return mean(pair for figure in figures for pair in figure.pairs())


def spread_of(values):
    """The median and the 90th percentile, each the nearest value."""
    ordered = sorted(values)
    return [ordered[round(share * (len(ordered) - 1))] for share in (0.5, 0.9)]


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
