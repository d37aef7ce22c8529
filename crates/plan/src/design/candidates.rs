//! The loads to choose from.

use tlstax_spec::{Case, Http, Id, Load, Params, Resumption, Suite, Tuning, Workload};

use super::scope::Scope;
use crate::work::base_of;

/// Bodies of loads whose connections are kept: all knots, some between them, and the largest that is one record with its head, and the
/// largest that is one buffer, which tell what a record and a buffer cost.
const KEPT: [u32; 10] =
    [256, 4 << 10, 15 << 10, 16 << 10, 32 << 10, 48 << 10, 64 << 10, 128 << 10, 256 << 10, 1 << 20];

/// Bodies of loads with new connections: they are to tell connections, which large bodies hide.
const NEW: [u32; 2] = [256, 16 << 10];

/// Of a hundred connections so many resume: of all of them tell a resumption, and of half of them what the others pay for sessions.
const RESUMED: [u8; 2] = [100, 50];

/// Requests on one connection.
const FEW: [u32; 3] = [1, 4, 16];

/// The size of records that tells what a record costs.
const SMALL_RECORD: u32 = 4 << 10;

/// The loads to choose from, on a server and from a client.
pub fn candidates(server: &Id, client: &Id, scope: &Scope) -> Vec<Case> {
    let load = |params: Option<Params>, body: u32| Load { body, ..Load::new(client.clone(), params) };
    let mut loads = plain(&load);
    let mut protected: Vec<Suite> = Vec::new();
    for params in scope.params() {
        for http in scope.http_of(params) {
            loads.extend(new(&load, params, http, scope));
        }
        // What a kept connection costs depends on what its records are protected by, and on nothing else.
        let suite = base_of(params.suite);
        if !protected.contains(&suite) {
            loads.extend(scope.http_of(params).flat_map(|http| kept(&load, params, http)));
            protected.push(suite);
        }
    }
    loads.extend(scope.params().first().into_iter().flat_map(|params| small_records(&load, *params)));
    let case = |load| Case { library: server.clone(), threads: 1, workload: Workload::Load(load) };
    loads.into_iter().map(case).collect()
}

/// Makes a load of what is negotiated and the size of bodies.
type Make<'m> = &'m dyn Fn(Option<Params>, u32) -> Load;

fn plain(load: Make<'_>) -> Vec<Load> {
    let tuned = |sendfile: bool| Tuning { sendfile, ..Tuning::default() };
    let kept = KEPT
        .iter()
        .flat_map(|body| [true, false].map(|sendfile| Load { tuning: tuned(sendfile), ..load(None, *body) }));
    let new = FEW.iter().flat_map(|few| {
        NEW.iter().map(move |body| Load { requests_per_connection: *few, ..load(None, *body) })
    });
    kept.chain(new).collect()
}

fn kept(load: Make<'_>, params: Params, http: Http) -> impl Iterator<Item = Load> {
    KEPT.iter().map(move |body| Load { http, ..load(Some(params), *body) })
}

fn new(load: Make<'_>, params: Params, http: Http, scope: &Scope) -> Vec<Load> {
    let resuming = scope.resumptions_of(params.version).flat_map(|way| RESUMED.map(|percent| (way, percent)));
    std::iter::once((Resumption::Full, RESUMED[0]))
        .chain(resuming)
        .flat_map(|(resumption, resumed_percent)| {
            FEW.iter().flat_map(move |few| {
                let of = move |body: &u32| Load {
                    http,
                    resumption,
                    resumed_percent,
                    requests_per_connection: *few,
                    ..load(Some(params), *body)
                };
                NEW.iter().map(of)
            })
        })
        .collect()
}

fn small_records(load: Make<'_>, params: Params) -> impl Iterator<Item = Load> {
    let tuning = Tuning { tls_buffer: SMALL_RECORD, ..Tuning::default() };
    [16 << 10, 64 << 10, 256 << 10].into_iter().map(move |body| Load { tuning, ..load(Some(params), body) })
}
