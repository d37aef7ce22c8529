"""The machine as the readings in documents tell it: who was on it, and at which clock it ran.

Nothing here is the program's own: `lowest.py` finds the lowest mode, and the rest is in this file. A neighbour on the
sibling thread slows the throughput kernel more than the latency kernel, so the balance of the two rises; the clock of the
core slows both alike. A machine is undisturbed between two readings whose balances both lie within 1 % of the lowest mode
of the balances of all runs that are held against each other, so that one in which somebody was there from its beginning to
its end shows none.
"""

from itertools import pairwise
from statistics import mean, median

import program
from lowest import lowest_mode

WITHIN = 0.01

# Kinds of work in one thread that never waits.
ALONE = ("primitive", "handshake", "bulk")


def usual_balance(runs):
    return lowest_mode([balance(reading) for run in runs for reading in run.results["slices"]])


def balance(reading):
    return reading["throughput_ns"] / reading["latency_ns"]


def is_undisturbed(readings, usual):
    return bool(usual) and all(abs(balance(reading) / usual - 1) <= WITHIN for reading in readings)


def undisturbed_time(run, usual):
    """The share of the time between the first and the last reading."""
    readings = run.results["slices"]
    whole = readings[-1]["at_ms"] - readings[0]["at_ms"]
    calm = sum(b["at_ms"] - a["at_ms"] for a, b in pairwise(readings) if is_undisturbed((a, b), usual))
    return calm / whole if whole else 0


def undisturbed_batches(run, measurement, usual):
    """The share of a case's batches: those between such readings whose thread was not kept from its core."""
    batches, readings = program.batches(measurement), run.results["slices"]
    calm = [is_undisturbed(readings[b["slice"] : b["slice"] + 2], usual) and not is_kept_off(measurement, b) for b in batches]
    return mean(calm) if calm else 0


def is_kept_off(measurement, batch):
    """Whether other programs of this machine took the core for more than 2 % of the time. In a load nobody works all the time."""
    return measurement["case"]["kind"] in ALONE and batch["wall_ns"] > batch["cpu_ns"] * 1.02


def kept_off(run):
    """The share of batches, of work that has its core for itself."""
    batches = [is_kept_off(m, b) for m in run.measurements() if m["case"]["kind"] in ALONE for b in program.batches(m)]
    return mean(batches) if batches else None


def clock(run, usual):
    """What the latency kernel takes while nobody disturbs it: the higher, the slower the clock. Of all readings where somebody did."""
    readings = run.results["slices"]
    undisturbed = [reading for reading in readings if is_undisturbed([reading], usual)]
    return median(reading["latency_ns"] for reading in undisturbed or readings)
