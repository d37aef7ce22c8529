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
    """The share of a case's batches."""
    readings = run.results["slices"]
    pairs = [readings[batch["slice"] : batch["slice"] + 2] for batch in program.batches(measurement)]
    return mean(is_undisturbed(pair, usual) for pair in pairs) if pairs else 0


def clock(run, usual):
    """What the latency kernel takes while nobody disturbs it: the higher, the slower the clock. Of all readings where somebody did."""
    readings = run.results["slices"]
    undisturbed = [reading for reading in readings if is_undisturbed([reading], usual)]
    return median(reading["latency_ns"] for reading in undisturbed or readings)
