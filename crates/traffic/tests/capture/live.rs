//! The packets of an interface.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

use tlstax_traffic::capture::{self, Capture, CaptureError};
use tlstax_traffic::{Tally, Window};

use crate::made::{Burst, tls13};
use crate::read::{shares, tool};

/// Both ends say what they have to, one after the other.
fn talk(bursts: &[Burst]) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let (mut server, _) = listener.accept().unwrap();
    for burst in bursts {
        let (from, to) =
            if burst.is_client { (&mut client, &mut server) } else { (&mut server, &mut client) };
        from.write_all(&burst.bytes).unwrap();
        to.read_exact(&mut vec![0; burst.bytes.len()]).unwrap();
    }
}

#[test]
fn what_passes_the_loopback_is_counted_once() {
    // Others may use it meanwhile.
    let class = |name: &[u8]| (name == b"live.test").then(|| "ours".to_owned());
    let mut tally = Tally::new(Window::default());
    let mut capture = Capture::new(&class);
    let (mut talking, mut asked) = (None, 0);
    let is_over = || {
        // The socket listens when this is asked first.
        let talking = talking.get_or_insert_with(|| thread::spawn(|| talk(&tls13("live.test", 2, 16_401))));
        asked += u32::from(talking.is_finished());
        asked > 5
    };
    match capture.listen("lo", is_over, &mut tally) {
        Ok(()) => {}
        Err(CaptureError::Forbidden { .. }) => return,
        Err(error) => panic!("{error}"),
    }
    let facts = capture.end(&mut tally);
    // On a machine that is busy enough, some of it may be lost, which is said.
    if facts.dropped.unwrap() > 0 {
        return;
    }
    let workload = tally.into_workload(tool(), capture::FORMAT, []);
    let ours: Vec<String> = shares(&workload).into_iter().filter(|share| share.starts_with("ours")).collect();
    assert_eq!(ours, ["ours TLSv1.3 TLS_AES_128_GCM_SHA256 X25519 full: 1 and 0 failed, 32812 out, 305 in"]);
}

#[test]
fn an_interface_that_is_not_there_is_told() {
    let mut capture = Capture::new(&|_| None);
    let error = capture.listen("nosuch0", || true, &mut Tally::default()).unwrap_err();
    assert_eq!(error.to_string(), "there is no interface nosuch0: `ip link` lists those that there are");
}
