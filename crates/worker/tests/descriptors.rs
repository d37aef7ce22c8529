//! The server of a load that runs out of file descriptors, in a process in which nothing else needs any.
#![allow(clippy::unwrap_used)]

use std::net::{Ipv4Addr, SocketAddrV4};

use rustix::net::{AddressFamily, SocketType, connect, socket};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tlstax_spec::{Case, Id, Load, Side, Workload};
use tlstax_worker::{Control, Pki, prepare};

#[test]
fn the_server_says_what_to_do_about_too_many_open_files() {
    let load = Load { connections: 1, requests_per_connection: 1, ..Load::new(Id::literal("control"), None) };
    let case = Case { library: Id::literal("control"), threads: 1, workload: Workload::Load(load) };
    let mut server = prepare(&Control, &case, Some(Side::Server), None, None, &Pki::new("pki")).unwrap();
    assert_eq!(server.job.usage(0).unwrap().connections, 0);

    let client = socket(AddressFamily::INET, SocketType::STREAM, None).unwrap();
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: Some(64), maximum }).unwrap();
    let filling: Vec<_> = std::iter::from_fn(|| rustix::io::dup(&client).ok()).collect();
    connect(&client, &SocketAddrV4::new(Ipv4Addr::LOCALHOST, server.port.unwrap())).unwrap();

    // The kernel hands the connection over when it gets round to it.
    while server.job.usage(0).is_ok() {
        std::thread::yield_now();
    }
    for _ in 0..2 {
        let error = server.job.usage(0).unwrap_err().to_string();
        assert!(error.contains("64 open files") && error.contains("`ulimit -n`"), "{error}");
    }
    drop(filling);
}
