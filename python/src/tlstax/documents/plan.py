"""Types of the document `Plan`, version 1.

What a workload will cost a server, what changes to it would do, and what it would take.

Made from schemas/plan.v1.schema.json by python/scripts/schema_types.py: not to be edited.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, TypedDict, Union


class Basis(TypedDict):
    """What a plan rests on."""

    bytes: float
    connections: Bounds
    cpus: int
    """CPUs of that machine that a server may use."""
    machine: str
    """What its CPU calls itself."""
    measured: str
    """When the model was measured, RFC 3339."""
    rate: str
    """In words: `the busiest 10 s`, `the mean`, `as written`."""
    requests: float
    """Requests, new connections and bytes of bodies in a second."""
    server: str
    """The server of the model, with its version."""


class Bounds(TypedDict):
    """A figure with the ends of its 95 % interval."""

    high: float
    low: float
    value: float


class Checked(TypedDict):
    """A prediction that was held against what was measured later."""

    at: str
    """When, UTC, RFC 3339."""
    measured: Bounds
    predicted: Bounds
    """Nanoseconds for a request, of a workload cores: predicted with its interval, and measured with its own."""
    what: str
    """What was offered: the id of the case, or `workload`."""


class Elsewhere(TypedDict):
    """What a change does elsewhere."""

    bytes_per_connection: float
    """Bytes more that the server sends for each connection."""
    round_trips: float
    """Round trips more before the first byte of a response, on average."""
    said: list[str]
    """In words: which clients are lost, what has to be done beside."""


# A key exchange group (IANA "TLS Supported Groups").
Group: TypeAlias = Literal[
    "X25519",
    "secp256r1",
    "secp384r1",
    "secp521r1",
    "X25519MLKEM768",
    "SecP256r1MLKEM768",
    "SecP384r1MLKEM1024",
    "ffdhe2048",
    "ffdhe3072",
]


# A version of HTTP, by its ALPN protocol id (IANA).
Http: TypeAlias = Literal["http/1.1", "h2"]


# The kind of key in an end-entity certificate; it decides what the server signs with.
Key: TypeAlias = Literal[
    "rsa-2048",
    "rsa-3072",
    "rsa-4096",
    "ecdsa-p256",
    "ecdsa-p384",
    "ed25519",
    "ml-dsa-44",
    "ml-dsa-65",
    "ml-dsa-87",
]


class _MissingRequired(TypedDict):
    cores: float
    """Cores that it stands for."""
    ns: Bounds
    """Nanoseconds, as it is counted."""
    term: Term


class Missing(_MissingRequired, total=False):
    """A term without a cost of its own."""

    kin: Term | None
    """The nearest kin, whose cost stands for it within bounds; none where it has none, and it is left out."""


class _NoteRequired(TypedDict):
    severity: Severity
    """How much it matters."""
    what: str
    """What was found."""


class Note(_NoteRequired, total=False):
    """Something the reader has to know, and what can be done about it."""

    remedy: str
    """What can be done about it; empty if nothing has to."""


# What CPU time is spent on.
Part: TypeAlias = Literal[
    "full-handshakes",
    "resumptions",
    "connections",
    "requests",
    "requests-over-tls",
    "sending",
    "encryption",
]


# Which way the bytes of a response take.
Path: TypeAlias = Literal["sendfile", "copy", "tls"]


class Piece(TypedDict):
    """A piece of a whole."""

    cores: float
    of: Part


class Piece2(TypedDict):
    """A piece of a whole."""

    cores: float
    of: str


class Prediction(TypedDict):
    """What a workload will cost."""

    cores: Bounds
    """Seconds of CPU time in a second."""
    costs: list[list[Term | float]]
    """What each of these terms costs once, nanoseconds; that of its kin where the model has none of its own."""
    full: list[list[Term | float]]
    """How many times each would be done if no session were resumed, and if all were. A lower share than now is a
    mixture of the first and what is now, a higher one of what is now and the second."""
    if_full: Bounds
    """Cores if no session were resumed, and if all were."""
    if_resumed: Bounds
    keys: list[Piece2]
    missing: list[Missing]
    """Terms that the model has no cost of, with what stands for them."""
    parts: list[Piece]
    """By what they are spent on; they add up to the whole."""
    resumed: list[list[Term | float]]
    resumed_share: float
    """The resumed share of connections, 0 to 1."""
    resumption: list[Piece2]
    rows: list[Row]
    """Kinds of connections, the dearest first; they add up to the whole."""
    suites: list[Piece2]
    """By suite, by key and by whether sessions are resumed; the words of the vocabularies."""
    wire_bytes: float
    """Bytes that the server sends in a second with all that TLS and HTTP add, without TCP and IP."""
    work: list[list[Term | float]]
    """How many times each term is done in a second. With the costs below the page computes what a change of the
    resumed share does."""


class Resource(TypedDict):
    """Something that a server has a limited amount of."""

    available: float
    """In the same unit."""
    said: str
    """What to know of it, in words."""
    times: float
    """How many times the workload it would hold."""
    unit: str
    """`cores`, `bit/s`, `bytes`."""
    used: Bounds
    what: str
    """`cpu`, `network`, `memory`, `credits`."""


# How much of a handshake is taken over from an earlier one.
Resumption: TypeAlias = Literal["full", "session-id", "ticket", "psk", "early-data"]


class Row(TypedDict):
    """A kind of connections."""

    connections: float
    """A second."""
    cores: Bounds
    kind: str
    """Protocol, suite, group, key and HTTP version, in words."""
    parts: list[Piece]
    requests: float
    resumed: float


class Scenario(TypedDict):
    """What some changes would make of it."""

    changes: list[str]
    """The changes as they were asked for: `cert=ecdsa-p256`."""
    configuration: list[str]
    """Lines of the server's configuration that make the changes; none where none is needed or known."""
    elsewhere: Elsewhere
    more: Bounds
    """Cores more than now, with the interval of the difference: what both have in common cancels."""
    prediction: Prediction


class SchemaVersion(TypedDict):
    """The version of a document's form. A new minor only adds what an older reader can do without."""

    major: int
    """Changes when an older program would misread the document."""
    minor: int
    """Changes when something was added."""


# How much a note matters.
Severity: TypeAlias = Literal["info", "warning", "problem"]


# A cipher suite by its IANA name.
Suite: TypeAlias = Literal[
    "TLS_AES_128_GCM_SHA256",
    "TLS_AES_256_GCM_SHA384",
    "TLS_CHACHA20_POLY1305_SHA256",
    "TLS_AES_128_CCM_SHA256",
    "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
    "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
    "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
    "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA",
    "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA",
    "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256",
    "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384",
    "TLS_ECDHE_ECDSA_WITH_3DES_EDE_CBC_SHA",
    "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
    "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
    "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
    "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA",
    "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA",
    "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256",
    "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384",
    "TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA",
    "TLS_DHE_RSA_WITH_AES_128_GCM_SHA256",
    "TLS_DHE_RSA_WITH_AES_256_GCM_SHA384",
    "TLS_DHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
    "TLS_DHE_RSA_WITH_AES_128_CBC_SHA",
    "TLS_DHE_RSA_WITH_AES_256_CBC_SHA",
    "TLS_DHE_RSA_WITH_AES_128_CBC_SHA256",
    "TLS_DHE_RSA_WITH_AES_256_CBC_SHA256",
    "TLS_DHE_RSA_WITH_3DES_EDE_CBC_SHA",
    "TLS_RSA_WITH_AES_128_GCM_SHA256",
    "TLS_RSA_WITH_AES_256_GCM_SHA384",
    "TLS_RSA_WITH_AES_128_CBC_SHA",
    "TLS_RSA_WITH_AES_256_CBC_SHA",
    "TLS_RSA_WITH_AES_128_CBC_SHA256",
    "TLS_RSA_WITH_AES_256_CBC_SHA256",
    "TLS_RSA_WITH_3DES_EDE_CBC_SHA",
    "TLS_RSA_WITH_RC4_128_MD5",
    "TLS_RSA_WITH_RC4_128_SHA",
    "TLS_RSA_WITH_NULL_MD5",
    "TLS_RSA_WITH_NULL_SHA256",
]


class TermConnection(TypedDict):
    """A TCP connection, accepted and closed."""

    of: Literal["connection"]


class TermHttp2Connection(TypedDict):
    """What HTTP/2 adds to opening a connection: preface and settings."""

    of: Literal["http2-connection"]


class TermHandshake(TypedDict):
    """A full handshake with X25519 and AES-128-GCM (with AES-128-CBC before TLS 1.2)."""

    key: Key
    of: Literal["handshake"]
    version: Version


class TermResumption(TypedDict):
    """A handshake that resumes; of TLS 1.3 with X25519."""

    of: Literal["resumption"]
    version: Version
    way: Resumption


class TermSession(TypedDict):
    """What a full handshake costs more where others resume: the session is kept or issued as a ticket, and handshakes
    of two kinds take turns."""

    of: Literal["session"]
    version: Version
    way: Resumption


class TermGroup(TypedDict):
    """What a group's key exchange adds to that of X25519."""

    group: Group
    of: Literal["group"]


class TermKeyTransport(TypedDict):
    """What RSA key transport, without any group, adds to X25519 and a signature."""

    key: Key
    of: Literal["key-transport"]


class TermRequest(TypedDict):
    """A request with a response without a body."""

    http: Http
    of: Literal["request"]
    tls: bool


class TermBody(TypedDict):
    """The body of a response of so many bytes, by AES-128-GCM where it is encrypted. The cost of a size between two
    of these is on the line between them."""

    bytes: int
    http: Http
    of: Literal["body"]
    path: Path


class TermSuiteByte(TypedDict):
    """What a byte adds by another suite than AES-128-GCM."""

    of: Literal["suite-byte"]
    suite: Suite


class TermSuiteRecord(TypedDict):
    """What a record adds by another suite than AES-128-GCM."""

    of: Literal["suite-record"]
    suite: Suite


class TermRecord(TypedDict):
    """A record, written by itself: of a response each behind its first."""

    of: Literal["record"]


class TermBuffer(TypedDict):
    """A buffer of 32 KiB that the body is read from its file into, to be encrypted: of a response each behind its
    first."""

    of: Literal["buffer"]


# Something that a server does so many times. The cost of a workload is the sum over terms of how many times each is
# done and what it costs once. What is "added" may be less than nothing.
Term: TypeAlias = Union["TermConnection", "TermHttp2Connection", "TermHandshake", "TermResumption", "TermSession", "TermGroup", "TermKeyTransport", "TermRequest", "TermBody", "TermSuiteByte", "TermSuiteRecord", "TermRecord", "TermBuffer"]


class Tool(TypedDict):
    """The program that made a document."""

    name: str
    """Its name."""
    reference_kernels: int
    """The version of the reference kernels, whose readings compare only within one version."""
    version: str
    """Its version."""


# A protocol version.
Version: TypeAlias = Literal["TLSv1.0", "TLSv1.1", "TLSv1.2", "TLSv1.3"]


class _PlanRequired(TypedDict):
    assumed: list[str]
    """What was assumed in the place of what is not known, a sentence each."""
    basis: Basis
    document: str
    """Always `plan`: tells it from other documents."""
    left_out: list[str]
    """What of the workload no prediction is made for, a sentence each."""
    made: str
    """When, UTC, RFC 3339."""
    notes: list[Note]
    """What the reader has to know."""
    now: Prediction
    """What the workload will cost as it is."""
    resources: list[Resource]
    """What it takes of the machine: the first to saturate first."""
    scenarios: list[Scenario]
    """What changes would make of it, in the order in which they were asked for; or, of advice, the best first."""
    schema: SchemaVersion
    """The version of this form."""
    tool: Tool
    """The program that wrote it."""


class Plan(_PlanRequired, total=False):
    """What a workload will cost a server, what changes to it would do, and what it would take."""

    checked: list[Checked]
    """Predicted beside measured, where that was asked for: each kind, and last the whole."""
