"""Types of the document `Model`, version 1.

What each thing that one server does costs it on one machine, with what is not known of it. The cost of work is the
sum over terms of how many times each is done and what it costs; its variance is the sum over pairs of terms of both
numbers and their covariance, and the square of [`unexplained`](Self::unexplained) times the cost.

Made from schemas/model.v1.schema.json by python/scripts/schema_types.py: not to be edited.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, TypedDict, Union

from .common import (
    Bounds as Bounds,
    Bytes as Bytes,
    Cache as Cache,
    Checked as Checked,
    ClockPrecision as ClockPrecision,
    Clocks as Clocks,
    Counters as Counters,
    CpuModel as CpuModel,
    Frequency as Frequency,
    Group as Group,
    Host as Host,
    Http as Http,
    Key as Key,
    Nanos as Nanos,
    NoiseProbe as NoiseProbe,
    Note as Note,
    Path as Path,
    Resumption as Resumption,
    SchemaVersion as SchemaVersion,
    Severity as Severity,
    SocketMemory as SocketMemory,
    Spread as Spread,
    Suite as Suite,
    Term as Term,
    Tool as Tool,
    Topology as Topology,
    Version as Version,
    Virtualisation as Virtualisation,
)


class _FittedRequired(TypedDict):
    case: str
    """The id of its case."""
    high: float
    low: float
    measured: float
    """Nanoseconds of the server's CPU time for a request, with the interval."""
    model: float
    """By the model."""


class Fitted(_FittedRequired, total=False):
    """A load that the model was fitted to."""

    without: float | None
    """By the model without this load; none where a term was seen by it alone."""


_OriginLoadsRequiredNames = TypedDict("_OriginLoadsRequiredNames", {
    "from": Literal["loads"],
})


class OriginLoads(_OriginLoadsRequiredNames):
    """Loads on the very server."""


_OriginInMemoryRequiredNames = TypedDict("_OriginInMemoryRequiredNames", {
    "from": Literal["in-memory"],
})


class OriginInMemory(_OriginInMemoryRequiredNames):
    """In-memory results of a library, brought to the server by what other terms cost in both."""

    case: str
    """The id of the case."""
    library: str


# Where the cost of a term comes from.
Origin: TypeAlias = Union[OriginLoads, OriginInMemory]


class Regime(TypedDict):
    """In which state of the server the costs hold."""

    client: str
    """The client that loaded it."""
    connections: int
    """Connections that were open at a time."""
    rate: int
    """Whether the server was busy all the time (a closed loop); otherwise the requests a second that were offered."""
    sendfile: bool
    """Whether plain HTTP used sendfile(2)."""
    tls_buffer: int
    """Bytes of its buffer for records; 0 is the server's own choice."""
    workers: int
    """Processes or threads of the server."""


class TermCost(TypedDict):
    """What a term costs."""

    ns: float
    """Nanoseconds of the server's CPU time; of bytes and records, of one."""
    origin: Origin
    """Where the figure comes from."""
    term: Term


class _ModelRequired(TypedDict):
    covariance: list[list[float]]
    """Covariances of the costs, nanoseconds squared: the row of each term up to its own column."""
    document: str
    """Always `model`: tells it from other documents."""
    fitted: list[Fitted]
    """What it was fitted to."""
    host: Host
    """The machine."""
    measured: str
    """When the loads that it was fitted to had ended, UTC, RFC 3339."""
    regime: Regime
    schema: SchemaVersion
    """The version of this form."""
    server: str
    """The server, and what it says of itself."""
    terms: list[TermCost]
    """The costs, in order of terms."""
    tool: Tool
    """The program that wrote it."""
    unexplained: float
    """Standard deviation of what the terms leave unexplained of the cost of a load, relative to it: found by leaving
    out one load at a time; and of the clock of the machine, which all loads have in common."""


class Model(_ModelRequired, total=False):
    """What each thing that one server does costs it on one machine, with what is not known of it. The cost of work is
    the sum over terms of how many times each is done and what it costs; its variance is the sum over pairs of terms
    of both numbers and their covariance, and the square of [`unexplained`](Self::unexplained) times the cost."""

    checked: list[Checked]
    """What became of its predictions."""
    core_round_trip_ns: float | None
    """How far the cores of server and client were apart: nanoseconds of a cache line's way there and back. Costs are
    others where it is another one."""
    holes: list[list[str]]
    """Loads that were to be fitted and have no figure: the ids of their cases with the reasons."""
    library: str | None
    """The TLS library that the server was found to use, where that is known."""
    notes: list[Note]
    """What the reader has to know."""
    server_version: str | None
    sharper: list[list[str | float]]
    """What would make predictions sharper most, the first thing first: ids of cases, and by how much of its width the
    interval of a usual workload would shrink."""
