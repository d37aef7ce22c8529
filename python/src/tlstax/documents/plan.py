"""Types of the document `Plan`, version 1.

What a workload will cost a server, what changes to it would do, and what it would take.

Made from schemas/plan.v1.schema.json by python/scripts/schema_types.py: not to be edited.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, TypedDict, Union

from .common import (
    Bounds as Bounds,
    Checked as Checked,
    Group as Group,
    Http as Http,
    Key as Key,
    Note as Note,
    Path as Path,
    Resumption as Resumption,
    SchemaVersion as SchemaVersion,
    Severity as Severity,
    Suite as Suite,
    Term as Term,
    Tool as Tool,
    Version as Version,
)


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


class Elsewhere(TypedDict):
    """What a change does elsewhere."""

    bytes_per_connection: float
    """Bytes more that the server sends for each connection."""
    round_trips: float
    """Round trips more before the first byte of a response, on average."""
    said: list[str]
    """In words: which clients are lost, what has to be done beside."""


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
