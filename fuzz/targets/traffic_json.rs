//! Lines of JSON: what they are said to be is counted.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tlstax_traffic::{Classes, Field, JsonLog};

#[path = "../shared/traffic.rs"]
mod traffic;

fuzz_target!(|bytes: &[u8]| {
    let classes = Classes::parse(["shop=*.shop.example"]).expect("it is of the form");
    for program in ["caddy", "zeek-ssl", "zeek-conn"] {
        let log = JsonLog::of_program(program).expect("it is known");
        traffic::check(log.with_classes(classes.clone()), bytes);
    }
    let mapped = Field::ALL.into_iter().map(|field| (field.word(), field));
    traffic::check(JsonLog::of_paths("json", mapped), bytes);
    let variables = ["msec", "ssl_protocol", "ssl_cipher", "request", "connection_requests", "bytes_sent"];
    traffic::check(JsonLog::of_nginx(variables.map(|name| (name, name))), bytes);
});
