#!/usr/bin/env python3
"""What does it cost to tell the parts of a batch apart?

The control row is asked by the protocol for batches with parts and without, in turn and in random order, in the lengths that
tlstax chooses: parts of 150 us in batches of 2 or 4 ms. Without crypto nothing hides what the clocks and the lists of parts
take; of real work it is less. The cost is the CPU time of the whole batch, by a clock that is read once before and once
after it either way. A ratio is taken between the two batches of a pair, which lie next to each other; one process gives
the median over its pairs, and the figure is the median over processes.
"""

import argparse
import random
from statistics import median

import program
import show
from cases import BULK, CREATE, FULL, PSK
from worker import Worker

# The promise: a share of the timed work.
LIMIT = 0.03

# As in crates/run/src/work.rs, in nanoseconds.
PART = 150_000
BATCH = {"primitive": 2_000_000, "handshake": 4_000_000, "bulk": 4_000_000}
TRIAL = 1_000

CASES = {"handshake, full": FULL, "handshake, psk": PSK, "bulk, 256 KiB": BULK, "a server's context": CREATE}


def bench():
    arguments = parse()
    show.heading("The control row in parts and as a whole")
    print(f"{arguments.processes} processes, {arguments.pairs} pairs of batches of each case in each\n", flush=True)
    found = {name: [] for name in CASES}
    order = random.Random(1)
    for _ in range(arguments.processes):
        with Worker("control", "control") as worker:
            for slot, (name, case) in enumerate(CASES.items()):
                worker.prepare(slot, {"library": "control", **case})
                found[name].append(Pairs(worker, slot, case["kind"]).run(arguments.pairs, order))
    print_verdict(print_cases(found))


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=200, help="of batches, of each case in each process")
    parser.add_argument("--processes", "--rounds", type=int, default=10)
    parser.add_argument("--quick", action="store_true", help="3 processes, 50 pairs")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.processes, arguments.pairs = 3, 50
    return arguments


class Pairs:
    """Batches of one case in one process, each length twice: told in parts, and as a whole."""

    def __init__(self, worker, slot, kind):
        self.worker, self.slot = worker, slot
        each = cost(worker.run(slot, TRIAL))
        self.part = max(1, round(PART / each))
        self.iterations = self.part * max(1, round(BATCH[kind] / each / self.part))

    def run(self, pairs, order):
        """What an iteration takes as a whole in nanoseconds, how much more in parts, and iterations of a part."""
        costs = {part: [] for part in (0, self.part)}
        for _ in range(pairs):
            for part in order.sample([0, self.part], 2):
                costs[part].append(cost(self.worker.run(self.slot, self.iterations, part, warmup=self.iterations // 16)))
        ratios = [told / whole for told, whole in zip(costs[self.part], costs[0])]
        return median(costs[0]), median(ratios), self.part


def cost(sample):
    return sample["cpu_ns"] / sample["iterations"]


def print_cases(found):
    """Prints every case; returns the ratio of each."""
    rows, ratios = [], {}
    for name, processes in found.items():
        wholes, told, lengths = zip(*processes)
        ratios[name] = median(told)
        reach = show.Right(f"{show.percent(min(told) - 1, 2)} to {show.percent(max(told) - 1, 2)}")
        cells = [show.number(median(wholes)), show.number(median(lengths)), show.percent(ratios[name] - 1, 2), reach]
        rows.append([name, *cells])
    show.table(["control", "ns an iteration", "iterations a part", "in parts", "processes"], rows)
    return ratios


def print_verdict(ratios):
    worst = max(ratios, key=ratios.get)
    met = show.verdict(ratios[worst] - 1 <= LIMIT)
    print(
        f"\ntelling parts costs the control row {show.percent(ratios[worst] - 1, 2)} at most ({worst}), "
        f"asked {show.percent(LIMIT, 0)}: {met}"
    )


if __name__ == "__main__":
    program.main(bench)
