#!/usr/bin/env python3
"""Whether what `tlstax observe` says of each library is right, in cases of which one knows what they do.

Each worker makes one case again and again while it is observed. Three figures of each:

  class     what share of its samples has the class of the case: signatures in handshakes, record protection in bulk
  primitive what that share has to be by the same worker's own figures: the time of the primitive alone by that of the case
  right     what share of the samples within TLS has a class that the case can have: none of another algorithm, none that is not told apart

The promise is that `right` is at least 90 %. The class may lack what stands beside the operation in the same primitive, such as allocation.
Needs the right to sample, and the workers: target/release/tlstax libraries build.
"""

import argparse
import json
import os
import subprocess
import sys
import threading

import cases
import profiles
import program
import show
import worker
from program import ROOT, TLSTAX, Cannot

RIGHT = 0.90

# Algorithms that any handshake of these cases may have beside its own: certificates are signed with the key's algorithm.
COMMON = {None, "x25519", "hmac", "hkdf", "sha256", "sha512", "sha1", "md5", "aes", "aes-gcm"}
RSA = {"rsa", "rsa-2048"}
NOT_TOLD = {"other-tls", "unknown"}


def handshake(key):
    return {**cases.FULL, "key": key}


def bulk(suite):
    return {**cases.BULK, "suite": suite}


def sealed(algorithm):
    """What a record takes at both ends."""
    return [{**cases.ENCRYPT, "algorithm": algorithm, "op": op} for op in ["encrypt", "decrypt"]]


CASES = [
    ("handshake, RSA-2048", handshake("rsa-2048"), "signature", [cases.SIGN], COMMON | RSA),
    (
        "handshake, P-256",
        handshake("ecdsa-p256"),
        "signature",
        [{**cases.SIGN, "algorithm": "ecdsa-p256"}],
        COMMON | {"p256"},
    ),
    ("AES-128-GCM", bulk("TLS_AES_128_GCM_SHA256"), "record-cipher", sealed("aes-128-gcm"), {None, "aes-gcm", "aes"}),
    ("AES-256-GCM", bulk("TLS_AES_256_GCM_SHA384"), "record-cipher", sealed("aes-256-gcm"), {None, "aes-gcm", "aes"}),
    (
        "ChaCha20-Poly1305",
        bulk("TLS_CHACHA20_POLY1305_SHA256"),
        "record-cipher",
        sealed("chacha20-poly1305"),
        {None, "chacha20-poly1305"},
    ),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", help="ids, comma-separated; all built workers if absent")
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("--quick", action="store_true", help="two seconds of each")
    parser.add_argument("--program", default=TLSTAX, help="the tlstax that observes")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.seconds = 2.0
    # As docs/observe.md tells users: frames of compiled Java are found by their frame pointers alone.
    os.environ.setdefault("JAVA_TOOL_OPTIONS", "-XX:+PreserveFramePointer")
    libraries = arguments.library.split(",") if arguments.library else built()
    rows, worst = [], (1.0, "nothing was observed")
    with program.scratch() as folder:
        for library in libraries:
            for name, case, cost, primitives, allowed in CASES:
                try:
                    found = observed(library, case, arguments, folder)
                    share, right = share_of(found, cost), right_of(found, allowed)
                    worst = min(worst, (right, f"{library}, {name}"))
                    by_primitive = expected(library, case, primitives)
                    rows.append([library, name, cost, *map(show.percent, (share, by_primitive, right))])
                except Cannot as reason:
                    rows.append([library, name, cost, str(reason)[:60], "", ""])
                print(*rows[-1], sep="  ", file=sys.stderr, flush=True)
    show.table(["library", "case", "class", "share", "by its primitive", "right"], rows)
    verdict = show.verdict(worst[0] >= RIGHT)
    print(f"least right: {show.percent(worst[0])} ({worst[1]}); promised {show.percent(RIGHT)}: {verdict}")


def built():
    """Ids of the workers that make connections."""
    folder = ROOT / "target/workers/bin"
    ids = sorted(one.stem for one in folder.glob("*.json"))
    return [one for one in ids if one not in ("control", "lean", "node")]


def observed(library, case, arguments, folder):
    """The profile of a worker that makes a case again and again."""
    out = folder / "profile.json"
    with worker.Worker(library) as one:
        one.prepare(1, {"library": library, **case})
        per = max(1, one.run(1, 20)["wall_ns"] // 20)
        if library == "java":
            compiled(one, int(5e9 // per))
            per = max(1, one.run(1, 50)["wall_ns"] // 50)
        # Time to begin and to end.
        done = threading.Thread(target=one.run, args=(1, int((arguments.seconds + 3) * 1e9 // per)))
        done.start()
        words = ["observe", "--pid", one.process.pid, "--for", f"{arguments.seconds}s", "--output", out, "--quiet"]
        ran = subprocess.run([arguments.program, *map(str, words)], cwd=ROOT, capture_output=True, text=True, check=False)
        done.join()
    if ran.returncode != 0:
        raise Cannot(f"tlstax observe: {ran.stderr.strip()}")
    return json.loads(out.read_text())


def compiled(one, iterations):
    """Lets a virtual machine compile what it runs, and write the names of that for profilers."""
    one.run(1, iterations)
    try:
        subprocess.run(["jcmd", str(one.process.pid), "Compiler.perfmap"], stdout=subprocess.DEVNULL, check=True)
    except (OSError, subprocess.CalledProcessError) as reason:
        raise Cannot(f"no names of compiled code: jcmd {one.process.pid} Compiler.perfmap: {reason}") from reason


def share_of(profile, cost):
    return sum(weight for found, _, weight in profiles.weights(profile) if found == cost) / max(profiles.total(profile), 1)


def right_of(profile, allowed):
    """Of the samples within TLS and of those that nobody can place."""
    tls = [one for one in profiles.weights(profile) if one[0] not in profiles.NOT_TLS or one[0] in NOT_TOLD]
    right = sum(weight for cost, algorithm, weight in tls if cost not in NOT_TOLD and algorithm in allowed)
    return right / max(sum(weight for *_, weight in tls), 1)


def expected(library, case, primitives):
    """The share of the primitives in the case by the worker's own clocks; none where it lacks one."""
    try:
        with worker.Worker(library) as one:
            whole = each(one, 1, {"library": library, **case}, 0.5)
            parts = sum(each(one, 2, {"library": library, **primitive}, 0.25) for primitive in primitives)
    except Cannot:
        return None
    records = case["buffer"] // case["record"] if case["kind"] == "bulk" else 1
    return parts * records / whole


def each(one, slot, case, seconds):
    """Nanoseconds of CPU time of one iteration."""
    one.prepare(slot, case)
    per = max(1, one.run(slot, 20)["wall_ns"] // 20)
    sample = one.run(slot, max(20, int(seconds * 1e9 // per)))
    return sample["cpu_ns"] / sample["iterations"]


if __name__ == "__main__":
    program.main(main)
