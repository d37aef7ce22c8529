"""Types of the document `Profile`, version 1.

Where the CPU time of running servers went, of one capture or of several that were merged. Everything in it adds up:
captures stand side by side, weights of the same stack are summed, and the order of all of it follows from the
contents.

Made from schemas/profile.v1.schema.json by python/scripts/schema_types.py: not to be edited.
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
    Host as Host,
    Nanos as Nanos,
    NoiseProbe as NoiseProbe,
    Note as Note,
    SchemaVersion as SchemaVersion,
    Severity as Severity,
    SocketMemory as SocketMemory,
    Spread as Spread,
    Tool as Tool,
    Topology as Topology,
    Virtualisation as Virtualisation,
)


# The algorithm that a cost is of.
Algorithm: TypeAlias = Literal[
    "aes-gcm",
    "aes-ccm",
    "chacha20-poly1305",
    "aes-cbc",
    "aes",
    "camellia",
    "3des",
    "rc4",
    "rsa",
    "rsa-2048",
    "rsa-3072",
    "rsa-4096",
    "p256",
    "p384",
    "p521",
    "ed25519",
    "ed448",
    "x25519",
    "x448",
    "ffdhe",
    "ml-kem",
    "ml-dsa",
    "slh-dsa",
    "md5",
    "sha1",
    "hmac",
    "hkdf",
    "zlib",
    "brotli",
    "zstd",
    "sha256",
    "sha512",
    "sha3",
]


class _CaptureRequired(TypedDict):
    lost: int
    """Samples that the kernel or the file says were lost."""
    notes: list[Note]
    origin: Origin
    """Where it comes from."""
    processes: list[Process]
    """Processes with samples, by name."""
    span_ns: int
    """How long a span is, nanoseconds; 0 where an import has no times."""
    spans: list[Span]
    """Weights by class in successive spans of time: what is near in time is alike, so that chance is judged by whole
    spans. One span where an import has no times."""
    target: str
    """What was observed, in words: `--pid 1234 (nginx)`, `the whole machine`, or what an import says."""


class Capture(_CaptureRequired, total=False):
    """One recording of one machine."""

    cpus: int | None
    """CPUs that the machine has; with the duration, what share of it a cost is."""
    duration_ns: int | None
    """How long it took, in nanoseconds; none where an import does not say."""
    host: Host | None
    """The machine; none of an import."""
    own: OwnCost | None
    """What the observing itself took; none of an import."""
    started: str | None
    """When it began, UTC, RFC 3339; none where an import does not say."""
    work: Work | None
    """What happened in the same minutes, of the machine's own logs or by flag."""


# What CPU time is spent on.
Cost: TypeAlias = Literal[
    "signature",
    "verification",
    "key-exchange",
    "key-schedule",
    "certificate",
    "session",
    "record-cipher",
    "record-copy",
    "random",
    "protocol",
    "provider",
    "locks",
    "allocation",
    "other-tls",
    "socket",
    "softirq",
    "kernel",
    "http2",
    "compression",
    "cryptography",
    "application",
    "unknown",
]


class EvidenceBoundary(TypedDict):
    """A function at the border of two libraries, which has a name even where the rest is stripped."""

    by: Literal["boundary"]
    what: str


class EvidenceSymbol(TypedDict):
    """The name of a function."""

    by: Literal["symbol"]
    what: str


class EvidenceBuildId(TypedDict):
    """A table that was made for exactly this build of a library: its build id."""

    by: Literal["build-id"]
    what: str


class EvidenceInstructions(TypedDict):
    """Instructions that only one algorithm has."""

    by: Literal["instructions"]
    what: str


class EvidenceModule(TypedDict):
    """Nothing but the file that the code is in."""

    by: Literal["module"]
    what: str


class EvidenceNothing(TypedDict):
    """Nothing: why."""

    by: Literal["nothing"]
    what: str


# By what a stack was given its class, the strongest first.
Evidence: TypeAlias = Union[EvidenceBoundary, EvidenceSymbol, EvidenceBuildId, EvidenceInstructions, EvidenceModule, EvidenceNothing]


class _FrameRequired(TypedDict):
    function: str
    """The function, demangled; of a stripped one `+0x` and where it begins in the file."""


class Frame(_FrameRequired, total=False):
    """A function in a file."""

    module: str | None
    """The name of the file without its folder, `[kernel]`, or `[jit]`; none where nobody says."""


class _OriginRequired(TypedDict):
    format: str
    """`live`, `perf.data`, `perf script`, `pprof`, `folded`, `firefox`, `proc`."""


class Origin(_OriginRequired, total=False):
    """Where a capture comes from."""

    event: str | None
    """What makes a sample: `cpu-clock`, `cycles`; none where an import does not say."""
    hertz: float | None
    """Samples in a second of CPU time that were asked for."""
    stacks: str | None
    """How stacks were found: `eh_frame`, `frame pointers`, `lbr`, `none`; none where an import does not say."""


class _OwnCostRequired(TypedDict):
    cpu_ns: int
    """CPU time of tlstax itself while it captured, nanoseconds."""


class OwnCost(_OwnCostRequired, total=False):
    """What observing took."""

    target_ns: int | None
    """CPU time of the kernel for samples, within the target's, nanoseconds; none where it cannot be told."""


class _ProcessRequired(TypedDict):
    count: int
    """How many processes of that name had samples."""
    name: str
    """Its name, as the kernel has it (`comm`)."""
    samples: int
    """Samples."""
    weight: int
    """Their weight, in the profile's unit."""


class Process(_ProcessRequired, total=False):
    """What one program took."""

    cpu_ns: int | None
    """CPU time by the kernel's account in the time of the capture, nanoseconds: the second account beside the
    samples."""


class Span(TypedDict):
    """Weights by class in a span of time."""

    at_ns: int
    """When it begins, nanoseconds since the capture began."""
    samples: int
    """Samples in it."""
    weights: list[Weight]
    """In the order of classes."""


class _StackRequired(TypedDict):
    cost: Cost
    evidence: Evidence
    frames: list[int]
    """Indices of frames, the outermost first."""
    weight: int
    """In the profile's unit."""


class Stack(_StackRequired, total=False):
    """A distinct stack."""

    algorithm: Algorithm | None


# What the weight of a sample counts.
Unit: TypeAlias = Literal["cycles", "nanoseconds", "samples"]


class _WeightRequired(TypedDict):
    cost: Cost
    weight: int
    """In the profile's unit."""


class Weight(_WeightRequired, total=False):
    """What a class weighs."""

    algorithm: Algorithm | None


class Work(TypedDict, total=False):
    """What the observed server did in the time of the capture."""

    bytes: int | None
    """Bytes of application data, both directions."""
    handshakes: int | None
    requests: int | None


class Profile(TypedDict):
    """Where the CPU time of running servers went, of one capture or of several that were merged. Everything in it
    adds up: captures stand side by side, weights of the same stack are summed, and the order of all of it follows
    from the contents."""

    captures: list[Capture]
    document: str
    """Always `profile`: tells it from other documents."""
    frames: list[Frame]
    """The functions that occur in stacks, in order."""
    schema: SchemaVersion
    """The version of this form."""
    stacks: list[Stack]
    """Every distinct stack with its class."""
    tool: Tool
    """The program that wrote it."""
    unit: Unit
    """What weights count."""
