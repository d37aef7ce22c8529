"""Types of the document `Workload`, version 1.

What servers were really asked for: connections, handshakes, requests and bytes, counted. Everything in it adds up, so
that the workload of several parts is the same whatever the parts were. Nothing in it is about a person: no address,
no URL, no name of a server.

Made from schemas/workload.v1.schema.json by python/scripts/schema_types.py: not to be edited.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, TypedDict, Union

from .common import (
    SchemaVersion as SchemaVersion,
    Tool as Tool,
)


_BucketRequiredNames = TypedDict("_BucketRequiredNames", {
    "in": int,
})


class Bucket(_BucketRequiredNames):
    """What happened in one bucket."""

    at: int
    """When it begins: seconds since 1970, a multiple of the width."""
    connections: int
    """Connections that are known to have begun in it."""
    full: int
    """Those of them that are known to have made a full handshake."""
    out: int
    """Bytes that servers sent."""
    requests: int
    resumed: int
    """Those of them that are known to have resumed a session."""


HttpVersion: TypeAlias = Literal["1.1", "2", "3", "1.0"]


# The protocol below HTTP.
Protocol: TypeAlias = Literal["SSLv3", "TLSv1.0", "TLSv1.1", "TLSv1.2", "TLSv1.3", "none"]


# Whether a handshake took over an earlier session, and how.
Resumed: TypeAlias = Literal["full", "resumed", "session-id", "ticket", "psk", "early-data"]


class Series(TypedDict):
    """What happened in successive buckets of time. They are as short as [`MOST_BUCKETS`] allow; which that is follows
    from what is in them alone, so that series add up exactly."""

    buckets: list[Bucket]
    """Those with anything in them, in order."""
    undated: int
    """Requests and connections of which nothing tells when they were."""
    width_s: int
    """How long each bucket is, seconds."""


_ShareOptionalNames = TypedDict("_ShareOptionalNames", {
    "class": "str | None",
    "in": "Total",
}, total=False)


class _ShareRequired(_ShareOptionalNames):
    connections: int
    """Connections that are known to have begun, each with its handshake."""
    requests: int


class Share(_ShareRequired, total=False):
    """A kind of connection, and how much there was of it."""

    connections_without_requests: int
    """Of those, the ones of which no request is known: the source sees the connection only."""
    failed_handshakes: int
    """Handshakes that did not succeed; they are no connections."""
    group: str | None
    """The group of the key exchange, by its IANA name."""
    http: HttpVersion | None
    key: str | None
    """The server's key: `rsa-2048`, `ecdsa-p256`, or `rsa` and `ecdsa` where nothing tells which."""
    out: Total
    """Bytes that servers sent."""
    protocol: Protocol | None
    requests_without_connection: int
    """Of those, the ones of which nothing tells whether they began a connection: there were up to so many connections
    more."""
    resumed: Resumed | None
    suite: str | None
    """The cipher suite, by its IANA name."""


class Sketch(TypedDict):
    """How many values there were of which size: counts by the classes of an HDR histogram with two significant
    digits, which are exact below 256 and not wider than 1/128 of the value above. Sums, counts and extremes are
    exact. Sketches add up exactly."""

    classes: list[list[int]]
    """The smallest value of each class with values in it, and how many those are; in order."""
    count: int
    """How many values."""
    max: int
    """The largest of them; 0 where there is none."""
    min: int
    """The smallest of them; 0 where there is none."""
    sum: int
    """Their sum."""


class _SourceRequired(TypedDict):
    bytes: int
    """Bytes of it, uncompressed."""
    entries: int
    """Lines, rows or packets, good and bad ones."""
    format: str
    """`nginx`, `apache`, `haproxy`, `caddy`, `envoy`, `alb`, `zeek`, `json`, `capture`, `table`, `by-hand`."""
    tells: list[Tell]
    """What it could tell."""


class Source(_SourceRequired, total=False):
    """What a workload was counted from. Files of the same format that tell the same are one source."""

    bad: dict[str, int]
    """Those that could not be read, by what was wrong with them."""
    passed_over: dict[str, int]
    """Those that were read and do not count, by the reason."""


# Something that a source can tell of a request or a connection.
Tell: TypeAlias = Literal[
    "time",
    "protocol",
    "suite",
    "group",
    "key",
    "resumed",
    "http",
    "connection",
    "requests",
    "bytes-out",
    "body-out",
    "bytes-in",
    "body-in",
    "records",
    "certificate-bytes",
    "class",
]


class Total(TypedDict):
    """A sum, and of how many: where that is fewer than there were, the rest is not known."""

    bytes: int
    of: int
    """How many requests or connections tell it."""


class Workload(TypedDict):
    """What servers were really asked for: connections, handshakes, requests and bytes, counted. Everything in it adds
    up, so that the workload of several parts is the same whatever the parts were. Nothing in it is about a person: no
    address, no URL, no name of a server."""

    certificate_bytes: Sketch
    """Bytes of the `Certificate` message of servers, where it is sent in the clear (before TLS 1.3)."""
    document: str
    """Always `workload`: tells it from other documents."""
    records_in: Sketch
    """The same of clients."""
    records_out: Sketch
    """Bytes of TLS records with application data that servers sent, with the 5 bytes of their headers."""
    request_bytes: Sketch
    """Bytes of requests."""
    request_ordinals: Sketch
    """Of requests whose source tells it: the how many-th of its connection each was. As many are the first as there
    are connections, and as many are the k-th as there are connections with at least k requests."""
    response_bytes: Sketch
    """Bytes of responses."""
    schema: SchemaVersion
    """The version of this form."""
    series: Series
    """What happened when."""
    shares: list[Share]
    """Counts of each kind of connection, in order."""
    sources: list[Source]
    """What it was counted from, one for each format and what that tells, in order."""
    tool: Tool
    """The program that wrote it."""
