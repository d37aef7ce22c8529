//! From a matrix to its cases.

use tlstax_spec::{
    Bulk, Case, Direction, Group, Handshake, Id, Idle, Key, Load, Page, Params, Primitive, Resumption, Suite,
    Version, Workload,
};

use super::contradiction::Explain;
use super::error::StudyError;
use super::form::{Origin, Study};
use super::limits::MAX_CASES;
use super::load_matrix::LoadMatrix;
use super::matrix::{BulkMatrix, HandshakeMatrix, IdleMatrix, PrimitiveMatrix};

impl Study {
    /// Every case of the study for those who take part, in the order of tables.
    ///
    /// # Errors
    /// The study has a number out of range, or no case.
    pub fn cases(&self, cast: &Cast<'_>) -> Result<Vec<Case>, StudyError> {
        let Cast { libraries, servers, control_row, .. } = *cast;
        self.check()?;
        let with_control_row = || libraries.iter().chain(control_row);
        let mut cases = Vec::new();
        for matrix in &self.primitive {
            let work = self.some(matrix, primitives(matrix))?;
            self.push(&mut cases, libraries.iter(), &work)?;
        }
        for matrix in &self.handshake {
            let work = self.some(matrix, handshakes(matrix))?;
            self.push(&mut cases, with_control_row(), &work)?;
        }
        for matrix in &self.bulk {
            let work = self.some(matrix, bulks(matrix))?;
            self.push(&mut cases, with_control_row(), &work)?;
        }
        for matrix in &self.idle {
            let work = self.some(matrix, idles(matrix))?;
            self.push(&mut cases, libraries.iter(), &work)?;
        }
        for matrix in &self.load {
            if let Some(why) = matrix.contradiction(self.origin) {
                return Err(self.empty("[[load]]", why));
            }
            for server in serving(matrix, cast) {
                let own = if (cast.is_peer)(server) { &LEAN } else { server };
                for client in clients(matrix, own, cast.usable) {
                    let work = self.some(matrix, loads(matrix, client))?;
                    self.push(&mut cases, std::iter::once(server), &work)?;
                }
            }
        }
        if cases.is_empty() && !servers.is_empty() {
            return Err(StudyError::OnlyLoads { study: self.name.clone(), names: servers.join(", ") });
        }
        if cases.is_empty() {
            return Err(StudyError::Nothing(self.name.clone()));
        }
        Ok(unique(cases))
    }

    /// The libraries that the study names as clients of its loads.
    pub fn clients(&self) -> impl Iterator<Item = &Id> {
        self.load.iter().flat_map(|matrix| &matrix.clients)
    }

    /// Those that the study names as servers of its loads.
    pub fn servers(&self) -> impl Iterator<Item = &Id> {
        self.load.iter().flat_map(|matrix| &matrix.servers)
    }

    fn some(
        &self,
        matrix: &impl Explain,
        work: Vec<(u64, Workload)>,
    ) -> Result<Vec<(u64, Workload)>, StudyError> {
        if !work.is_empty() {
            return Ok(work);
        }
        let (place, why) = matrix.explain(self.origin);
        Err(self.empty(place, why))
    }

    fn empty(&self, place: &str, why: String) -> StudyError {
        let place = match self.origin {
            Origin::File => format!("study '{}', {place}: ", self.name),
            Origin::Flags => String::new(),
        };
        StudyError::Empty { place, why }
    }

    fn push<'a>(
        &self,
        cases: &mut Vec<Case>,
        libraries: impl Iterator<Item = &'a Id>,
        work: &[(u64, Workload)],
    ) -> Result<(), StudyError> {
        for library in libraries {
            self.few_enough("cases", cases.len() + work.len(), MAX_CASES)?;
            cases.extend(work.iter().map(|(threads, workload)| Case {
                library: library.clone(),
                threads: narrow(*threads),
                workload: workload.clone(),
            }));
        }
        Ok(())
    }
}

/// Who takes part in a study.
#[derive(Clone, Copy)]
pub struct Cast<'a> {
    /// The libraries that are measured.
    pub libraries: &'a [Id],
    /// The real servers that are measured.
    pub servers: &'a [Id],
    /// The library without crypto, which takes part wherever there are handshakes or bulk data.
    pub control_row: Option<&'a Id>,
    /// Whether an id is that of a real server or client.
    pub is_peer: &'a dyn Fn(&str) -> bool,
    /// Whether a client can be used; a library that cannot is replaced by the server's own.
    pub usable: &'a dyn Fn(&str) -> bool,
}

/// Who serves the loads of a matrix.
fn serving<'a>(matrix: &'a LoadMatrix, cast: &Cast<'a>) -> Vec<&'a Id> {
    let named = cast.servers.iter();
    if matrix.servers.is_empty() {
        return cast.libraries.iter().chain(named).collect();
    }
    let (peers, libraries): (Vec<&Id>, Vec<&Id>) =
        matrix.servers.iter().partition(|server| (cast.is_peer)(server));
    // Real servers that the user names take the place of the study's.
    let peers = if cast.servers.is_empty() || peers.is_empty() { peers } else { named.collect() };
    peers.into_iter().chain(libraries).collect()
}

/// The client of a real server where none is named.
pub(crate) static LEAN: Id = Id::literal("lean");

/// The clients of a matrix for one server; `own` is the one that takes the place of none, and of one that is not usable.
fn clients<'a>(matrix: &'a LoadMatrix, own: &'a Id, usable: impl Fn(&str) -> bool) -> Vec<&'a Id> {
    if matrix.clients.is_empty() {
        return vec![own];
    }
    let mut found: Vec<&Id> = Vec::new();
    for client in &matrix.clients {
        let client = if usable(client) { client } else { own };
        if !found.contains(&client) {
            found.push(client);
        }
    }
    found
}

/// Matrices may overlap; a case is measured once.
fn unique(cases: Vec<Case>) -> Vec<Case> {
    let mut seen = std::collections::HashSet::new();
    cases.into_iter().filter(|case| seen.insert(case.clone())).collect()
}

/// Every number has passed [`Study::check`], whose limits lie within the narrower types.
fn narrow<T: TryFrom<u64>>(number: u64) -> T {
    T::try_from(number).unwrap_or_else(|_| unreachable!("{number} is within the limits of a study"))
}

fn primitives(matrix: &PrimitiveMatrix) -> Vec<(u64, Workload)> {
    let mut work = Vec::new();
    for &algorithm in &matrix.algorithms {
        let sizes = if algorithm.class().is_sized() { matrix.sizes.as_slice() } else { &[0] };
        let ops = algorithm.ops().iter().filter(|op| matrix.ops.is_empty() || matrix.ops.contains(op));
        for (&op, &size, &pattern, &threads) in product4(ops, sizes, &matrix.patterns, &matrix.threads) {
            let primitive = Primitive { op, algorithm, size: narrow(size), pattern };
            work.push((threads, Workload::Primitive(primitive)));
        }
    }
    work
}

/// Every combination of an item of each, the last varying fastest.
fn product4<'a, A: Clone + 'a, B, C, D>(
    first: impl Iterator<Item = A> + 'a,
    second: &'a [B],
    third: &'a [C],
    fourth: &'a [D],
) -> impl Iterator<Item = (A, &'a B, &'a C, &'a D)> + 'a {
    let tails: Vec<_> = second
        .iter()
        .flat_map(|b| third.iter().flat_map(move |c| fourth.iter().map(move |d| (b, c, d))))
        .collect();
    first.flat_map(move |a| tails.clone().into_iter().map(move |(b, c, d)| (a.clone(), b, c, d)))
}

/// The parameters that can occur together; a suite with RSA key transport takes part once, without a group.
pub(super) fn params(versions: &[Version], suites: &[Suite], groups: &[Group], keys: &[Key]) -> Vec<Params> {
    let mut found = Vec::new();
    for (&version, &suite, &key) in versions.iter().flat_map(|version| {
        suites.iter().flat_map(move |suite| keys.iter().map(move |key| (version, suite, key)))
    }) {
        let groups = groups.iter().copied().map(Some).chain([None]);
        found.extend(groups.map(|group| Params { version, suite, group, key }).filter(Params::is_coherent));
    }
    found
}

fn handshakes(matrix: &HandshakeMatrix) -> Vec<(u64, Workload)> {
    let mut work = Vec::new();
    for params in params(&matrix.versions, &matrix.suites, &matrix.groups, &matrix.keys) {
        let resumptions = matrix.resumptions.iter().copied().filter(|kind| kind.fits(params.version));
        for (resumption, &chain, &mutual, &threads) in
            product4(resumptions, &matrix.chains, &matrix.mutual, &matrix.threads)
        {
            let each = matrix.contexts.iter().map(|&contexts| {
                let handshake = Handshake { params, chain: narrow(chain), resumption, mutual, contexts };
                (threads, Workload::Handshake(handshake))
            });
            work.extend(each);
        }
    }
    work
}

fn bulks(matrix: &BulkMatrix) -> Vec<(u64, Workload)> {
    let mut work = Vec::new();
    for params in params(&matrix.versions, &matrix.suites, &matrix.groups, &matrix.keys) {
        for (&direction, &record, &write, &buffer) in
            product4(matrix.directions.iter(), &matrix.records, &matrix.writes, &matrix.buffers)
        {
            let bulk = Bulk {
                params,
                direction,
                record: narrow(record),
                write: narrow(write),
                buffer: narrow(buffer),
            };
            work.push((1, Workload::Bulk(bulk)));
        }
    }
    work
}

fn idles(matrix: &IdleMatrix) -> Vec<(u64, Workload)> {
    let mut work = Vec::new();
    for params in params(&matrix.versions, &matrix.suites, &matrix.groups, &matrix.keys) {
        for &side in &matrix.sides {
            work.extend(matrix.connections.iter().map(|&connections| {
                (1, Workload::Idle(Idle { params, side, connections: narrow(connections) }))
            }));
        }
    }
    work
}

fn loads(matrix: &LoadMatrix, client: &Id) -> Vec<(u64, Workload)> {
    let mut kinds: Vec<Load> = Vec::new();
    if matrix.plain {
        kinds.push(Load::new(client.clone(), None));
    }
    for params in params(&matrix.versions, &matrix.suites, &matrix.groups, &matrix.keys) {
        let resumptions = matrix.resumptions.iter().copied().filter(|kind| kind.fits(params.version));
        kinds.extend(
            resumptions.map(|resumption| Load { resumption, ..Load::new(client.clone(), Some(params)) }),
        );
    }
    let loads = Loads(kinds)
        .each(&matrix.http, |load, http| load.http = http)
        .each(&matrix.resumed_percent, |load, percent| load.resumed_percent = narrow(percent))
        .each(&matrix.connections, |load, connections| load.connections = narrow(connections))
        .each(&matrix.requests_per_connection, |load, requests| {
            load.requests_per_connection = narrow(requests)
        })
        .each(&matrix.rates, |load, rate| load.rate = narrow(rate))
        .each(&matrix.directions, |load, direction| load.direction = direction)
        .each(&matrix.pages, |load, page| load.page = page)
        .each(&matrix.bodies, |load, body| load.body = narrow(body))
        .each(&matrix.work_us, |load, work_us| load.work_us = narrow(work_us))
        .each(&matrix.sendfile, |load, sendfile| load.tuning.sendfile = sendfile)
        .each(&matrix.tls_buffers, |load, bytes| load.tuning.tls_buffer = narrow(bytes))
        .each(&matrix.workers, |load, workers| load.tuning.workers = narrow(workers))
        .each(&matrix.pinned, |load, pinned| load.tuning.pinned = pinned)
        .each(&matrix.sessions, |load, sessions| load.tuning.sessions = sessions);
    let with_threads =
        |load: Load| matrix.threads.iter().map(move |threads| (*threads, Workload::Load(load.clone())));
    loads.0.into_iter().filter(makes_sense).flat_map(with_threads).collect()
}

/// Loads, on the way to every combination; the last variable varies fastest.
struct Loads(Vec<Load>);

impl Loads {
    fn each<T: Copy>(self, values: &[T], set: impl Fn(&mut Load, T)) -> Self {
        let with = |load: Load| {
            let set = &set;
            values.iter().map(move |value| {
                let mut load = load.clone();
                set(&mut load, *value);
                load
            })
        };
        Self(self.0.into_iter().flat_map(with).collect())
    }
}

/// A variable that changes nothing for a load makes no further case of it.
fn makes_sense(load: &Load) -> bool {
    let usual = Load::new(load.client.clone(), None);
    let is_https = load.params.is_some();
    let resumes = is_https && load.resumption != Resumption::Full;
    (load.tuning.sendfile
        || (!is_https && load.page == Page::Static && load.direction == Direction::Download))
        && (resumes
            || (load.resumed_percent == usual.resumed_percent
                && load.tuning.sessions == usual.tuning.sessions))
        && (is_https || load.tuning.tls_buffer == usual.tuning.tls_buffer)
}
