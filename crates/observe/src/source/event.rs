//! What makes a sample: the events of perf by name.

use tlstax_doc::Unit;

/// What the period of an event counts, the most telling for CPU time first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Cycles,
    /// Nanoseconds of CPU time.
    Clock,
    /// Something else: instructions, faults, system calls.
    Other,
}

impl Kind {
    pub const fn unit(self) -> Unit {
        match self {
            Self::Cycles => Unit::Cycles,
            Self::Clock => Unit::Nanoseconds,
            Self::Other => Unit::Samples,
        }
    }
}

/// The name of an event without its modifiers and its unit of the CPU: `cycles` of `cycles:ppp`, `cpu_core/cycles/` and
/// `cpu-cycles:u`, so that those of the two kinds of cores of one machine are one.
pub fn plain(event: &str) -> &str {
    let event = event.trim_end_matches(':');
    let event = match event.rsplit_once(':') {
        Some((name, modifiers)) if is_modifiers(modifiers) => name,
        _ => event,
    };
    let inner =
        event.split_once('/').map_or(event, |(_, inner)| inner.split(['/', ',']).next().unwrap_or(inner));
    match inner {
        "cpu-cycles" | "cpu_clk_unhalted.thread" => "cycles",
        _ if inner.contains('=') || inner.is_empty() => event,
        _ => inner,
    }
}

/// The letters that perf takes behind the name of an event (perf-list(1), EVENT MODIFIERS).
fn is_modifiers(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|letter| b"ukhIGHpPSDWebR".contains(&letter))
}

pub fn kind(plain: &str) -> Kind {
    match plain {
        "cycles" => Kind::Cycles,
        "cpu-clock" | "task-clock" => Kind::Clock,
        _ => Kind::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_the_same_whatever_the_modifiers_and_the_kind_of_core() {
        for event in
            ["cycles", "cycles:ppp", "cycles:P:", "cpu-cycles:u", "cpu_core/cycles/", "cpu_atom/cycles/P"]
        {
            assert_eq!(plain(event), "cycles", "{event}");
        }
        assert_eq!(plain("cpu-clock:pppH:"), "cpu-clock");
        assert_eq!(plain("sched:sched_switch:"), "sched:sched_switch");
        assert_eq!(plain("cpu/event=0x3c,umask=0x0/"), "cpu/event=0x3c,umask=0x0/");
        assert_eq!((kind("task-clock"), kind("instructions")), (Kind::Clock, Kind::Other));
    }
}
