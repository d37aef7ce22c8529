"""Profiles of `tlstax observe`, as the benches read them.

What belongs here: what is TLS and what is not, what a stack is called in a table, sums of weights. What does not: what a bench asks of them.
"""

# Costs that are there without TLS, too.
NOT_TLS = {"socket", "softirq", "kernel", "http2", "compression", "cryptography", "application", "unknown"}

# Files that say what a moment is spent on, and not whose it is.
C_LIBRARY = ("libc.so", "libc-", "libpthread", "ld-linux", "[vdso]", "libm.so")


def weights(profile):
    """The cost, the algorithm and the weight of each stack."""
    for stack in profile["stacks"]:
        yield stack["cost"], stack.get("algorithm"), stack["weight"]


def total(profile):
    return sum(weight for *_, weight in weights(profile))


def tls_share(profile):
    """Percent of the samples."""
    tls = sum(weight for cost, _, weight in weights(profile) if cost not in NOT_TLS)
    return tls / total(profile) * 100


def sampled_by_account(profile):
    """CPU time by samples, by that of the kernel's account of the same processes in the same time."""
    processes = [process for capture in profile["captures"] for process in capture["processes"]]
    account = sum(process.get("cpu_ns", 0) for process in processes)
    return total(profile) / account if account and profile["unit"] == "nanoseconds" else None


def summed(profile, name_of):
    """Weights by the name that a stack goes by."""
    sums = {}
    for stack in profile["stacks"]:
        name = name_of(profile, stack)
        sums[name] = sums.get(name, 0) + stack["weight"]
    return sums


def is_in_c_library(profile, stack):
    """Whether its innermost function is the C library's."""
    module = profile["frames"][stack["frames"][-1]].get("module") if stack["frames"] else None
    return (module or "").startswith(C_LIBRARY)
