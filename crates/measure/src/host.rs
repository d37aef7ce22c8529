//! Facts about the machine. What it does not tell is left out.

mod counters;
mod cpu;
mod hypervisor;
pub mod offload;

use std::collections::BTreeSet;
use std::path::Path;

use tlstax_spec::{Bytes, Cache, Frequency, Host, Topology};

use crate::cgroup;
use crate::kernel_text::{number, number_after, text, word};
use crate::{clock, pin};

/// Looks at the machine. Takes some milliseconds for the precision of the clocks; no noise probe is run.
pub fn read() -> Host {
    let cores = pin::cores();
    let cpu = cores.map_or(0, |cores| cores.measure);
    let cpuinfo = text("/proc/cpuinfo").unwrap_or_default();
    let memory = text("/proc/meminfo").unwrap_or_default();
    Host {
        architecture: std::env::consts::ARCH.to_owned(),
        cpu: cpu::model(&cpuinfo),
        topology: topology(&online(), word("/sys/devices/system/cpu/smt/active").as_deref()),
        allowed: topology(&pin::available(), None),
        features: cpu::features(&cpuinfo),
        caches: caches(cpu),
        memory: kilobytes(&memory, "MemTotal:"),
        memory_available: kilobytes(&memory, "MemAvailable:"),
        os: text("/etc/os-release").as_deref().and_then(os_name),
        kernel: word("/proc/sys/kernel/osrelease"),
        frequency: frequency(cpu),
        virtualisation: hypervisor::find(&cpuinfo),
        clocksource: word("/sys/devices/system/clocksource/clocksource0/current_clocksource"),
        counters: counters::probe(),
        ktls: text("/proc/sys/net/ipv4/tcp_available_ulp").map(|names| offload::offers_tls(&names)),
        cgroup: cgroup::own_places().first().map(|place| place.version as u8),
        cpu_quota: cgroup::cpu_quota(),
        load: text("/proc/loadavg").as_deref().and_then(load),
        measure_cpu: cores.and_then(|cores| u32::try_from(cores.measure).ok()),
        client_cpu: cores.and_then(|cores| u32::try_from(cores.client).ok()),
        clocks: Some(clock::precision()),
        noise: None,
        sockets: None,
    }
}

fn kilobytes(meminfo: &str, label: &str) -> Option<Bytes> {
    number_after(meminfo, label).map(|kilobytes| Bytes(kilobytes * 1024))
}

/// PRETTY_NAME of os-release(5).
fn os_name(release: &str) -> Option<String> {
    let name = release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="))?;
    Some(name.trim().trim_matches(['"', '\'']).to_owned()).filter(|name| !name.is_empty())
}

fn load(text: &str) -> Option<[f64; 3]> {
    let mut means = text.split_ascii_whitespace().map(str::parse);
    let mut next = || means.next()?.ok();
    Some([next()?, next()?, next()?])
}

/// The logical CPUs that run; none where the system does not say.
pub fn online() -> Vec<usize> {
    text("/sys/devices/system/cpu/online").as_deref().and_then(pin::parse_list).unwrap_or_default()
}

/// How many of what these logical CPUs are. Whether cores share threads is counted where the system does not say.
fn topology(cpus: &[usize], smt_active: Option<&str>) -> Topology {
    let root = Path::new("/sys/devices/system/cpu");
    let seats = cpus.iter().map(|cpu| {
        let topology = root.join(format!("cpu{cpu}/topology"));
        // Some arm64 machines have no packages and say -1, which does not parse.
        Some((number(topology.join("physical_package_id"))?, number(topology.join("core_id"))?))
    });
    count(cpus.len(), seats.collect(), smt_active.map(|active| active == "1"))
}

/// Counts what can be counted; `seats` are the package and the core of each logical CPU, none if one does not tell.
fn count(threads: usize, seats: Option<BTreeSet<(u32, u32)>>, smt: Option<bool>) -> Topology {
    let number = |count: usize| u32::try_from(count).ok().filter(|count| *count > 0);
    let packages = |seats: &BTreeSet<_>| seats.iter().map(|(package, _)| *package).collect::<BTreeSet<u32>>();
    let sockets = seats.as_ref().map(|seats| packages(seats).len());
    let cores = seats.map(|seats| seats.len());
    Topology {
        sockets: sockets.and_then(number),
        cores: cores.and_then(number),
        threads: number(threads),
        smt: smt.or_else(|| cores.map(|cores| threads > cores)),
    }
}

fn caches(cpu: usize) -> Vec<Cache> {
    let root = format!("/sys/devices/system/cpu/cpu{cpu}/cache");
    let read = |index: u32| {
        let cache = Path::new(&root).join(format!("index{index}"));
        Some(Cache {
            level: number(cache.join("level"))?,
            kind: word(cache.join("type"))?,
            size: cache_size(&word(cache.join("size"))?)?,
            shared_by: text(cache.join("shared_cpu_list"))
                .as_deref()
                .and_then(pin::parse_list)
                .and_then(|cpus| u32::try_from(cpus.len()).ok()),
        })
    };
    (0..).map_while(read).collect()
}

/// A size as sysfs writes it: `32K`, `36608K`, `1M`.
fn cache_size(text: &str) -> Option<Bytes> {
    let unit = match text.chars().last()? {
        'K' => 1 << 10,
        'M' => 1 << 20,
        'G' => 1 << 30,
        _ => 1,
    };
    let size: u64 = text.trim_end_matches(['K', 'M', 'G']).parse().ok()?;
    Some(Bytes(size.checked_mul(unit)?))
}

fn frequency(cpu: usize) -> Frequency {
    let root = Path::new("/sys/devices/system/cpu");
    let governed = root.join(format!("cpu{cpu}/cpufreq"));
    Frequency {
        governor: word(governed.join("scaling_governor")),
        boost: boost(
            word(root.join("cpufreq/boost")).as_deref(),
            word(root.join("intel_pstate/no_turbo")).as_deref(),
        ),
        current_khz: number(governed.join("scaling_cur_freq")),
        minimum_khz: number(governed.join("cpuinfo_min_freq")),
        maximum_khz: number(governed.join("cpuinfo_max_freq")),
    }
}

/// The intel_pstate driver has a file of its own, and says the opposite.
fn boost(boost: Option<&str>, no_turbo: Option<&str>) -> Option<bool> {
    match (no_turbo, boost) {
        (Some(no_turbo), _) => Some(no_turbo == "0"),
        (None, boost) => boost.map(|boost| boost == "1"),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_distribution_is_named_as_it_names_itself() {
        assert_eq!(
            os_name("ID=debian\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n").unwrap(),
            "Debian GNU/Linux 12 (bookworm)"
        );
        assert_eq!(os_name("PRETTY_NAME=Plain\n").unwrap(), "Plain");
        assert_eq!(os_name("ID=debian\nPRETTY_NAME=\"\"\n"), None);
    }

    #[test]
    fn one_line_files_are_read() {
        assert_eq!(load("2.02 1.69 0.81 3/103 16943\n"), Some([2.02, 1.69, 0.81]));
        assert_eq!(load("2.02\n"), None);
        assert!(offload::offers_tls("espintcp mptcp tls\n"));
        assert!(!offload::offers_tls("mptcp\n"));
        let memory = "MemTotal:        8131448 kB\nMemFree:  10 kB\n";
        assert_eq!(kilobytes(memory, "MemTotal:"), Some(Bytes(8_131_448 * 1024)));
        assert_eq!(kilobytes(memory, "MemAvailable:"), None);
    }

    #[test]
    fn caches_have_sizes_in_bytes() {
        assert_eq!(cache_size("36608K"), Some(Bytes(36_608 << 10)));
        assert_eq!(cache_size("1M"), Some(Bytes(1 << 20)));
        assert_eq!(cache_size("64"), Some(Bytes(64)));
        assert_eq!(cache_size(""), None);
    }

    #[test]
    fn sockets_cores_and_threads_are_told_apart() {
        let pairs = (0..2).flat_map(|package| (0..4).map(move |cpu| (package, cpu % 2))).collect();
        let two = count(8, Some(pairs), None);
        assert_eq!((two.sockets, two.cores, two.threads, two.smt), (Some(2), Some(4), Some(8), Some(true)));
        let hidden = count(2, None, None);
        assert_eq!((hidden.sockets, hidden.cores, hidden.threads, hidden.smt), (None, None, Some(2), None));
        assert_eq!(count(2, Some([(0, 0), (0, 1)].into()), Some(false)).smt, Some(false));
    }

    #[test]
    fn boost_is_read_from_whichever_driver_tells() {
        assert_eq!(boost(None, Some("1")), Some(false));
        assert_eq!(boost(Some("1"), None), Some(true));
        assert_eq!(boost(None, None), None);
    }

    #[test]
    fn this_machine_can_be_looked_at() {
        let host = read();
        assert!(!host.architecture.is_empty());
        assert!(host.kernel.is_some() && host.memory.is_some() && host.topology.threads.is_some());
        assert!(host.counters.cycles.is_some());
    }
}
