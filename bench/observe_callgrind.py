#!/usr/bin/env python3
"""Whether the rules of `tlstax observe` say of whole and exact call trees what the trees themselves say.

A worker with symbols does a known mix, handshakes and records, under callgrind, which counts every instruction in the context of all its
callers. The tree goes two ways. Here the inclusive cost of the functions by which the protocol asks cryptography for something is summed
by a table of their names, less what is allocation, locks, random numbers and provider fetch in them. And the same contexts are given
to `tlstax observe` as folded stacks. Of each class both must have the same share of TLS, within 3 points.

The same mix is then sampled as it runs without callgrind. That is time and not instructions, on a CPU with more of them than callgrind
knows: it stands beside the others, and nothing is promised of it. Needs valgrind, the worker, and for the last the right to sample.
"""

import argparse
import json
import subprocess
import threading
from pathlib import Path

import cases
import profiles
import program
import show
import worker
from program import ROOT, TLSTAX, Cannot

POINTS = 3.0

# What the others leave, on which there is no table: no class. What TLS calls back in the worker is in it here, and not in the profile.
REST = "the rest of TLS"

HANDSHAKES, BUFFERS = 10, 10
CASES = [({**cases.FULL}, HANDSHAKES), ({**cases.BULK}, BUFFERS)]

# No frame of the worker lies deeper.
CALLERS = 48

# Of the functions of OpenSSL on the way inwards, the outermost of these says what for; the words are those of classes.
ASKED = {
    "signature": ("EVP_DigestSign",),
    "verification": ("EVP_DigestVerify", "X509_verify", "ASN1_item_verify"),
    "key-exchange": ("EVP_PKEY_derive", "EVP_PKEY_keygen", "EVP_PKEY_generate", "ssl_generate_pkey", "EVP_PKEY_Q_keygen", "EVP_PKEY_CTX_", "EVP_PKEY_free"),
    "record-cipher": ("EVP_CipherUpdate", "EVP_CipherFinal", "EVP_CIPHER_CTX_set_params"),
    "key-schedule": ("EVP_KDF_", "tls13_hkdf", "tls13_generate", "tls13_derive", "tls13_final", "tls13_change", "tls13_setup", "ssl_handshake_hash", "EVP_Digest", "EVP_MD_CTX_", "EVP_MAC_", "HMAC", "EVP_CipherInit"),
}

# What counts as itself wherever it occurs, by how names begin.
OVERHEAD = {
    "allocation": ("CRYPTO_malloc", "CRYPTO_zalloc", "CRYPTO_free", "CRYPTO_realloc", "CRYPTO_clear_", "CRYPTO_memdup", "malloc", "free", "calloc", "realloc"),
    "locks": ("CRYPTO_THREAD_", "CRYPTO_atomic", "pthread_"),
    "random": ("RAND_", "EVP_RAND_", "ossl_rand_"),
    "provider": ("inner_evp_generic_fetch", "evp_generic_fetch", "ossl_method_store", "ossl_provider_", "ossl_namemap_", "EVP_MD_fetch", "EVP_KDF_fetch"),
}


def bench():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--library", default="openssl-3.6", help="a build of OpenSSL with symbols")
    parser.add_argument("--seconds", type=float, default=8, help="of the samples")
    parser.add_argument("--quick", action="store_true", help="four seconds of samples")
    arguments = parser.parse_args()
    seconds = 4.0 if arguments.quick else arguments.seconds
    show.heading(f"{arguments.library}: {HANDSHAKES} handshakes and {BUFFERS} buffers of 256 KiB, instruction by instruction")
    with program.scratch() as folder:
        contexts = list(counted(arguments.library, folder))
        judged = classified(contexts, folder)
        sampled = observed(arguments.library, folder, seconds)
    print_table(asked_of(contexts), judged, sampled)


def counted(library, folder):
    """Every context, the innermost function first, and the instructions that its innermost function executed itself."""
    out = folder / "callgrind.out"
    words = ["valgrind", "--tool=callgrind", "--quiet", "--instr-atstart=no", f"--separate-callers={CALLERS}", "--compress-strings=no"]
    words += ["--compress-pos=no", f"--callgrind-out-file={out}"]
    with worker.Worker(library, under=words) as one:
        for slot, (case, _) in enumerate(CASES, 1):
            one.prepare(slot, {"library": library, **case})
            one.run(slot, 2)
        switch(one, "on")
        for slot, (_, times) in enumerate(CASES, 1):
            one.run(slot, times)
        switch(one, "off")
    yield from contexts_of(out)


def switch(one, state):
    done = subprocess.run(["callgrind_control", "-i", state, str(one.process.pid)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Cannot(f"callgrind_control -i {state}: {done.stderr.strip()}")


def contexts_of(out):
    """Callgrind's own format: `ob=` and `fn=` say where the lines of costs below are; the line after `calls=` is of the callee."""
    module, functions, is_of_callee = "?", [], False
    with out.open() as lines:
        for line in lines:
            if line.startswith("ob="):
                module = Path(line[3:].strip()).name
            elif line.startswith("fn="):
                functions = [name for name in line[3:].strip().split("'") if not is_no_function(name)]
            elif line.startswith("calls="):
                is_of_callee = True
            elif line[:1].isdigit() or line[:1] in "+-*":
                if not is_of_callee:
                    yield module, functions, int(line.split()[1])
                is_of_callee = False


def is_no_function(name):
    """Stubs without a name, and the numbers of recursions."""
    return name.startswith("0x") or name.isdigit() or not name


def asked_of(contexts):
    """Instructions by class, as the functions in each context have it."""
    sums = {}
    for _, functions, count in contexts:
        inwards = functions[::-1]
        if not any(name.startswith("SSL_") for name in inwards):
            continue
        name = overhead_of(functions) or asked_in(inwards) or REST
        sums[name] = sums.get(name, 0) + count
    return sums


def overhead_of(functions):
    found = (cost for name in functions for cost, beginnings in OVERHEAD.items() if name.startswith(beginnings))
    return next(found, None)


def asked_in(inwards):
    found = (cost for name in inwards for cost, beginnings in ASKED.items() if name.startswith(beginnings))
    return next(found, None)


def classified(contexts, folder):
    """The profile that tlstax makes of the same contexts."""
    folded, profile = folder / "callgrind.folded", folder / "callgrind.json"
    with folded.open("w") as to:
        for module, functions, count in contexts:
            if functions and count:
                frames = [name.replace(";", ",").replace("`", "") for name in functions[::-1]]
                frames[-1] = f"{module}`{frames[-1]}"
                to.write(f"{';'.join(frames)} {count}\n")
    program.tlstax("observe", folded, "--output", profile, "--quiet", "--json")
    return by_class(json.loads(profile.read_text()))


def observed(library, folder, seconds):
    """The same mix, sampled."""
    out = folder / "sampled.json"
    with worker.Worker(library) as one:
        each = [prepared(one, slot, library, case, times) for slot, (case, times) in enumerate(CASES, 1)]
        turns = max(1, int((seconds + 3) / sum(each)))
        done = threading.Thread(target=lambda: [one.run(slot, times) for _ in range(turns) for slot, (_, times) in enumerate(CASES, 1)])
        done.start()
        words = ["observe", "--pid", one.process.pid, "--for", f"{seconds}s", "--output", out, "--quiet"]
        ran = subprocess.run([TLSTAX, *map(str, words)], cwd=ROOT, capture_output=True, text=True, check=False)
        done.join()
    return by_class(json.loads(out.read_text())) if ran.returncode == 0 else {}


def prepared(one, slot, library, case, times):
    """Seconds of a part of the mix."""
    one.prepare(slot, {"library": library, **case})
    one.run(slot, times)
    return one.run(slot, times)["wall_ns"] / 1e9


def by_class(profile):
    sums = {}
    for cost, _, weight in profiles.weights(profile):
        if cost not in profiles.NOT_TLS:
            name = cost if cost in {**ASKED, **OVERHEAD} else REST
            sums[name] = sums.get(name, 0) + weight
    return sums


def print_table(asked, judged, sampled):
    rows, worst = [], (0.0, "")
    for name in [*ASKED, *OVERHEAD, REST]:
        shares = [found.get(name, 0) / sum(found.values()) * 100 if found else None for found in (asked, judged, sampled)]
        apart = shares[1] - shares[0]
        if name != REST:
            worst = max(worst, (abs(apart), name))
        rows.append([name, *map(show.number, shares[:2]), show.Right(f"{apart:+.2f}"), show.number(shares[2])])
    show.table(["class", "call tree, % of TLS", "observe of it", "points", "samples, time"], rows)
    print(f"worst class {worst[0]:.2f} points apart ({worst[1]}), asked {POINTS:g}: {show.verdict(worst[0] <= POINTS)}")


if __name__ == "__main__":
    program.main(bench)
