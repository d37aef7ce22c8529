//! What the first frame of each stack is: a function, or the name of the process, which `stackcollapse-perf` puts there.

use memchr::memchr;

use super::line;

/// What the first frame of each stack is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FirstFrame {
    Function,
    /// The name of the process.
    Name,
    /// The name of the process, `-`, its number, and where it is known `/` and that of the thread.
    NameAndNumber,
}

/// The kernel keeps so many bytes of a name (`TASK_COMM_LEN` without the end).
const LONGEST_NAME: usize = 15;

/// Functions that stacks begin with.
const ROOTS: [&[u8]; 16] = [
    b"main",
    b"_start",
    b"start",
    b"clone",
    b"clone3",
    b"__clone",
    b"__clone3",
    b"start_thread",
    b"thread_start",
    b"all",
    b"root",
    b"total",
    b"[unknown]",
    b"runtime.main",
    b"runtime.goexit",
    b"ret_from_fork",
];

impl FirstFrame {
    /// By the first lines: it is a name where it can be one in all of them.
    pub fn of(head: &[u8]) -> Self {
        let lines = head.split(|byte| *byte == b'\n').take(1000).filter_map(line::parse);
        let firsts: Vec<&[u8]> = lines.map(|(stack, _)| first(stack).0).collect();
        if firsts.is_empty() || !firsts.iter().all(|first| numbered(first).is_some() || is_name(first)) {
            Self::Function
        } else if firsts.iter().all(|first| numbered(first).is_some()) {
            Self::NameAndNumber
        } else {
            Self::Name
        }
    }
}

/// The first frame, and the others.
pub fn first(stack: &[u8]) -> (&[u8], &[u8]) {
    memchr(b';', stack).map_or((stack, &[]), |at| (&stack[..at], &stack[at + 1..]))
}

/// The name and the number of a process: `nginx-4711`, `nginx-4711/4712`, `nginx-?`.
pub fn numbered(frame: &[u8]) -> Option<(&[u8], Option<u32>)> {
    let dash = memchr::memrchr(b'-', frame)?;
    let (name, number) = (&frame[..dash], &frame[dash + 1..]);
    let number = number.split(|byte| *byte == b'/').next().unwrap_or(number);
    if name.is_empty() || name.len() > LONGEST_NAME {
        return None;
    }
    if number == b"?" {
        return Some((name, None));
    }
    let number: u32 = std::str::from_utf8(number).ok()?.parse().ok()?;
    Some((name, Some(number)))
}

/// Whether it can be the name of a process. Names of functions with the marks of C++, Rust, Java and Go are none.
fn is_name(frame: &[u8]) -> bool {
    let has_mark =
        frame.iter().any(|byte| b"(`$*".contains(byte)) || frame.windows(2).any(|two| two == b"::");
    !has_mark && !frame.is_empty() && frame.len() <= LONGEST_NAME && !ROOTS.contains(&frame)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_a_name_where_it_can_be_one_in_every_line() {
        assert_eq!(FirstFrame::of(b"nginx;main;write 3\nopenssl;main 1\n"), FirstFrame::Name);
        assert_eq!(FirstFrame::of(b"nginx;main;write 3\nmain;read 1\n"), FirstFrame::Function);
        assert_eq!(FirstFrame::of(b"nginx-12;main 3\ntokio-worker-13/14;x 1\n"), FirstFrame::NameAndNumber);
        assert_eq!(FirstFrame::of(b"nginx-12;main 3\nnginx;x 1\n"), FirstFrame::Name);
        assert_eq!(FirstFrame::of(b"std::rt::lang_start;x 1\n"), FirstFrame::Function);
        assert_eq!(FirstFrame::of(b"\n"), FirstFrame::Function);
    }

    #[test]
    fn a_name_may_have_dashes_of_its_own() {
        assert_eq!(numbered(b"tokio-runtime-w-13/14"), Some((&b"tokio-runtime-w"[..], Some(13))));
        assert_eq!(numbered(b"nginx-?"), Some((&b"nginx"[..], None)));
        assert_eq!(numbered(b"nginx"), None);
        assert_eq!(numbered(b"-12"), None);
    }
}
