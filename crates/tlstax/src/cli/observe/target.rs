//! Whom to observe, as flags say it.

use std::path::PathBuf;

use tlstax_measure::accounting;
use tlstax_observe::live::Target;

/// Whom to observe: one of these.
#[derive(Debug, clap::Args)]
#[group(id = "target", multiple = false)]
pub struct TargetArgs {
    /// Processes by their numbers, with all that they have started and will.
    #[arg(long, value_name = "NUMBER", value_delimiter = ',', help_heading = "Whom to observe")]
    pid: Vec<u32>,

    /// All processes of this name, those that start later included.
    #[arg(long, value_name = "PROGRAM", help_heading = "Whom to observe")]
    name: Option<String>,

    /// A control group: its folder, or its path below the root.
    #[arg(long, value_name = "PATH", help_heading = "Whom to observe")]
    cgroup: Option<PathBuf>,

    /// The whole machine.
    #[arg(long, help_heading = "Whom to observe")]
    system: bool,
}

impl TargetArgs {
    pub fn is_named(&self) -> bool {
        !self.pid.is_empty() || self.name.is_some() || self.cgroup.is_some() || self.system
    }

    pub fn target(&self) -> Target {
        match (&self.name, &self.cgroup) {
            (Some(name), _) => Target::Name(name.clone()),
            (_, Some(path)) => Target::Group(path.clone()),
            _ if self.system => Target::System,
            _ => Target::Processes(with_descendants(&self.pid)),
        }
    }
}

/// Processes and all that came from them: of a server one names the master, and its workers do the work.
fn with_descendants(pids: &[u32]) -> Vec<u32> {
    let mut all: Vec<u32> = pids.to_vec();
    for pid in pids.iter().flat_map(|pid| accounting::family(*pid)) {
        if !all.contains(&pid) {
            all.push(pid);
        }
    }
    all
}
