//! [`UsableCpus`]: what threads of a run could run on.

use tlstax_spec::Host;

/// What threads can run on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UsableCpus {
    /// Cores of their own, where known.
    pub cores: Option<u16>,
    /// Hardware threads, of which a core may have two, where known.
    pub logical: Option<u16>,
}

impl UsableCpus {
    /// The machine's, as far as the process may use them.
    pub fn of(host: &Host) -> Self {
        let quota = host.cpu_quota.map_or(u32::MAX, |cpus| cpus.floor().max(1.0) as u32);
        let (all, mask) = (&host.topology, &host.allowed);
        let usable = |counts: [Option<u32>; 2]| {
            let least = counts.into_iter().flatten().min()?;
            u16::try_from(least.min(quota)).ok()
        };
        let cores = usable([all.cores, mask.cores]);
        let logical = usable([all.threads, mask.threads]).or(cores);
        Self { cores: cores.into_iter().chain(logical).min(), logical }
    }

    /// Whether each of so many threads has a core of its own.
    pub fn are_enough_for(&self, threads: u16) -> bool {
        self.cores.is_some_and(|cores| threads <= cores)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of a machine with so many cores and threads, of which the mask and the quota allow so many.
    fn usable(all: [Option<u32>; 2], mask: [Option<u32>; 2], quota: Option<f64>) -> [Option<u16>; 2] {
        let mut host = Host { cpu_quota: quota, ..Host::default() };
        [host.topology.cores, host.topology.threads] = all;
        [host.allowed.cores, host.allowed.threads] = mask;
        let UsableCpus { cores, logical } = UsableCpus::of(&host);
        [cores, logical]
    }

    #[test]
    fn d06_cpus_that_the_affinity_mask_does_not_allow_are_missing() {
        let of = |mask| usable([Some(4), Some(8)], mask, None);
        assert_eq!(of([Some(1), Some(2)]), [Some(1), Some(2)]);
        assert_eq!(of([None, Some(1)]), [Some(1), Some(1)], "where cores are not known");
        assert_eq!(of([None, None]), [Some(4), Some(8)], "an older document");
    }

    #[test]
    fn a_quota_is_as_good_as_missing_cores() {
        let of = |quota| usable([Some(8), Some(16)], [None, None], quota);
        assert_eq!(of(None), [Some(8), Some(16)]);
        assert_eq!(of(Some(2.5)), [Some(2), Some(2)]);
        assert_eq!(usable([None, None], [None, None], None), [None, None]);
    }
}
