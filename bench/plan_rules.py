"""The rules of thumb that servers are sized by now, on the same workloads as the model.

Each gives nanoseconds of CPU time for a request. They are given the best that their users could give them: primitives and handshakes
measured on this very machine, in the minutes of the run. The published table is of other hardware, so each rule is judged twice: as
it is, and scaled by the one factor that makes its median error least, which nobody could know without measuring.
"""

from dataclasses import dataclass
from itertools import combinations_with_replacement, pairwise
from statistics import median

import openssl
import program

# Of the signs/s of `openssl speed rsa2048`, what a core does in full handshakes with ECDHE and RSA: 45 to 60 percent
# (NGINX SSL Performance, white paper, 2014; the middle). It says nothing of other keys; people use it for those alike.
SIGNS = 0.525

# Requests/s of HTTPS on one CPU over kept connections, by KB of the response
# ("Testing the Performance of NGINX and NGINX Plus Web Servers", nginx.com, 2017).
TABLE = {0: 71_561, 1: 40_207, 10: 23_308, 100: 4_830}
# New TLS connections/s of one CPU: "over 2,000 per core with ECDSA" (NGINX sizing guide, 2016), and the 350 of the paper of 2014 with RSA.
TABLE_CONNECTIONS = {"ecdsa-p256": 2_000, "rsa-2048": 350}

KB = 1024
# Seconds of each measurement of `openssl speed`, and of handshakes in memory.
SECONDS, HANDSHAKES = 3, 10

CIPHERS = {"AES_128_GCM": "aes-128-gcm", "AES_256_GCM": "aes-256-gcm", "CHACHA20_POLY1305": "chacha20-poly1305"}
RECORD = 16_384


@dataclass(frozen=True)
class Primitives:
    """What the rules are made of: signs/s and ns of the server for a full handshake by key, bytes/s by cipher."""

    signs: dict
    handshakes: dict
    ciphers: dict


def measure(folder, library, seconds, budget):
    """By `openssl speed`, which is the system's, and by handshakes of the library of the server."""
    core = program.measuring_core()
    signs = {key: openssl.speeds(core, seconds, [openssl.SIGNERS[key]])[0] for key in TABLE_CONNECTIONS}
    ciphers = {name: openssl.speeds(core, seconds, openssl.cipher(word, "encrypt", RECORD).words)[0] * RECORD for name, word in CIPHERS.items()}
    run = program.measure(folder, "handshakes", "handshake", "--library", library, "--key", ",".join(signs), "--budget", f"{budget}s")
    return Primitives(signs, {key: server_ns(run, library, key) for key in signs}, ciphers)


def server_ns(run, library, key):
    """What the server's side of a full handshake in memory takes."""
    (case,) = run.measurements(library=library, key=key)
    batches = program.batches(case)
    if not batches:
        raise program.Cannot(f"handshakes with {key} have no figure: {program.hole(case)}")
    return median(batch["server_ns"] / batch["iterations"] for batch in batches)


def full_handshakes(case):
    """Of a request."""
    resumed = case["resumed_percent"] / 100 if case["resumption"] != "full" else 0
    return (1 - resumed) / case["requests_per_connection"]


def by_signs(case, primitives):
    """Handshakes from signs; bytes, requests and resumptions cost nothing."""
    return full_handshakes(case) * 1e9 / (SIGNS * primitives.signs[case["key"]])


def by_signs_and_cipher(case, primitives):
    """The same, and the bytes at the speed of the cipher."""
    cipher = next(speed for name, speed in primitives.ciphers.items() if name in case["suite"])
    return by_signs(case, primitives) + case["body"] * 1e9 / cipher


def by_table(case, _):
    """NGINX's table: a request by its size, and a new connection."""
    return table_request(case["body"]) + full_handshakes(case) * 1e9 / TABLE_CONNECTIONS[case["key"]]


def table_request(size):
    """On the lines between the sizes of the table, and the last line goes on."""
    points = [(kb * KB, 1e9 / rate) for kb, rate in TABLE.items()]
    (left, low), (right, high) = next((pair for pair in pairwise(points) if size <= pair[1][0]), points[-2:])
    return low + (high - low) * (size - left) / (right - left)


def by_calculator(case, primitives):
    """The web calculators ("SSL handshake load"): requests x share of new connections x share of full handshakes x time of a handshake. A
    surge factor and a target of utilisation only scale it, and are 1 here."""
    return full_handshakes(case) * primitives.handshakes[case["key"]]


RULES = {
    "NGINX: signs": by_signs,
    "signs + cipher": by_signs_and_cipher,
    "NGINX: table": by_table,
    "calculator": by_calculator,
}


def errors(rule, cases, measured, primitives):
    """Relative errors of a rule, as it is and scaled by the best factor."""
    ratios = [RULES[rule](case, primitives) / is_so for case, is_so in zip(cases, measured)]
    return [[factor * ratio - 1 for ratio in ratios] for factor in (1, best_factor(ratios))]


def best_factor(ratios):
    """By which the median of the errors is least: it makes two of them equal, one too high and one too low, or one nothing."""
    factors = [2 / (one + other) for one, other in combinations_with_replacement(ratios, 2) if one + other > 0]
    return min(factors, key=lambda factor: median(abs(factor * ratio - 1) for ratio in ratios), default=1)
