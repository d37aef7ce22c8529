//! What is mapped into a process when it is met: /proc/PID/maps.

use std::fs;

use crate::resolve::Mapping;

/// What is mapped to be executed; nothing of a process that has ended or may not be looked at.
pub fn of(pid: u32) -> Vec<Mapping> {
    let text = fs::read(format!("/proc/{pid}/maps")).unwrap_or_default();
    String::from_utf8_lossy(&text).lines().filter_map(parse).collect()
}

/// `start-end permissions offset device inode path`, where the path is the rest of the line and may hold blanks.
fn parse(line: &str) -> Option<Mapping> {
    let mut rest = line;
    let mut field = || {
        let (field, after) = rest.split_once(' ').unwrap_or((rest, ""));
        rest = after;
        field
    };
    let (start, end) = field().split_once('-')?;
    let (permissions, offset, _device, _inode) = (field(), field(), field(), field());
    permissions.contains('x').then_some(())?;
    let number = |text| u64::from_str_radix(text, 16).ok();
    Some(Mapping {
        start: number(start)?,
        end: number(end)?,
        offset: number(offset)?,
        path: rest.trim_start().replace("\\012", "\n"),
        build_id: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_read_and_nothing_else() {
        let line =
            "7f0a1000-7f0b2000 r-xp 0001f000 08:02 173521                     /opt/a b/libx.so (deleted)";
        let mapping = parse(line).unwrap();
        assert_eq!((mapping.start, mapping.end, mapping.offset), (0x7f0a_1000, 0x7f0b_2000, 0x1_f000));
        assert_eq!(mapping.path, "/opt/a b/libx.so (deleted)");
        assert_eq!(parse("7f0a1000-7f0b2000 r--p 00000000 08:02 1 /x"), None);
        assert_eq!(parse("7f00-7f10 rwxp 00000000 00:00 0 ").unwrap().path, "");
        assert_eq!(parse("rubbish"), None);
        assert!(of(std::process::id()).len() > 1 && of(u32::MAX).is_empty());
    }
}
