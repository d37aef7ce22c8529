"""Types of the document `Results`, version 1.

One run of one study on one machine.

Made from schemas/results.v1.schema.json by python/scripts/schema_types.py: not to be edited.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, TypedDict, Union

from .common import (
    Bytes as Bytes,
    Cache as Cache,
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
    Resumption as Resumption,
    SchemaVersion as SchemaVersion,
    Severity as Severity,
    SocketMemory as SocketMemory,
    Spread as Spread,
    Suite as Suite,
    Tool as Tool,
    Topology as Topology,
    Version as Version,
    Virtualisation as Virtualisation,
)


# A cryptographic primitive, or something that is set up before a connection. Sizes of keys are part of the name.
Algorithm: TypeAlias = Literal[
    "aes-128-gcm",
    "aes-256-gcm",
    "aes-128-ccm",
    "chacha20-poly1305",
    "aes-128-cbc",
    "aes-256-cbc",
    "aes-128-cbc-hmac-sha1",
    "aes-256-cbc-hmac-sha1",
    "aes-128-cbc-hmac-sha256",
    "aes-256-cbc-hmac-sha256",
    "3des-cbc",
    "rc4",
    "md5",
    "sha1",
    "sha256",
    "sha384",
    "sha512",
    "hmac-sha1",
    "hmac-sha256",
    "hmac-sha384",
    "hkdf-sha256",
    "hkdf-sha384",
    "rsa-2048",
    "rsa-3072",
    "rsa-4096",
    "ecdsa-p256",
    "ecdsa-p384",
    "ed25519",
    "ml-dsa-44",
    "ml-dsa-65",
    "ml-dsa-87",
    "slh-dsa-sha2-128f",
    "ecdh-p256",
    "ecdh-p384",
    "x25519",
    "ml-kem-768",
    "server-context",
    "client-context",
    "ca-bundle",
    "certificate",
]


class _BatchRequired(TypedDict):
    cpu_ns: Nanos
    """CPU nanoseconds of everything that did the work."""
    iterations: int
    """Operations in the batch."""
    slice: int
    """The number of the slice before the batch."""
    wall_ns: Nanos
    """Elapsed nanoseconds."""


class Batch(_BatchRequired, total=False):
    """One batch: where it stood in the run, and its sample."""

    bytes: Bytes
    """Payload bytes, or bytes of memory for idle connections."""
    client_core_latency_ns: list[Nanos] | None
    """The latency-bound reference kernel on the core of a load's client, before the batch and after it."""
    client_core_round_trip_ns: list[Nanos] | None
    """A cache line's way from the measuring core to that of a load's client and back."""
    client_core_throughput_ns: list[Nanos] | None
    """The throughput-bound one."""
    client_instructions: int | None
    """The client's."""
    client_ns: Nanos | None
    """CPU nanoseconds of the client."""
    client_parts_ns: list[Nanos] | None
    """The client's in each part."""
    client_system_ns: Nanos | None
    """The system part of `client_ns`."""
    client_user_ns: Nanos | None
    """The user part of `client_ns`."""
    client_waited_ns: Nanos | None
    """CPU nanoseconds that a load's client spent looking for responses in vain, instead of sleeping; in no other
    figure of the sample."""
    instructions: int | None
    """Instructions executed in user space, where they were counted."""
    latency: str | None
    """Latencies in microseconds: HdrHistogram, V2, base64."""
    observed_ns: Nanos | None
    """The orchestrator's reading of the worker's CPU time, warm-up and request included."""
    observed_server_ns: Nanos | None
    """The part of a load's server in it, by its control group."""
    parts_ns: list[Nanos] | None
    """Nanoseconds of successive parts of the batch, each of the same number of iterations."""
    server_instructions: int | None
    """The server's."""
    server_ns: Nanos | None
    """CPU nanoseconds of the server."""
    server_parts_ns: list[Nanos] | None
    """The server's in each part."""
    server_system_ns: Nanos | None
    """The system part of `server_ns`."""
    server_user_ns: Nanos | None
    """The user part of `server_ns`."""
    system_ns: Nanos | None
    """The system part of `cpu_ns`."""
    user_ns: Nanos | None
    """The user part of `cpu_ns`."""


# What a connection does to data before it encrypts them: TLS compression, up to TLS 1.2 (RFC 5246, 6.2.2).
Compression: TypeAlias = Literal["none", "deflate"]


# What is sent over a connection that compresses.
Content: TypeAlias = Literal["text", "random", "zeros"]


# Which connections have one context (configuration) in common.
Contexts: TypeAlias = Literal["shared", "per-thread", "per-connection"]


class _CountedRequired(TypedDict):
    by: CountedBy
    """`hardware` or `callgrind`."""
    what: str
    """`instructions`, executed in user space."""


class Counted(_CountedRequired, total=False):
    """What a run counted, and by what. Its batches have times as well, which say nothing: under callgrind they are
    some fifty times as long."""

    version: str | None
    """The version of what counted, as it says."""


# What counts.
CountedBy: TypeAlias = Literal["hardware", "callgrind"]


# Which way application data flows.
Direction: TypeAlias = Literal["download", "upload"]


class _FlatCaseRequired(TypedDict):
    kind: str
    """primitive, handshake, bulk, idle or load."""
    library: str
    """The id of the library."""


class FlatCase(_FlatCaseRequired, total=False):
    """A case as a flat row. Which fields are set depends on `kind`; see the types of the same names. Absent is as
    usual: one thread, shared contexts, no compression, a download over HTTP/1.1 in a closed loop, resumed on all
    connections, of a file, from a server as most people run it, with sendfile, on one core."""

    algorithm: Algorithm | None
    """The algorithm."""
    body: int | None
    """Bytes in the body: up to 2G. A server that runs already sends what it has: with one, it is for uploads."""
    buffer: int | None
    """The bytes written before the other side reads them all: up to 64M, more than the cache holds to see main
    memory."""
    chain: int | None
    """Certificates that the server sends, end entity included, root excluded: 1 to 3."""
    client: str | None
    """The id of a load's client."""
    compression: Compression | None
    """What TLS up to 1.2 does to the data before it encrypts them: none, deflate."""
    connections: int | None
    """Connections open at the same time."""
    content: Content | None
    """What is sent where it is compressed: text, random, zeros. Without compression it makes no difference."""
    contexts: Contexts | None
    """Which handshakes have one context in common: shared (all threads), per-thread, per-connection."""
    direction: Direction | None
    """Which way application data flows."""
    form: bool | None
    """Whether an upload is a form with a file in it (multipart/form-data), as `curl -F` posts it, and not the file
    alone."""
    group: Group | None
    """The key exchange group; absent with RSA key transport."""
    http: Http | None
    """The version of HTTP."""
    key: Key | None
    """The key in the server's certificate."""
    mutual: bool | None
    """Whether the client authenticates with a certificate, too."""
    op: Op | None
    """The operation."""
    page: Page | None
    """Where a real server's response comes from: a file, or a program behind FastCGI."""
    pattern: Pattern | None
    """How the calls are laid out: as TLS makes them, or as `openssl speed` does."""
    pinned: bool | None
    """Whether the server is kept on its own core; several workers get all cores."""
    rate: int | None
    """Open loop: requests per second that are begun, answered or not; 0 is a closed loop."""
    record: int | None
    """The largest plaintext in one record, in bytes: 512 to 16k."""
    requests_per_connection: int | None
    """Requests on one connection before it is closed and a new one opened; 0 is no limit (keep-alive)."""
    response_headers: int | None
    """Bytes of header that the server adds to a response, as one field line: 32 to 8k; 0 adds none."""
    resumed_percent: int | None
    """With a resumption: of a hundred connections so many resume, the others make full handshakes."""
    resumption: Resumption | None
    """What is taken over from an earlier handshake: full (nothing); TLS 1.2: session-id, ticket; TLS 1.3: psk, early-
    data."""
    sendfile: bool | None
    """Whether plain HTTP sends files by sendfile(2), without copying them through the process."""
    sessions: Sessions | None
    """Which workers know a session: all (shared), or the one that made it (per-worker)."""
    side: Side | None
    """The side that is kept; the other is dropped after the handshake."""
    size: int | None
    """The length of the message in bytes, up to 64M; 0 for algorithms without one."""
    suite: Suite | None
    """The cipher suite."""
    threads: int | None
    """Threads that do the same work at the same time; for a load, the client's."""
    tls_buffer: int | None
    """The most bytes encrypted into one record, up to 16k, as nginx's ssl_buffer_size; 0 is the server's own
    choice."""
    version: Version | None
    """The protocol version; absent in a load over plain HTTP."""
    work_us: int | None
    """CPU microseconds that an embedded server's application spends on a request: a dynamic page."""
    workers: int | None
    """Worker processes, or threads in a server that has threads."""
    write: int | None
    """The bytes handed to the library in one write: up to 64M."""


class _HelloRequired(TypedDict):
    family: str
    """The family of the library, for example `openssl`."""
    protocol: int
    """The worker's protocol version."""
    version: str
    """Name and version as the library itself says at run time."""


class Hello(_HelloRequired, total=False):
    """What a worker says of itself."""

    build: str
    """How the library was built, as far as it says: compiler, options."""
    compresses: bool
    """Whether connections are compressed where a program leaves the library's settings as they are."""
    compressions: list[str]
    """TLS compression that connections can be made with, beside none."""
    cpu: str
    """The capability words that the library read from the CPU and uses, as it says; empty if it does not say."""
    groups: list[str]
    """Key exchange groups."""
    keys: list[str]
    """Certificate keys."""
    loads: list[str]
    """What the worker can do as the client of a load, beyond downloads over HTTP/1.1 in a closed loop: `h2`, `rate`
    (open loop), `upload`, `early-data`, `mix` (full and resumed connections), `threads`, `target` (servers that are
    not tlstax's own); and `response-headers` and `parts`, at both ends."""
    omits: list[str]
    """What the worker leaves out as a client that a full one does, a sentence each."""
    patterns: list[str]
    """Call patterns of the primitives."""
    primitives: list[str]
    """Primitives as `algorithm:operation`."""
    resumptions: list[str]
    """Kinds of resumption."""
    scripted: bool
    """Whether the worker's costs are made up. Readings of the reference kernels must then be made up with them, and
    the worker answers the request for one."""
    suites: list[str]
    """Cipher suites."""
    versions: list[str]
    """Protocol versions."""
    without: list[str]
    """What the library does without, read back from it: names of [`crate::Switch`]. All that the environment variable
    TLSTAX_WITHOUT asked for must be among them."""


class _LibraryRequired(TypedDict):
    id: str
    """Its id in the registry."""


class Library(_LibraryRequired, total=False):
    """A library as it was found on this machine."""

    base: str | None
    """The library, or the server, that this one is a variant of: with something switched off, or with another TLS
    library."""
    hello: Hello | None
    """What it says of itself at run time; absent if it was never asked."""
    kind: LibraryKind
    """What it is; absent for a TLS library."""
    made: Made | None
    """How it came to be; absent for a worker that tlstax did not build."""
    receipt: Receipt | None
    """What was really run."""
    unavailable: str | None
    """Why it cannot be used, with the remedy; absent for one that can."""
    uses: str | None
    """The TLS library that a server loads in place of the one it was built with."""
    without: list[Switch]
    """What it was started without, beyond what its base does without."""


# What is measured, or takes part, under the id of a library.
LibraryKind: TypeAlias = Literal["library", "control", "server", "client"]


class _MadeRequired(TypedDict):
    compiler: str
    """The compiler, as it says itself."""
    inputs: str
    """The 128-bit xxh3 of all that the worker was built from, in hex."""
    passed: int
    """Checks of the conformance suite that the worker passed."""
    program: str
    """The 128-bit xxh3 of the worker's program, in hex."""
    skipped: int
    """Checks that its claims did not call for."""
    source: str
    """Where the library comes from, with its exact version: `crate:NAME@=VERSION`, or a package of the system. Empty
    where the worker's own lock file brings it."""


class Made(_MadeRequired, total=False):
    """How a library and its worker came to be, noted by the builder when the worker had passed the conformance
    suite."""

    licence: str | None
    """The licence of the library, as an SPDX expression."""
    options: list[str]
    """The recipe and the options it was configured with."""
    seconds: int | None
    """How long the library took to build, in seconds; absent where it was there."""


class _MeasurementRequired(TypedDict):
    case: FlatCase
    """The case."""
    id: str
    """The case's readable path; joins measurements of several runs, and is never parsed."""
    outcome: Outcome
    """What became of it."""


class Measurement(_MeasurementRequired, total=False):
    """One case and what became of it."""

    notes: list[Note]
    """What the reader has to know of this case."""


class Object(TypedDict):
    """A file that was mapped as code."""

    bytes: int
    """Its length in bytes."""
    file: str
    """The name of the file, without its folder."""
    xxh3: str
    """XXH3-128 of its contents, in hex: tells builds apart, proves nothing against an attacker."""


# What is done with a primitive.
Op: TypeAlias = Literal[
    "encrypt",
    "decrypt",
    "digest",
    "mac",
    "derive",
    "sign",
    "verify",
    "keygen",
    "encapsulate",
    "decapsulate",
    "create",
    "load",
    "parse",
]


_OutcomeMeasuredRequiredNames = TypedDict("_OutcomeMeasuredRequiredNames", {
    "is": Literal["measured"],
})


class OutcomeMeasured(_OutcomeMeasuredRequiredNames):
    """It was measured."""

    batches: list[Batch]
    """The raw samples."""
    proof: Proof
    """What was really negotiated or computed."""


_OutcomeUnsupportedRequiredNames = TypedDict("_OutcomeUnsupportedRequiredNames", {
    "is": Literal["unsupported"],
})


class OutcomeUnsupported(_OutcomeUnsupportedRequiredNames):
    """The library or the machine has no such thing."""

    reason: str
    """Why."""


_OutcomeFailedRequiredNames = TypedDict("_OutcomeFailedRequiredNames", {
    "is": Literal["failed"],
})


class _OutcomeFailedRequired(_OutcomeFailedRequiredNames):
    message: str
    """What."""
    stage: str
    """Where: start, hello, prepare, run or proof."""


class OutcomeFailed(_OutcomeFailedRequired, total=False):
    """It went wrong."""

    stderr: str
    """The end of what the worker wrote to its standard error."""


_OutcomeSkippedRequiredNames = TypedDict("_OutcomeSkippedRequiredNames", {
    "is": Literal["skipped"],
})


class OutcomeSkipped(_OutcomeSkippedRequiredNames):
    """It was not tried, or too little of it was measured."""

    why: str
    """Why."""


# What became of a case: a figure with its proof, or a hole with its reason.
Outcome: TypeAlias = Union[OutcomeMeasured, OutcomeUnsupported, OutcomeFailed, OutcomeSkipped]


# Where a response comes from.
Page: TypeAlias = Literal["static", "fastcgi"]


# How the calls of one operation are laid out.
Pattern: TypeAlias = Literal["tls", "speed"]


class Proof(TypedDict, total=False):
    """What was really negotiated or computed."""

    answer: str | None
    """For a primitive: the last 16 bytes of its output on the fixed input, in hex; the same for every library."""
    client_bytes: int
    """Bytes that the client put on the wire: in one handshake, or per buffer of bulk data."""
    compression: Compression | None
    """The negotiated TLS compression; absent: none."""
    early: int
    """Handshakes in which the server accepted early data."""
    flights: list[int]
    """Bytes of each flight of one handshake in memory, the client's and the server's in turn, the client's first:
    what a side sends before it hears of the other again. Empty where they were not told apart."""
    group: Group | None
    """The group of the key exchange, where there was one."""
    handshakes: int
    """Handshakes made, resumed or not."""
    key: Key | None
    """The key in the certificate that the client saw; none where a resumption showed no certificate."""
    resumed: int
    """Handshakes that both sides say were resumed."""
    round_trips: int | None
    """Round trips from the client's first byte to the moment when it may send its request: 1 in a full handshake of
    TLS 1.3, 2 in one of TLS 1.2, 0 with early data. Counted on the wire, in handshakes in memory."""
    server_bytes: int
    """Bytes that the server put on the wire: in one handshake, or per buffer of bulk data."""
    suite: Suite | None
    """The negotiated cipher suite."""
    version: Version | None
    """The negotiated protocol version."""


class Receipt(TypedDict):
    """What was really loaded when the library was measured. Two receipts are equal if they name the same files in any
    order: earlier versions wrote them as they lay in memory, where the kernel puts them elsewhere each time."""

    objects: list[Object]
    """The worker's program and the shared objects that the kernel has mapped into it."""


# Which processes of a server know a session that one of them has made.
Sessions: TypeAlias = Literal["shared", "per-worker"]


# One end of a connection.
Side: TypeAlias = Literal["client", "server"]


class _SliceRequired(TypedDict):
    at_ms: int
    """When, since the run began."""
    latency_ns: Nanos
    """The latency-bound kernel, nanoseconds."""
    round: int
    """The round it belongs to."""
    sitting: int
    """The set of processes that ran the batches after it; all are replaced from one sitting to the next."""
    throughput_ns: Nanos
    """The throughput-bound kernel, nanoseconds."""


class Slice(_SliceRequired, total=False):
    """One reading of the reference kernels and of the machine's noise, between two batches."""

    steal_ns: Nanos
    """Steal of the measuring core since the last slice, nanoseconds; the kernel counts in ticks of 10 ms."""
    throttled_ns: Nanos
    """For how long a CPU quota kept threads of the run from running since the last slice, nanoseconds summed over
    CPUs."""


class StudyFacts(TypedDict):
    """The study as it was run."""

    budget_s: float
    """The time it was given, in seconds."""
    interrupted: bool
    """Whether it was stopped before its end."""
    max_rounds: int
    """No case gets more batches than this; 4294967295 where the study set no limit."""
    name: str
    """Its name. One from before names were ids is read as the nearest id."""
    precision: float
    """The half width of the 95 % interval, relative to the value, at which a case was done."""
    question: str
    """Its question, in prose."""
    rounds: int
    """Rounds that were run."""
    seed: int
    """The seed of the order of batches."""


# A feature of the CPU, or a way to build a library, that a library may be told to do without.
Switch: TypeAlias = Literal["aes", "clmul", "vaes", "avx2", "avx512", "sha", "asm"]


class _ResultsRequired(TypedDict):
    ended: str
    """When the run ended, UTC, RFC 3339."""
    host: Host
    """The machine."""
    libraries: list[Library]
    """The libraries that the study named or chose, present or not."""
    measurements: list[Measurement]
    """One entry per case of the study; a hole is an entry too."""
    notes: list[Note]
    """What the reader has to know of the run as a whole."""
    schema: SchemaVersion
    """The version of this form."""
    slices: list[Slice]
    """Readings of the reference kernels between the batches, in the order of the run."""
    started: str
    """When the run began, UTC, RFC 3339."""
    study: StudyFacts
    """What was asked."""
    tool: Tool
    """The program that wrote it."""


class Results(_ResultsRequired, total=False):
    """One run of one study on one machine."""

    counted: Counted | None
    """What was counted in place of time; absent where times were taken."""
