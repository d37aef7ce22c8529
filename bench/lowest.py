"""The lowest mode of costs: where those gather that nothing disturbed.

A disturbance only adds to a cost, so what was undisturbed lies in the lowest heap of a histogram, whether or not that is
its highest: a neighbour who works for most of the time makes a higher one above it. This way shares nothing with the
estimator of the program, so that the one can be held against the other: no reference readings, no rounds, no ranks.
"""

import math
from collections import Counter
from statistics import median

# Costs are counted in bins of this relative width, and a heap reaches so many bins to each side of its top.
BIN = 0.001
REACH = 10

# The top is sought in counts that are levelled over so many bins to each side.
LEVEL = 3


def lowest_mode(costs, share=0.02, least=3):
    """The middle of the lowest heap that holds at least this share of all costs, and no fewer than `least`; none without one.

    A heap has its top where no bin within 1 % to either side has a higher levelled count. Its middle is the median of what
    lies within 0.5 % of the top, so that the width of a bin does not show.
    """
    counts = Counter(round(math.log(cost) / BIN) for cost in costs if cost > 0)
    if not counts:
        return None
    levelled = {at: level(counts, at) for at in around(counts, LEVEL)}
    needed = max(least, share * sum(counts.values()))
    for at in sorted(counts):
        held = sum(counts[near] for near in range(at - REACH, at + REACH + 1))
        tops = (levelled.get(near, 0) for near in range(at - REACH, at + REACH + 1))
        if held >= needed and levelled[at] >= max(tops):
            return middle(costs, math.exp(at * BIN))
    return None


def around(counts, reach):
    return {near for at in counts for near in range(at - reach, at + reach + 1)}


def level(counts, at):
    """A count with those beside it, the nearer the more."""
    return sum((LEVEL + 1 - abs(off)) * counts[at + off] for off in range(-LEVEL, LEVEL + 1))


def middle(costs, top):
    near = REACH * BIN / 2
    return median(cost for cost in costs if abs(math.log(cost / top)) <= near)
