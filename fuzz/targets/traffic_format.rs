//! Format strings, and configurations with them: what is refused says where; what is not reads lines.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tlstax_traffic::{AccessLog, Configuration, Layout, Lines, Server, Tally};

const SERVERS: [Server; 5] = [Server::Nginx, Server::Apache, Server::Lighttpd, Server::HAProxy, Server::Alb];

fuzz_target!(|bytes: &[u8]| {
    let Some((first, text)) = bytes.split_first() else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    let server = SERVERS[usize::from(*first) % SERVERS.len()];
    match Layout::compiled(server, text) {
        // The text of a format is much like a line of it.
        Ok(layout) => read(layout, text.as_bytes()),
        Err(error) => assert!(error.to_string().starts_with("the format of ")),
    }
    let mut configuration = Configuration::new(server);
    match configuration.read(text, "fuzzed.conf") {
        Ok(_) => {
            let _ = configuration.only_layout();
            for name in configuration.names() {
                let _ = configuration.layout(name);
            }
        }
        Err(error) => assert!(error.place.starts_with("fuzzed.conf:")),
    }
});

fn read(layout: Layout, line: &[u8]) {
    let mut tally = Tally::default();
    if let Ok(Some(seen)) = AccessLog::new(layout).read(line, &mut Default::default(), &mut tally) {
        tally.add(&seen);
    }
}
