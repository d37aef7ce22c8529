//! CPU time of several threads, and of the windows of a load.

use tlstax_spec::{Cpu, Nanos};

/// The sum of several readings; split only if all of them are.
pub fn sum(readings: impl Iterator<Item = Cpu>) -> Cpu {
    let add = |a: Option<Nanos>, b: Option<Nanos>| Some(a? + b?);
    let zero = Cpu { total: Nanos(0), user: Some(Nanos(0)), system: Some(Nanos(0)) };
    readings.fold(zero, |all, one| Cpu {
        total: all.total + one.total,
        user: add(all.user, one.user),
        system: add(all.system, one.system),
    })
}

/// CPU time between two readings. The kernel splits it by ticks, so the split of one window is coarse; summed over the
/// windows of a run it is right.
pub fn used(before: Cpu, after: Cpu) -> Cpu {
    let part = |before: Option<Nanos>, after: Option<Nanos>| Some(after?.since(before?));
    Cpu {
        total: after.total.since(before.total),
        user: part(before.user, after.user),
        system: part(before.system, after.system),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_split_only_if_all_parts_are() {
        let split = Cpu { total: Nanos(3), user: Some(Nanos(1)), system: Some(Nanos(2)) };
        let whole = Cpu { total: Nanos(4), ..Cpu::default() };
        assert_eq!(sum([split, split].into_iter()).user, Some(Nanos(2)));
        assert_eq!(sum([split, whole].into_iter()), Cpu { total: Nanos(7), ..Cpu::default() });
    }
}
