"""Workloads drawn at random, and loads as a study.

What belongs here: which workloads there are to draw from, and how a case, a flat row as documents have it, is written as a `[[load]]` of
a study. What does not: measuring them.
"""

import json
import math

# What is drawn from; of TLS 1.2 the suite names the key.
SUITES = [
    "TLS_AES_128_GCM_SHA256",
    "TLS_AES_256_GCM_SHA384",
    "TLS_CHACHA20_POLY1305_SHA256",
    "TLS_ECDHE_{}_WITH_AES_128_GCM_SHA256",
    "TLS_ECDHE_{}_WITH_AES_256_GCM_SHA384",
]
KEYS = {"rsa-2048": "RSA", "ecdsa-p256": "ECDSA"}
GROUPS = ["X25519", "secp256r1"]
# Of TLS 1.3 alone; libraries that are older do not have it.
HYBRID = "X25519MLKEM768"
HTTP = ["http/1.1", "h2"]
# Of a hundred connections; of body sizes, bytes.
MOST_RESUMED, MOST_REQUESTS, SIZES = 95, 100, (200, 1_000_000)
CONNECTIONS = 16

# Fields of a case by the keys of a study; those that a case leaves out are as usual.
LISTS = {
    "version": "versions",
    "suite": "suites",
    "group": "groups",
    "key": "keys",
    "resumption": "resumptions",
    "resumed_percent": "resumed_percent",
    "client": "clients",
    "connections": "connections",
    "http": "http",
    "requests_per_connection": "requests_per_connection",
    "body": "bodies",
    "direction": "directions",
    "rate": "rates",
    "page": "pages",
    "response_headers": "response_headers",
    "form": "form",
    "sendfile": "sendfile",
    "tls_buffer": "tls_buffers",
    "workers": "workers",
    "pinned": "pinned",
    "sessions": "sessions",
    "threads": "threads",
    "work_us": "work_us",
}


def draw(random, number, known=(), has_hybrid=True):
    """So many different cases, none of them one of those known."""
    taken, drawn = {key_of(case) for case in known}, []
    while len(drawn) < number:
        case = one(random, has_hybrid)
        if key_of(case) not in taken:
            taken.add(key_of(case))
            drawn.append(case)
    return drawn


def one(random, has_hybrid):
    suite, key = random.choice(SUITES), random.choice(list(KEYS))
    is_old = "{}" in suite
    resumed = random.randint(0, MOST_RESUMED)
    ways = ["session-id", "ticket"] if is_old else ["psk"]
    case = {
        "version": "TLSv1.2" if is_old else "TLSv1.3",
        "suite": suite.format(KEYS[key]),
        "group": random.choice([*GROUPS, HYBRID] if has_hybrid and not is_old else GROUPS),
        "key": key,
        "client": "lean",
        "connections": CONNECTIONS,
        "http": random.choice(HTTP),
        "requests_per_connection": round(log_uniform(random, 1, MOST_REQUESTS)),
        "body": round(log_uniform(random, *SIZES)),
    }
    return {**case, "resumption": random.choice(ways), "resumed_percent": resumed} if resumed else {**case, "resumption": "full"}


def of_hybrid():
    """A case that tells whether a server has the hybrid group."""
    tls = {"version": "TLSv1.3", "suite": SUITES[0], "group": HYBRID, "key": "rsa-2048"}
    return {**tls, "client": "lean", "connections": 1, "requests_per_connection": 1, "body": 0, "resumption": "full"}


def log_uniform(random, least, most):
    return math.exp(random.uniform(math.log(least), math.log(most)))


def key_of(case):
    """What two cases have in common if they are the same: every field of a study, as it is if it is absent."""
    usual = {"http": "http/1.1", "resumption": "full", "direction": "download"}
    fields = {field: case[field] for field in LISTS if field in case}
    return tuple(sorted((k, str(v)) for k, v in {**usual, **fields}.items() if (k, v) not in (("work_us", 0), ("rate", 0))))


def name(case):
    """A workload in a column."""
    suite = case["suite"].removeprefix("TLS_").replace("_WITH", "").rsplit("_", 1)[0]
    resumed = f"{case['resumed_percent']} % {case['resumption']}" if case["resumption"] != "full" else "full"
    requests = case["requests_per_connection"]
    return f"{suite} {case['key']} {case['group']}, {resumed}, {case['http']}, {requests} x {case['body']} B"


def study(server, cases, budget):
    """A study of cases, as text."""
    head = [
        'name = "plan-bench"',
        'question = "What does the server spend on workloads drawn at random?"',
        f'libraries = ["{server}"]',
        f"budget_s = {budget}",
        "precision = 0.005",
    ]
    return "\n".join(head) + "\n" + "".join(load(case) for case in cases)


def load(case):
    """A case as a block of a study. JSON is TOML, for texts, numbers and truth values."""
    known = {*LISTS, "library", "kind"}
    if unknown := [field for field in case if field not in known]:
        raise ValueError(f"the study of bench/plan.py cannot say {', '.join(unknown)}: add it to LISTS in bench/plan_workloads.py")
    lines = [f"{LISTS[field]} = [{json.dumps(value)}]" for field, value in case.items() if field in LISTS]
    return "\n[[load]]\n" + ("" if "version" in case else "plain = true\n") + "\n".join(lines) + "\n"
