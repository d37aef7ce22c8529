//! Memory of idle connections, in a process in which nothing else allocates: another test here would.
#![allow(clippy::unwrap_used)]

use tlstax_spec::{Case, Id, Idle, Side, Workload};
use tlstax_worker::{Batch, Control, Pki, USUAL, prepare};

/// The control's connection holds a buffer of 16 KiB: no generation may find it in the memory of the one before. Where the
/// allocator has untouched pages for it, half of it or so is never resident.
#[test]
fn every_generation_grows() {
    let case = idle(200);
    let mut prepared = prepare(&Control, &case, None, None, None, &Pki::new("pki")).unwrap();
    for _ in 0..3 {
        let (sample, proof) = prepared.job.run(Batch::whole(1, 0)).unwrap();
        assert_eq!((sample.iterations, proof.handshakes), (200, 200));
        let each = sample.bytes.0 / 200;
        assert!((8 << 10..32 << 10).contains(&each), "{each} bytes for one connection");
        proof.check(&case.workload).unwrap();
    }
}

fn idle(connections: u32) -> Case {
    let workload = Workload::Idle(Idle { params: USUAL, side: Side::Server, connections });
    Case { library: Id::literal("control"), threads: 1, workload }
}
