//! [`Target`]: whom a capture is about.

use std::fmt;
use std::path::PathBuf;

use tlstax_measure::accounting;

/// So many processes are named, of a server with its workers the master first.
const NAMED: usize = 3;

/// Whom a capture is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// These processes, with all their threads and whatever they start.
    Processes(Vec<u32>),
    /// All processes of a name, those too that are started later.
    Name(String),
    /// A control group: its folder, or its path below the root of the hierarchy.
    Group(PathBuf),
    /// The whole machine.
    System,
}

impl fmt::Display for Target {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Processes(pids) => {
                let named = |pid: &u32| match accounting::name(*pid) {
                    Some(name) => format!("{pid} ({name})"),
                    None => pid.to_string(),
                };
                write!(to, "--pid {}", pids.iter().take(NAMED).map(named).collect::<Vec<_>>().join(", "))?;
                if pids.len() > NAMED { write!(to, " and {} more", pids.len() - NAMED) } else { Ok(()) }
            }
            Self::Name(name) => write!(to, "--name {name}"),
            Self::Group(path) => write!(to, "--cgroup {}", path.display()),
            Self::System => write!(to, "the whole machine"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_says_who_it_is() {
        let me = std::process::id();
        let name = accounting::name(me).unwrap();
        assert_eq!(Target::Processes(vec![me]).to_string(), format!("--pid {me} ({name})"));
        assert_eq!(Target::Name("nginx".to_owned()).to_string(), "--name nginx");
        assert_eq!(Target::System.to_string(), "the whole machine");
    }
}
