//! A [`Host`]: the machine that figures come from. What the machine does not tell is absent, never guessed; nothing
//! in here names a person, a network or a directory.

use serde::{Deserialize, Serialize};

use crate::{Bytes, Nanos};

macro_rules! facts {
    ($($(#[$type_doc:meta])* $type:ident { $($(#[$doc:meta])* $field:ident: $of:ty,)+ })+) => { $(
        $(#[$type_doc])*
        #[derive(Debug, Default, Clone, PartialEq, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(default)]
        pub struct $type { $($(#[$doc])* pub $field: $of,)+ }
    )+ };
}

facts! {
    /// The machine and its state at the start of a run.
    Host {
        /// The instruction set, as Rust names it: `x86_64`, `aarch64`.
        architecture: String,
        /// What the CPU calls itself.
        cpu: CpuModel,
        /// How many of what.
        topology: Topology,
        /// What of it the affinity mask of the run allowed, as `taskset` and control groups set it; absent in older
        /// documents.
        allowed: Topology,
        /// Instruction set extensions that matter to TLS, by the kernel's names; `neon` for arm64's `asimd`.
        features: Vec<String>,
        /// The caches of the CPU that measures.
        caches: Vec<Cache>,
        /// Main memory in all.
        memory: Option<Bytes>,
        /// Main memory that was available.
        memory_available: Option<Bytes>,
        /// The distribution, as `/etc/os-release` names it.
        os: Option<String>,
        /// The release of the kernel.
        kernel: Option<String>,
        /// How the frequency of the CPU that measures is governed.
        frequency: Frequency,
        /// Whether, and in what, this is a virtual machine.
        virtualisation: Virtualisation,
        /// Where the kernel takes the time from: `tsc`, `kvm-clock`, `hpet`.
        clocksource: Option<String>,
        /// What can be counted in hardware.
        counters: Counters,
        /// Whether the kernel offers TLS in the kernel at the moment; its module may still be loaded later.
        ktls: Option<bool>,
        /// The version of control groups that accounts CPU time: 1 or 2.
        cgroup: Option<u8>,
        /// CPUs' worth of time that the control group may use; absent without a limit.
        cpu_quota: Option<f64>,
        /// Mean number of running processes over the last minute, 5 and 15 minutes.
        load: Option<[f64; 3]>,
        /// The logical CPU that measures.
        measure_cpu: Option<u32>,
        /// The logical CPU of the client of a load.
        client_cpu: Option<u32>,
        /// How finely the clocks can be read.
        clocks: Option<Clocks>,
        /// What a short probe before the run saw of other people's work.
        noise: Option<NoiseProbe>,
        /// What idle TCP connections take of the kernel's memory; absent where no idle connections were asked for.
        sockets: Option<SocketMemory>,
    }

    /// What generations of idle TCP connections over the loopback interface took of the kernel's memory.
    SocketMemory {
        /// Connections in each generation, with both of their ends.
        connections: u32,
        /// Bytes of the objects of both ends of all of them, generation by generation: how much the kernel's caches grew.
        objects: Vec<Bytes>,
        /// Bytes in their queues and put by for these, by the sockets' own accounts.
        buffers: Vec<Bytes>,
        /// Why there are no, or fewer, generations.
        unread: Option<String>,
    }

    /// What a CPU calls itself.
    CpuModel {
        /// `GenuineIntel`, `AuthenticAMD`; on arm64 the name of the implementer.
        vendor: Option<String>,
        /// The marketing name; on arm64 the name of the core.
        name: Option<String>,
        /// The family (x86).
        family: Option<u32>,
        /// The model; on arm64 the part number.
        model: Option<u32>,
        /// The stepping; on arm64 the revision.
        stepping: Option<u32>,
        /// The microcode as the kernel prints it; virtual machines often hide it.
        microcode: Option<String>,
    }

    /// How many of what there are.
    Topology {
        /// Packages.
        sockets: Option<u32>,
        /// Cores, over all packages.
        cores: Option<u32>,
        /// Logical CPUs, over all cores.
        threads: Option<u32>,
        /// Whether cores have more than one hardware thread in use. A virtual machine may hide that they do.
        smt: Option<bool>,
    }

    /// One cache.
    Cache {
        /// 1 is closest to the core.
        level: u8,
        /// `Data`, `Instruction` or `Unified`.
        kind: String,
        /// How much it holds.
        size: Bytes,
        /// Logical CPUs that share it.
        shared_by: Option<u32>,
    }

    /// How the frequency of a CPU is governed; a virtual machine mostly does not tell.
    Frequency {
        /// The governor: `performance`, `powersave`, `schedutil`.
        governor: Option<String>,
        /// Whether the CPU may exceed its nominal frequency.
        boost: Option<bool>,
        /// The frequency at the moment in kHz.
        current_khz: Option<u64>,
        /// The least frequency in kHz.
        minimum_khz: Option<u64>,
        /// The greatest frequency in kHz.
        maximum_khz: Option<u64>,
    }

    /// Whether this is a virtual machine.
    Virtualisation {
        /// Whether a hypervisor was found. False only where its absence is certain enough: x86 says so itself.
        present: Option<bool>,
        /// Its name: `KVM`, `Xen`, `Hyper-V`, `VMware`, or the signature it gives.
        hypervisor: Option<String>,
        /// The maker and the product of the machine, real or virtual, from its firmware: `Amazon EC2 m7i.large`.
        machine: Option<String>,
    }

    /// What can be counted in hardware by this user.
    Counters {
        /// Whether CPU cycles can be counted.
        cycles: Option<bool>,
        /// The error number of perf_event_open(2) where they cannot: 2 without hardware, 13 or 1 without permission.
        errno: Option<i32>,
        /// `/proc/sys/kernel/perf_event_paranoid`: 2 allows own processes in user space, -1 everything.
        paranoid: Option<i32>,
    }

    /// The precision of both clocks that time batches.
    Clocks {
        /// The monotonic clock.
        monotonic: ClockPrecision,
        /// The CPU clock of a thread.
        thread_cpu: ClockPrecision,
    }

    /// How finely a clock can be read, and what a reading costs.
    ClockPrecision {
        /// The smallest step seen between two readings that differ.
        resolution_ns: Nanos,
        /// The time of one reading: the best of several runs.
        call_ns: Nanos,
    }

    /// What the reference kernels and the kernel's counters saw in a short time.
    NoiseProbe {
        /// How long it took.
        duration_ns: Nanos,
        /// Readings of each reference kernel.
        readings: u32,
        /// The kernel bound by latency.
        latency: Spread,
        /// The kernel bound by throughput.
        throughput: Spread,
        /// Time taken by the hypervisor, as a share of the duration: 0.01 is 1 %.
        steal: Option<f64>,
        /// Times that our thread was put aside for another.
        preemptions: Option<u64>,
        /// The longest time for which our thread, which never waits, did not run.
        longest_gap_ns: Nanos,
    }

    /// How the readings of one reference kernel are spread.
    Spread {
        /// The 5th percentile: the kernel at its best.
        best_ns: Nanos,
        /// The median.
        median_ns: Nanos,
        /// The 95th percentile.
        worst_ns: Nanos,
        /// The share of readings within 2 % of the best.
        quiet: f64,
    }
}
