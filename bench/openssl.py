"""`openssl speed` as the benches use it: which words measure what, and what it answers.

Read in apps/speed.c of 3.0: it makes one call after another until a real-time alarm ends it, and divides by the user
CPU time of its process, which times(2) tells in steps of 10 ms. `-mr` prints one line before (+DT) and one after (+R)
each measurement, with the number of calls and that time.
"""

import functools
import re
import subprocess
from dataclasses import dataclass, field

from program import Cannot

# Our names of ciphers and hashes are those of OpenSSL, but for one.
EVP_NAMES = {"3des-cbc": "des-ede3-cbc"}
LEGACY = ["-provider", "default", "-provider", "legacy"]
SIGNERS = {
    "rsa-2048": "rsa2048",
    "rsa-3072": "rsa3072",
    "rsa-4096": "rsa4096",
    "ecdsa-p256": "ecdsap256",
    "ecdsa-p384": "ecdsap384",
    "ed25519": "ed25519",
}
EXCHANGES = {"ecdh-p256": "ecdhp256", "ecdh-p384": "ecdhp384", "x25519": "ecdhx25519"}


@dataclass(frozen=True)
class Command:
    """One call of `openssl speed`, and which of our cases its answers belong to, in their order."""

    algorithm: str
    ops: tuple
    size: int
    words: tuple = field(repr=False)


def cipher(algorithm, op, size):
    """The command for a cipher at one size."""
    words = [*(LEGACY if algorithm == "rc4" else []), *(["-decrypt"] if op == "decrypt" else [])]
    return Command(algorithm, (op,), size, (*words, "-bytes", str(size), "-evp", EVP_NAMES.get(algorithm, algorithm)))


def digest(algorithm, size):
    """The command for a hash at one size."""
    return Command(algorithm, ("digest",), size, ("-bytes", str(size), "-evp", algorithm))


def mac(algorithm, size):
    """The command for an HMAC at one size."""
    return Command(algorithm, ("mac",), size, ("-bytes", str(size), "-hmac", algorithm.removeprefix("hmac-")))


def public_key(algorithm):
    """The command for a key pair: signing and verifying, or deriving."""
    if algorithm in SIGNERS:
        return Command(algorithm, ("sign", "verify"), 0, (SIGNERS[algorithm],))
    return Command(algorithm, ("derive",), 0, (EXCHANGES[algorithm],))


@functools.cache
def version():
    """The version of libcrypto that the command is running with, which need not be its own."""
    try:
        line = subprocess.run(["openssl", "version"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        raise Cannot(f"openssl does not run: {error}; on Debian, apt-get install openssl") from error
    return re.search(r"Library: (.*)\)", line).group(1)


def start(core, seconds, words):
    """Starts `openssl speed` on one core."""
    line = ["taskset", "-c", str(core), "openssl", "speed", "-mr", "-seconds", str(seconds), *words]
    return subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def begins(line):
    """Whether a measurement begins with this line."""
    return line.startswith("+DT")


def answer(line):
    """The number of calls, if a measurement ends with this line; else none."""
    found = re.match(r"\+R\d*:(\d+):", line)
    return int(found.group(1)) if found else None


def cpu_seconds(process):
    """The CPU time of a process so far, by the scheduler's nanosecond accounting."""
    with open(f"/proc/{process.pid}/schedstat", encoding="ascii") as file:
        return int(file.read().split()[0]) / 1e9


def speeds(core, seconds, words):
    """Runs `openssl speed` to its end: calls per second of each measurement, in order, by its own clock."""
    process = start(core, seconds, words)
    _, lines = process.communicate()
    answers = re.findall(r"^\+R\d*:(\d+):.*?([\d.]+)$", lines, re.MULTILINE)
    found = [int(calls) / float(seconds) for calls, seconds in answers]
    if process.returncode != 0 or not found:
        raise Cannot(f"openssl speed {' '.join(words)}: {lines.strip()[-300:]}")
    return found
