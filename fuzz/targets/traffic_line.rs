//! Lines of access logs, by all formats that are known: nothing of them but words of registries gets into a workload.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use tlstax_doc::Tool;
use tlstax_traffic::{AccessLog, Layout, Lines, Server, Tally, fitting_formats, known_formats};

static LOGS: LazyLock<Vec<AccessLog>> = LazyLock::new(|| {
    let raw = r#"escape=none $remote_user "$request" "$http_user_agent" $status $bytes_sent $ssl_protocol $ssl_cipher $host"#;
    let raw = Layout::compiled(Server::Nginx, raw).expect("it can be compiled");
    known_formats().map(|known| known.layout()).chain([raw]).map(AccessLog::new).collect()
});

fuzz_target!(|bytes: &[u8]| {
    let Some((first, text)) = bytes.split_first() else { return };
    let log = &LOGS[usize::from(*first) % LOGS.len()];
    let (mut memory, mut tally) = (Default::default(), Tally::default());
    let lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
    for line in &lines {
        match log.read(line, &mut memory, &mut tally) {
            Ok(Some(seen)) => tally.add(&seen),
            Ok(None) => {}
            Err(bad) => tally.add_bad(bad),
        }
    }
    fitting_formats(&lines[..lines.len().min(4)]);
    let tool = Tool { name: "tlstax".to_owned(), version: "0".to_owned(), reference_kernels: 0 };
    let workload = tally.into_workload(tool, log.format(), log.tells());
    for share in &workload.shares {
        let words = [&share.kind.suite, &share.kind.group, &share.kind.key];
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        assert!(words.into_iter().flatten().all(|word| word.bytes().all(is_word)));
        assert!(share.kind.class.is_none());
    }
});
