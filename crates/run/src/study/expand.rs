//! From a matrix to its cases.

use std::collections::HashSet;

use tlstax_spec::{
    Bulk, Bytes, Case, Compression, Direction, Handshake, Id, Idle, Load, Page, Pattern, Primitive,
    Resumption, Workload,
};

use super::error::StudyError;
use super::form::{Origin, Study};
use super::limits::MAX_CASES;
use super::matrices::{BulkMatrix, HandshakeMatrix, IdleMatrix, LoadMatrix, PrimitiveMatrix};
use super::matrix::{Draft, Matrix, Narrow, combine};

impl Study {
    /// Every case of the study for those who take part, in the order of tables.
    ///
    /// # Errors
    /// The study has a number out of range, or no case.
    pub fn cases(&self, cast: &Cast<'_>) -> Result<Vec<Case>, StudyError> {
        self.check()?;
        let mut cases = Vec::new();
        self.push_work_of_libraries(&mut cases, cast)?;
        self.push_loads(&mut cases, cast)?;
        self.few_enough("cases", cases.len() + self.exactly.len(), MAX_CASES)?;
        cases.extend(self.exactly.iter().cloned());
        if cases.is_empty() {
            return Err(self.nothing(cast));
        }
        // The control row has nothing to compress with.
        let is_row = |library: &Id| Some(library) == cast.control_row && !cast.libraries.contains(library);
        cases.retain(|case| !(is_row(&case.library) && is_compressed(&case.workload)));
        // Matrices may overlap; a case is measured once.
        let mut seen = HashSet::new();
        cases.retain(|case| seen.insert(case.clone()));
        Ok(cases)
    }

    /// Adds what libraries do in one process; the control row only has connections.
    fn push_work_of_libraries(&self, cases: &mut Vec<Case>, cast: &Cast<'_>) -> Result<(), StudyError> {
        let among = |these: &[Id]| -> Vec<&Id> {
            cast.libraries.iter().filter(|library| these.is_empty() || these.contains(library)).collect()
        };
        let with_control_row = |these: &[Id]| -> Vec<&Id> {
            let libraries = among(these);
            let is_alone = libraries.is_empty() && !these.is_empty();
            libraries.into_iter().chain(cast.control_row.filter(|_| !is_alone)).collect()
        };
        for matrix in &self.primitive {
            let why = || matrix.contradiction(self.origin);
            let work = self.some(PrimitiveMatrix::PLACE, primitives(matrix), why)?;
            self.push(cases, among(&matrix.libraries), &work)?;
        }
        for matrix in &self.handshake {
            let why = || matrix.negotiated().contradiction(&matrix.resumptions, self.origin);
            let work = self.some(HandshakeMatrix::PLACE, handshakes(matrix), why)?;
            self.push(cases, with_control_row(&matrix.libraries), &work)?;
        }
        for matrix in &self.bulk {
            let why = || matrix.contradiction(self.origin);
            let work = self.some(BulkMatrix::PLACE, bulks(matrix), why)?;
            self.push(cases, with_control_row(&matrix.libraries), &work)?;
        }
        for matrix in &self.idle {
            let why = || matrix.negotiated().contradiction(&[Resumption::Full], self.origin);
            let work = self.some(IdleMatrix::PLACE, idles(matrix), why)?;
            self.push(cases, among(&matrix.libraries), &work)?;
        }
        Ok(())
    }

    fn push_loads(&self, cases: &mut Vec<Case>, cast: &Cast<'_>) -> Result<(), StudyError> {
        for matrix in &self.load {
            if let Some(why) = matrix.contradiction(self.origin) {
                return Err(self.empty(LoadMatrix::PLACE, why));
            }
            for server in serving(matrix, cast) {
                let own = if (cast.is_peer)(server) { &LEAN } else { server };
                for client in clients(matrix, own, cast.usable) {
                    let why = || matrix.idle_variable(self.origin);
                    let work = self.some(LoadMatrix::PLACE, loads(matrix, client), why)?;
                    self.push(cases, std::iter::once(server), &work)?;
                }
            }
        }
        Ok(())
    }

    /// Why there is no case at all.
    fn nothing(&self, cast: &Cast<'_>) -> StudyError {
        let study = self.name.clone();
        if self.has_named_libraries() {
            return StudyError::OnlyOthers(study);
        }
        match cast.servers {
            [] => StudyError::Nothing(study),
            servers => StudyError::OnlyLoads { study, names: servers.join(", ") },
        }
    }

    /// The libraries that the study names as clients of its loads.
    pub fn clients(&self) -> impl Iterator<Item = &Id> {
        let of_single = self.exactly.iter().filter_map(|case| match &case.workload {
            Workload::Load(load) => Some(&load.client),
            _ => None,
        });
        self.load.iter().flat_map(|matrix| &matrix.clients).chain(of_single)
    }

    /// Those that the study names as servers of its loads, and those of single cases.
    pub fn servers(&self) -> impl Iterator<Item = &Id> {
        self.load
            .iter()
            .flat_map(|matrix| &matrix.servers)
            .chain(self.exactly.iter().map(|case| &case.library))
    }

    /// Whether matrices are about some libraries only.
    fn has_named_libraries(&self) -> bool {
        self.primitive.iter().any(|matrix| !matrix.libraries.is_empty())
            || self.handshake.iter().any(|matrix| !matrix.libraries.is_empty())
            || self.bulk.iter().any(|matrix| !matrix.libraries.is_empty())
            || self.idle.iter().any(|matrix| !matrix.libraries.is_empty())
    }

    /// The work of a matrix, which must be some; where there is none, why, if not for want of an item in a list.
    fn some(
        &self,
        place: &str,
        work: Vec<(u16, Workload)>,
        why: impl Fn() -> Option<String>,
    ) -> Result<Vec<(u16, Workload)>, StudyError> {
        if !work.is_empty() {
            return Ok(work);
        }
        Err(self.empty(place, why().unwrap_or_else(|| "one of its lists is empty".to_owned())))
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
        libraries: impl IntoIterator<Item = &'a Id>,
        work: &[(u16, Workload)],
    ) -> Result<(), StudyError> {
        for library in libraries {
            self.few_enough("cases", cases.len() + work.len(), MAX_CASES)?;
            cases.extend(work.iter().map(|(threads, workload)| Case {
                library: library.clone(),
                threads: *threads,
                workload: workload.clone(),
            }));
        }
        Ok(())
    }
}

/// Who takes part in a study.
#[derive(Clone, Copy)]
pub struct Cast<'a> {
    pub libraries: &'a [Id],
    pub servers: &'a [Id],
    /// The library without crypto, which takes part wherever there are handshakes or bulk data.
    pub control_row: Option<&'a Id>,
    /// Whether an id is that of a real server or client.
    pub is_peer: &'a dyn Fn(&str) -> bool,
    /// Whether a client can be used; a library that cannot is replaced by the server's own.
    pub usable: &'a dyn Fn(&str) -> bool,
}

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

fn draft<W>(work: W) -> Draft<W> {
    Draft { threads: 1, work }
}

fn workloads<W>(drafts: Vec<Draft<W>>, workload: fn(W) -> Workload) -> Vec<(u16, Workload)> {
    drafts.into_iter().map(|draft| (draft.threads, workload(draft.work))).collect()
}

fn primitives(matrix: &PrimitiveMatrix) -> Vec<(u16, Workload)> {
    let mut drafts = Vec::new();
    for &algorithm in &matrix.algorithms {
        let sizes = if algorithm.class().is_sized() { matrix.sizes.as_slice() } else { &[Bytes(0)] };
        let ops = algorithm.ops().iter().filter(|op| matrix.ops.is_empty() || matrix.ops.contains(op));
        for (&op, &size) in ops.flat_map(|op| sizes.iter().map(move |size| (op, size))) {
            drafts.push(draft(Primitive { op, algorithm, size: size.narrow(), pattern: Pattern::Tls }));
        }
    }
    workloads(combine(matrix, drafts, &["sizes"], &[]), Workload::Primitive)
}

fn handshakes(matrix: &HandshakeMatrix) -> Vec<(u16, Workload)> {
    let kind = |(params, resumption)| draft(Handshake { resumption, ..Handshake::usual(params) });
    let drafts = matrix.negotiated().resumed(&matrix.resumptions).map(kind).collect();
    let drafts = combine(matrix, drafts, &["resumptions"], &["chains", "mutual", "threads"]);
    workloads(drafts, Workload::Handshake)
}

fn bulks(matrix: &BulkMatrix) -> Vec<(u16, Workload)> {
    let drafts = matrix.negotiated().params().into_iter().map(Bulk::usual).map(draft).collect();
    let mut drafts = combine(matrix, drafts, &[], &[]);
    drafts.retain(|draft| is_compressible(&draft.work));
    workloads(drafts, Workload::Bulk)
}

/// Whether the version has the compression. Without any, what is sent changes nothing, and makes no further case.
fn is_compressible(bulk: &Bulk) -> bool {
    let usual = Bulk::usual(bulk.params);
    bulk.compression.fits(bulk.params.version)
        && (bulk.compression != usual.compression || bulk.content == usual.content)
}

fn is_compressed(work: &Workload) -> bool {
    matches!(work, Workload::Bulk(bulk) if bulk.compression != Compression::None)
}

fn idles(matrix: &IdleMatrix) -> Vec<(u16, Workload)> {
    let drafts = matrix.negotiated().params().into_iter().map(Idle::usual).map(draft).collect();
    workloads(combine(matrix, drafts, &[], &[]), Workload::Idle)
}

/// The lists of loads in the order in which their cases always stood; what came later varies faster.
const LOAD_ORDER: &[&str] = &[
    "http",
    "resumed_percent",
    "connections",
    "requests_per_connection",
    "rates",
    "directions",
    "pages",
    "bodies",
    "work_us",
];

fn loads(matrix: &LoadMatrix, client: &Id) -> Vec<(u16, Workload)> {
    let plain = matrix.plain.then(|| Load::new(client.clone(), None));
    let kind = |(params, resumption)| Load { resumption, ..Load::new(client.clone(), Some(params)) };
    let secure = matrix.negotiated().resumed(&matrix.resumptions).map(kind);
    let drafts = plain.into_iter().chain(secure).map(draft).collect();
    let mut drafts = combine(matrix, drafts, &["resumptions"], LOAD_ORDER);
    drafts.retain(|draft| makes_sense(&draft.work));
    workloads(drafts, Workload::Load)
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
        && (!load.form || load.direction == Direction::Upload)
}
