"""Types of the document `Profile`, version 1.

Where the CPU time of running servers went, of one capture or of several that were merged. Everything in it adds up:
captures stand side by side, weights of the same stack are summed, and the order of all of it follows from the
contents.

Made from schemas/profile.v1.schema.json by python/scripts/schema_types.py: not to be edited.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, TypedDict, Union


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


# A number of bytes.
Bytes: TypeAlias = int


class Cache(TypedDict, total=False):
    """One cache."""

    kind: str
    """`Data`, `Instruction` or `Unified`."""
    level: int
    """1 is closest to the core."""
    shared_by: int | None
    """Logical CPUs that share it."""
    size: Bytes
    """How much it holds."""


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


class ClockPrecision(TypedDict, total=False):
    """How finely a clock can be read, and what a reading costs."""

    call_ns: Nanos
    """The time of one reading: the best of several runs."""
    resolution_ns: Nanos
    """The smallest step seen between two readings that differ."""


class Clocks(TypedDict, total=False):
    """The precision of both clocks that time batches."""

    monotonic: ClockPrecision
    """The monotonic clock."""
    thread_cpu: ClockPrecision
    """The CPU clock of a thread."""


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


class Counters(TypedDict, total=False):
    """What can be counted in hardware by this user."""

    cycles: bool | None
    """Whether CPU cycles can be counted."""
    errno: int | None
    """The error number of perf_event_open(2) where they cannot: 2 without hardware, 13 or 1 without permission."""
    paranoid: int | None
    """`/proc/sys/kernel/perf_event_paranoid`: 2 allows own processes in user space, -1 everything."""


class CpuModel(TypedDict, total=False):
    """What a CPU calls itself."""

    family: int | None
    """The family (x86)."""
    microcode: str | None
    """The microcode as the kernel prints it; virtual machines often hide it."""
    model: int | None
    """The model; on arm64 the part number."""
    name: str | None
    """The marketing name; on arm64 the name of the core."""
    stepping: int | None
    """The stepping; on arm64 the revision."""
    vendor: str | None
    """`GenuineIntel`, `AuthenticAMD`; on arm64 the name of the implementer."""


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
Evidence: TypeAlias = Union["EvidenceBoundary", "EvidenceSymbol", "EvidenceBuildId", "EvidenceInstructions", "EvidenceModule", "EvidenceNothing"]


class _FrameRequired(TypedDict):
    function: str
    """The function, demangled; of a stripped one `+0x` and where it begins in the file."""


class Frame(_FrameRequired, total=False):
    """A function in a file."""

    module: str | None
    """The name of the file without its folder, `[kernel]`, or `[jit]`; none where nobody says."""


class Frequency(TypedDict, total=False):
    """How the frequency of a CPU is governed; a virtual machine mostly does not tell."""

    boost: bool | None
    """Whether the CPU may exceed its nominal frequency."""
    current_khz: int | None
    """The frequency at the moment in kHz."""
    governor: str | None
    """The governor: `performance`, `powersave`, `schedutil`."""
    maximum_khz: int | None
    """The greatest frequency in kHz."""
    minimum_khz: int | None
    """The least frequency in kHz."""


class Host(TypedDict, total=False):
    """The machine and its state at the start of a run."""

    allowed: Topology
    """What of it the affinity mask of the run allowed, as `taskset` and control groups set it; absent in older
    documents."""
    architecture: str
    """The instruction set, as Rust names it: `x86_64`, `aarch64`."""
    caches: list[Cache]
    """The caches of the CPU that measures."""
    cgroup: int | None
    """The version of control groups that accounts CPU time: 1 or 2."""
    client_cpu: int | None
    """The logical CPU of the client of a load."""
    clocks: Clocks | None
    """How finely the clocks can be read."""
    clocksource: str | None
    """Where the kernel takes the time from: `tsc`, `kvm-clock`, `hpet`."""
    counters: Counters
    """What can be counted in hardware."""
    cpu: CpuModel
    """What the CPU calls itself."""
    cpu_quota: float | None
    """CPUs' worth of time that the control group may use; absent without a limit."""
    features: list[str]
    """Instruction set extensions that matter to TLS, by the kernel's names; `neon` for arm64's `asimd`."""
    frequency: Frequency
    """How the frequency of the CPU that measures is governed."""
    kernel: str | None
    """The release of the kernel."""
    ktls: bool | None
    """Whether the kernel offers TLS in the kernel at the moment; its module may still be loaded later."""
    load: list[float] | None
    """Mean number of running processes over the last minute, 5 and 15 minutes."""
    measure_cpu: int | None
    """The logical CPU that measures."""
    memory: Bytes | None
    """Main memory in all."""
    memory_available: Bytes | None
    """Main memory that was available."""
    noise: NoiseProbe | None
    """What a short probe before the run saw of other people's work."""
    os: str | None
    """The distribution, as `/etc/os-release` names it."""
    sockets: SocketMemory | None
    """What idle TCP connections take of the kernel's memory; absent where no idle connections were asked for."""
    topology: Topology
    """How many of what."""
    virtualisation: Virtualisation
    """Whether, and in what, this is a virtual machine."""


# A duration in whole nanoseconds.
Nanos: TypeAlias = int


class NoiseProbe(TypedDict, total=False):
    """What the reference kernels and the kernel's counters saw in a short time."""

    duration_ns: Nanos
    """How long it took."""
    latency: Spread
    """The kernel bound by latency."""
    longest_gap_ns: Nanos
    """The longest time for which our thread, which never waits, did not run."""
    preemptions: int | None
    """Times that our thread was put aside for another."""
    readings: int
    """Readings of each reference kernel."""
    steal: float | None
    """Time taken by the hypervisor, as a share of the duration: 0.01 is 1 %."""
    throughput: Spread
    """The kernel bound by throughput."""


class _NoteRequired(TypedDict):
    severity: Severity
    """How much it matters."""
    what: str
    """What was found."""


class Note(_NoteRequired, total=False):
    """Something the reader has to know, and what can be done about it."""

    remedy: str
    """What can be done about it; empty if nothing has to."""


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


class SchemaVersion(TypedDict):
    """The version of a document's form. A new minor only adds what an older reader can do without."""

    major: int
    """Changes when an older program would misread the document."""
    minor: int
    """Changes when something was added."""


# How much a note matters.
Severity: TypeAlias = Literal["info", "warning", "problem"]


class SocketMemory(TypedDict, total=False):
    """What generations of idle TCP connections over the loopback interface took of the kernel's memory."""

    buffers: list[Bytes]
    """Bytes in their queues and put by for these, by the sockets' own accounts."""
    connections: int
    """Connections in each generation, with both of their ends."""
    objects: list[Bytes]
    """Bytes of the objects of both ends of all of them, generation by generation: how much the kernel's caches
    grew."""
    unread: str | None
    """Why there are no, or fewer, generations."""


class Span(TypedDict):
    """Weights by class in a span of time."""

    at_ns: int
    """When it begins, nanoseconds since the capture began."""
    samples: int
    """Samples in it."""
    weights: list[Weight]
    """In the order of classes."""


class Spread(TypedDict, total=False):
    """How the readings of one reference kernel are spread."""

    best_ns: Nanos
    """The 5th percentile: the kernel at its best."""
    median_ns: Nanos
    """The median."""
    quiet: float
    """The share of readings within 2 % of the best."""
    worst_ns: Nanos
    """The 95th percentile."""


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


class Tool(TypedDict):
    """The program that made a document."""

    name: str
    """Its name."""
    reference_kernels: int
    """The version of the reference kernels, whose readings compare only within one version."""
    version: str
    """Its version."""


class Topology(TypedDict, total=False):
    """How many of what there are."""

    cores: int | None
    """Cores, over all packages."""
    smt: bool | None
    """Whether cores have more than one hardware thread in use. A virtual machine may hide that they do."""
    sockets: int | None
    """Packages."""
    threads: int | None
    """Logical CPUs, over all cores."""


# What the weight of a sample counts.
Unit: TypeAlias = Literal["cycles", "nanoseconds", "samples"]


class Virtualisation(TypedDict, total=False):
    """Whether this is a virtual machine."""

    hypervisor: str | None
    """Its name: `KVM`, `Xen`, `Hyper-V`, `VMware`, or the signature it gives."""
    machine: str | None
    """The maker and the product of the machine, real or virtual, from its firmware: `Amazon EC2 m7i.large`."""
    present: bool | None
    """Whether a hypervisor was found. False only where its absence is certain enough: x86 says so itself."""


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
