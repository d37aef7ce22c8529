//! [`Metric`]: the costs of a batch, and which of them count for a case.

use tlstax_spec::{Case, Cpu, Sample, Workload};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Metric {
    /// CPU time of everything that did the work.
    Cpu,
    Wall,
    Client,
    Server,
    /// Instructions in user space, of a run that counts them.
    Instructions,
    ClientInstructions,
    ServerInstructions,
}

impl Metric {
    /// Every metric, in the order of tables.
    pub const ALL: [Self; 7] = [
        Self::Cpu,
        Self::Wall,
        Self::Client,
        Self::Server,
        Self::Instructions,
        Self::ClientInstructions,
        Self::ServerInstructions,
    ];

    /// One word in lower case, or two with a hyphen.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Wall => "wall",
            Self::Client => "client",
            Self::Server => "server",
            Self::Instructions => "instructions",
            Self::ClientInstructions => "client-instructions",
            Self::ServerInstructions => "server-instructions",
        }
    }

    /// Whether it is a count, and no time.
    pub const fn is_count(self) -> bool {
        matches!(self, Self::Instructions | Self::ClientInstructions | Self::ServerInstructions)
    }

    /// The cost of one iteration of a sample, in nanoseconds or instructions; none where the sample has no such side, or where its
    /// sides were disturbed.
    pub fn cost(self, sample: &Sample) -> Option<f64> {
        let side = |side: Option<Cpu>| side.map(|cpu| cpu.total).filter(|_| !is_preempted(sample));
        let spent = match self {
            Self::Cpu => sample.cpu.total.0,
            Self::Wall => sample.wall.0,
            Self::Client => side(sample.client)?.0,
            Self::Server => side(sample.server)?.0,
            Self::Instructions => sample.instructions.as_ref()?.whole,
            Self::ClientInstructions => sample.instructions.as_ref()?.client?,
            Self::ServerInstructions => sample.instructions.as_ref()?.server?,
        };
        (sample.iterations > 0).then(|| spent as f64 / sample.iterations as f64)
    }

    /// The cost of one iteration in each part of a sample, in nanoseconds and in order; none where only the whole is known.
    pub fn parts(self, sample: &Sample) -> Vec<f64> {
        let parts = match self {
            Self::Cpu => &sample.parts.whole,
            // The parts of several threads would overlap; counts have none.
            Self::Wall | Self::Instructions | Self::ClientInstructions | Self::ServerInstructions => {
                return Vec::new();
            }
            Self::Client => &sample.parts.client,
            Self::Server => &sample.parts.server,
        };
        let each = sample.iterations as f64 / parts.len() as f64;
        parts.iter().map(|part| part.0 as f64 / each).collect()
    }
}

/// In memory the CPU time of the two sides is attributed by elapsed time. Where they add up to more than this multiple of
/// the thread's CPU time, the thread was preempted, and which side that hit is chance.
const PREEMPTED: f64 = 1.02;

fn is_preempted(sample: &Sample) -> bool {
    let sides = sample.client.zip(sample.server).map(|(client, server)| client.total + server.total);
    sides.is_some_and(|sides| sides.0 as f64 > sample.cpu.total.0 as f64 * PREEMPTED)
}

/// What a metric of a case is used for. Each use implies those before it: what decides when a case is done is compared,
/// and what is compared is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Use {
    /// It is a figure of the report and of its data.
    Report,
    Comparison,
    /// It must be as precise as the study asks before the case is done.
    StopRule,
}

impl Metric {
    /// The metrics of a case that have this use, in the order of tables. Memory of idle connections is no cost of a batch:
    /// such a case has none.
    pub fn of(case: &Case, wanted: Use) -> impl Iterator<Item = Self> {
        uses(case).iter().filter(move |(_, most)| *most >= wanted).map(|(metric, _)| *metric)
    }
}

impl Metric {
    /// What is counted of a case, in the order of tables; nothing of what cannot be counted.
    pub const fn counted(case: &Case) -> &'static [Self] {
        match &case.workload {
            Workload::Primitive(_) => &[Self::Instructions],
            Workload::Handshake(_) | Workload::Bulk(_) => {
                &[Self::ClientInstructions, Self::ServerInstructions]
            }
            Workload::Idle(_) | Workload::Load(_) => &[],
        }
    }
}

/// The metrics of a case, each with the last of its uses.
fn uses(case: &Case) -> &'static [(Metric, Use)] {
    use Metric::{Client, Cpu, Server, Wall};
    use Use::{Comparison, Report, StopRule};
    match &case.workload {
        // What threads lose to each other is elapsed time.
        Workload::Primitive(_) if case.threads > 1 => &[(Wall, StopRule)],
        Workload::Primitive(_) => &[(Cpu, StopRule)],
        Workload::Handshake(_) if case.threads > 1 => {
            &[(Client, StopRule), (Server, StopRule), (Wall, Comparison)]
        }
        Workload::Handshake(_) | Workload::Bulk(_) => &[(Client, StopRule), (Server, StopRule)],
        Workload::Idle(_) => &[],
        // The elapsed time of an open loop is set by the clock.
        Workload::Load(load) if load.rate > 0 => &[(Server, StopRule), (Client, StopRule)],
        // That of a closed loop holds the client and the network as well: it is a poor measure of a change.
        Workload::Load(_) => &[(Server, StopRule), (Client, StopRule), (Wall, Report)],
    }
}

#[cfg(test)]
mod tests {
    use tlstax_spec::{Id, Load};

    use super::*;

    #[test]
    fn the_elapsed_time_of_a_load_is_reported_and_not_compared() {
        let load = Load::new(Id::literal("a"), None);
        let case = Case { library: Id::literal("a"), threads: 1, workload: Workload::Load(load) };
        let of = |wanted| Metric::of(&case, wanted).collect::<Vec<_>>();
        assert_eq!(of(Use::Report), [Metric::Server, Metric::Client, Metric::Wall]);
        assert_eq!(of(Use::Comparison), [Metric::Server, Metric::Client]);
        assert_eq!(of(Use::StopRule), of(Use::Comparison));
    }
}
