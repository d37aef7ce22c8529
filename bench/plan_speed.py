#!/usr/bin/env python3
"""How long `tlstax plan` takes to answer from files that are there: the whole process, from its start to its end."""

import argparse
from pathlib import Path
from statistics import median

import program
import show
import timed
from program import ROOT

# The promises, seconds; changes that the advice is about.
PLAN, ADVICE, CHANGES = 0.2, 1.0, 200
# Seconds after which a run is given up.
PATIENCE = 30

WORKLOAD = ROOT / "docs/traffic-by-hand.toml"


def bench():
    arguments = parse()
    files = ["--workload", arguments.workload, "--model", arguments.model]
    print(time_of("a plan", ["plan", *files], arguments.rounds, PLAN))
    print(time_of(f"advice over {CHANGES} changes", ["plan", "advise", *files], arguments.rounds, ADVICE))


def parse():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, required=True, help="of `tlstax calibrate`; bench/plan.py --keep leaves one")
    parser.add_argument("--workload", type=Path, default=WORKLOAD)
    parser.add_argument("--rounds", type=int, default=11)
    return parser.parse_args()


def time_of(what, words, rounds, limit):
    runs = [timed.run([program.built(), *words], PATIENCE) for _ in range(rounds)]
    walls = [run.wall if run else PATIENCE for run in runs]
    return f"{what}: {show.spread(walls)} s, asked {limit:g}: {show.verdict(median(walls) <= limit)}"


if __name__ == "__main__":
    program.main(bench)
