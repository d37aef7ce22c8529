"""Types that several documents have.

Each document's module offers those that are its own, too.

Made from schemas/ by python/scripts/schema_types.py: not to be edited.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, TypedDict, Union


class Bounds(TypedDict):
    """A figure with the ends of its 95 % interval."""

    high: float
    low: float
    value: float


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


class Checked(TypedDict):
    """A prediction that was held against what was measured later."""

    at: str
    """When, UTC, RFC 3339."""
    measured: Bounds
    predicted: Bounds
    """Nanoseconds for a request, of a workload cores: predicted with its interval, and measured with its own."""
    what: str
    """What was offered: the id of the case, or `workload`."""


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


# Which way the bytes of a response take.
Path: TypeAlias = Literal["sendfile", "copy", "tls"]


# How much of a handshake is taken over from an earlier one.
Resumption: TypeAlias = Literal["full", "session-id", "ticket", "psk", "early-data"]


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
Term: TypeAlias = Union[TermConnection, TermHttp2Connection, TermHandshake, TermResumption, TermSession, TermGroup, TermKeyTransport, TermRequest, TermBody, TermSuiteByte, TermSuiteRecord, TermRecord, TermBuffer]


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


# A protocol version.
Version: TypeAlias = Literal["TLSv1.0", "TLSv1.1", "TLSv1.2", "TLSv1.3"]


class Virtualisation(TypedDict, total=False):
    """Whether this is a virtual machine."""

    hypervisor: str | None
    """Its name: `KVM`, `Xen`, `Hyper-V`, `VMware`, or the signature it gives."""
    machine: str | None
    """The maker and the product of the machine, real or virtual, from its firmware: `Amazon EC2 m7i.large`."""
    present: bool | None
    """Whether a hypervisor was found. False only where its absence is certain enough: x86 says so itself."""
