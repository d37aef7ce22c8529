//! Why a capture is not possible.

use std::io;

/// Why a capture is not possible.
#[derive(Debug, thiserror::Error)]
pub enum LiveError {
    #[error(
        "there is no process {pid}: it has ended, or the number is another one's; --name finds processes by their name"
    )]
    NoProcess { pid: u32 },
    #[error(
        "process {pid} ({name}) is a thread of the kernel and runs no program: name the server that it works for, or observe the \
         whole machine with --system"
    )]
    KernelThread { pid: u32, name: String },
    #[error(
        "no process is called {name}{}; --name takes what /proc/PID/comm shows, at most 15 characters",
        near(like)
    )]
    NoName { name: String, like: Vec<String> },
    #[error("there is no control group {path}: {source}{}; systemd-cgls shows them", near(like))]
    NoGroup { path: String, source: io::Error, like: Vec<String> },
    #[error(
        "process {pid} belongs to user {owner}, and this is user {we}: run tlstax as that user or as root, or give it the \
         capability CAP_PERFMON (setcap cap_perfmon,cap_sys_ptrace=ep on the program)"
    )]
    Foreign { pid: u32, owner: u32, we: u32 },
    #[error(
        "the kernel does not let this user observe {whom}: kernel.perf_event_paranoid is {level} and has to be {wanted} or less \
         (sysctl kernel.perf_event_paranoid={wanted}), or tlstax needs root or the capability CAP_PERFMON"
    )]
    Forbidden { whom: &'static str, level: i32, wanted: i32 },
    #[error(
        "the kernel refuses perf_event_open ({source}) though kernel.perf_event_paranoid is {level}: in a container its \
         seccomp profile forbids it; allow that system call and CAP_PERFMON there, or observe from outside of the container with \
         --pid or --cgroup"
    )]
    Refused { level: i32, source: io::Error },
    /// There is no other way: whoever reads /proc learns how much CPU time a process takes, and not in which functions.
    #[error(
        "this kernel has no perf events (perf_event_open: {source}): without them nobody can tell functions apart; build it with \
         CONFIG_PERF_EVENTS, allow the system call in the container, or observe a profile that another tool has made"
    )]
    NoPerf { source: io::Error },
    #[error("this program can observe x86-64 and aarch64 only")]
    Architecture,
    #[error(
        "{threads} threads on {cpus} CPUs need {} files, and this process may open {limit}: raise the limit (ulimit -n), or \
         observe --cgroup or --system, which need one for each CPU", *threads as u64 * *cpus as u64
    )]
    TooManyFiles { threads: usize, cpus: usize, limit: u64 },
    #[error(
        "the kernel allows this user no memory for samples (perf mmap: {source}): raise kernel.perf_event_mlock_kb or the limit \
         of locked memory (ulimit -l), or stop other profilers"
    )]
    NoMemory { source: io::Error },
    #[error("cannot observe {whom}: {source}")]
    Open { whom: String, source: io::Error },
    #[error("no thread of {target} could be observed: all have ended")]
    AllEnded { target: String },
}

/// Names like the one that was asked for.
fn near(like: &[String]) -> String {
    if like.is_empty() { String::new() } else { format!("; is it one of {}?", like.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_says_what_to_do() {
        let like = vec!["nginx".to_owned(), "nginx-debug".to_owned()];
        let error = LiveError::NoName { name: "ngnix".to_owned(), like }.to_string();
        assert!(
            error.starts_with("no process is called ngnix; is it one of nginx, nginx-debug?; "),
            "{error}"
        );
        let error = LiveError::Forbidden { whom: "the whole machine", level: 4, wanted: 0 }.to_string();
        assert!(
            error.contains("perf_event_paranoid is 4")
                && error.contains("sysctl kernel.perf_event_paranoid=0")
        );
        let error = LiveError::TooManyFiles { threads: 300, cpus: 64, limit: 1024 }.to_string();
        assert!(error.contains("19200 files"), "{error}");
    }
}
